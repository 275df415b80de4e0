// OpenAI's agents: with their defaults, which are responses, and with chat completions.
import assert from 'node:assert/strict'
import { agentPackages as packages, baseURL, city, clientTest } from './support.mjs'

/** The tests of agents; with responses also a handoff, several turns, and a run that continues the last response. */
const agents =
  api =>
  async ({ load, fetch, fetchOne }) => {
    const {
      Agent,
      OpenAIProvider,
      run: runByDefault,
      Runner,
      setDefaultOpenAIClient,
      setTracingDisabled,
      tool,
    } = await load('@openai/agents')
    const { default: OpenAI } = await load('openai')
    const { z } = await load('zod')
    setTracingDisabled(true)
    const clientOver = fetch => new OpenAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 })
    const runnerOver = fetch =>
      new Runner({ modelProvider: new OpenAIProvider({ openAIClient: clientOver(fetch), ...(api && { useResponses: false }) }) })
    const runner = runnerOver(fetch)
    const run = api ? (...asked) => runner.run(...asked) : runByDefault
    if (!api) setDefaultOpenAIClient(clientOver(fetch)) // of the whole process
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
      /** Without a model's name: the default model, with its settings. */
      async every() {
        const runner = runnerOver(fetchOne)
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
      ...(!api && {
        async more() {
          const expert = agent('chat', { name: 'Expert', handoffDescription: 'Knows all.' })
          for (const stream of [false, true]) {
            const result = await run(agent('handoff', { instructions: 'Ask the expert.', handoffs: [expert] }), 'Why?', { stream })
            await result.completed
            assert.deepEqual([result.finalOutput, result.lastAgent.name], ['Fine.', 'Expert'])
          }
          const first = await run(agent('chat'), 'Hi')
          const next = await run(agent('chat'), 'And?', { previousResponseId: first.lastResponseId })
          assert.equal(next.finalOutput, 'Fine.')
          assert.equal((await run(agent('chat'), [...first.history, { role: 'user', content: 'And?' }])).finalOutput, 'Fine.')
        },
      }),
    }
  }

clientTest('@openai/agents', packages, agents(), {
  api: 'responses',
  sends:
    'include input instructions max_output_tokens model previous_response_id prompt_cache_key prompt_cache_retention reasoning safety_identifier store stream temperature text tools top_p',
  messages: 'arguments call_id content id name output role status type',
  warned: 'reasoning.effort text.verbosity',
})

clientTest('@openai/agents', packages, agents('chat_completions'), {
  api: 'chat completions',
  sends:
    'frequency_penalty max_tokens messages model presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format safety_identifier store stream stream_options temperature tools top_p verbosity',
  messages: 'content role tool_call_id tool_calls',
  warned: 'reasoning_effort store verbosity',
})
