// Genkit with its plugin for OpenAI, which does not send a temperature of 0.
import { baseURL, clientTest } from './support.mjs'

clientTest(
  'Genkit',
  { genkit: '1.42.0', '@genkit-ai/compat-oai': '1.42.0', openai: '4.104.0' },
  async ({ load, fetch }) => {
    const { genkit, z } = await load('genkit')
    const { openAI } = await load('@genkit-ai/compat-oai/openai')
    const ai = genkit({ plugins: [openAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 })] })
    let run
    const weather = ai.defineTool(
      { name: 'weather', description: 'Tells the weather.', inputSchema: z.object({ city: z.string() }), outputSchema: z.string() },
      async given => run(given),
    )
    const asked = (model, prompt) => ({ model: openAI.model(model), prompt, config: { temperature: 1e-9 } })
    return {
      ask: async (model, text) => (await ai.generate(asked(model, text))).text,
      async *stream(model, text, abortSignal) {
        const { stream, response } = ai.generateStream({ ...asked(model, text), abortSignal })
        response.catch(() => {})
        for await (const { text } of stream) yield text
      },
      call: async (model, text, execute) => {
        run = execute
        return (await ai.generate({ ...asked(model, text), tools: [weather] })).text
      },
      fill: async (model, text) =>
        (await ai.generate({ ...asked(model, text), output: { schema: z.object({ city: z.string(), cold: z.boolean() }) } }))
          .output,
      every: async () =>
        (
          await ai.generate({
            ...asked('chat', 'Hi'),
            config: {
              temperature: 1e-9,
              maxOutputTokens: 100,
              topP: 1,
              user: 'me',
              seed: -1,
              logProbs: true,
              topLogProbs: 1,
              frequencyPenalty: 0.1,
              presencePenalty: 0.1,
              stopSequences: ['xyz'],
              store: true,
              verbosity: 'low',
            },
          })
        ).text,
      see: async (model, text, url) => (await ai.generate(asked(model, [{ text }, { media: { url } }]))).text,
    }
  },
  {
    sends:
      'frequency_penalty logprobs messages model presence_penalty seed stop store stream stream_options temperature tools top_logprobs top_p user verbosity',
    messages: 'content role tool_call_id tool_calls',
    warned: 'store verbosity',
  },
)
