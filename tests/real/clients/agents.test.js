// OpenAI's agents, which `setOpenAIAPI('chat_completions')` makes ask for what Heed answers.
import { baseURL, city, clientTest } from './support.mjs'

clientTest(
  '@openai/agents',
  { '@openai/agents': '0.20.0', openai: '7.59.0', zod: '4.6.7' },
  async ({ load, fetch, fetchOne }) => {
    const { Agent, OpenAIProvider, run, Runner, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } =
      await load('@openai/agents')
    const { default: OpenAI } = await load('openai')
    const { z } = await load('zod')
    setDefaultOpenAIClient(new OpenAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 }))
    setOpenAIAPI('chat_completions')
    setTracingDisabled(true)
    const agent = (model, more) => new Agent({ name: 'Heed', model, modelSettings: { temperature: 0 }, ...more })
    const tools = execute => [tool({ name: 'weather', description: 'Tells the weather.', parameters: city, strict: true, execute })]
    const textOf = async running => (await running).finalOutput
    return {
      ask: (model, text) => textOf(run(agent(model), text)),
      async *stream(model, text, signal) {
        const result = await run(agent(model), text, { stream: true, signal })
        yield* result.toTextStream()
      },
      call: (model, text, execute) => textOf(run(agent(model, { tools: tools(execute) }), text)),
      async callStreaming(model, text, execute) {
        const result = await run(agent(model, { tools: tools(execute) }), text, { stream: true })
        await result.completed
        return result.finalOutput
      },
      fill: (model, text) => textOf(run(agent(model, { outputType: z.object({ city: z.string(), cold: z.boolean() }) }), text)),
      /** Without a model's name: the default one, with its settings. */
      async every() {
        const openAIClient = new OpenAI({ apiKey: 'none', baseURL, fetch: fetchOne, maxRetries: 0 })
        const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }) })
        const modelSettings = {
          topP: 1,
          frequencyPenalty: 0,
          presencePenalty: 0,
          maxTokens: 100,
          parallelToolCalls: true,
          store: true,
          promptCacheRetention: '24h',
          reasoning: { effort: 'low' },
          text: { verbosity: 'low' },
          providerData: { safety_identifier: 'me', prompt_cache_key: 'a' },
        }
        const texts = [
          await textOf(runner.run(new Agent({ name: 'Heed' }), 'Hi')),
          await textOf(runner.run(new Agent({ name: 'Heed', modelSettings }), 'Hi')),
        ]
        return new Set(texts).size === 1 ? texts[0] : texts
      },
      async responses() {
        const openAIClient = new OpenAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 })
        await new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: true }) }).run(agent('chat'), 'Hi')
      },
      see: (model, text, image) =>
        textOf(
          run(agent(model), [
            {
              role: 'user',
              content: [
                { type: 'input_text', text },
                { type: 'input_image', image },
              ],
            },
          ]),
        ),
    }
  },
  {
    sends:
      'frequency_penalty max_tokens messages model presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format safety_identifier store stream stream_options temperature tools top_p verbosity',
    messages: 'content role tool_call_id tool_calls',
    setting: "setOpenAIAPI('chat_completions')",
    warned: 'reasoning_effort store verbosity',
  },
)
