// TanStack AI with its adapters for responses and for chat completions.
import { baseURL, city, clientTest, place } from './support.mjs'

const packages = { '@tanstack/ai': '0.58.0', '@tanstack/ai-openai': '0.23.1' }

const adapter =
  (factory, settings) =>
  async ({ load, fetch }) => {
    const { chat, toolDefinition } = await load('@tanstack/ai')
    const { [factory]: adapterOf } = await load('@tanstack/ai-openai')
    const asked = (model, content) => ({
      adapter: adapterOf(model, 'none', { baseURL, fetch, maxRetries: 0 }),
      messages: [{ role: 'user', content }],
      modelOptions: { temperature: 0 },
    })
    const tools = run => [toolDefinition({ name: 'weather', description: 'Tells the weather.', inputSchema: city }).server(run)]
    async function* deltas(events) {
      for await (const event of events) {
        if (event.type === 'RUN_ERROR') throw new Error(event.message)
        if (event.type === 'TEXT_MESSAGE_CONTENT') yield event
      }
    }
    /** The text of the last message. */
    async function lastOf(events) {
      const texts = new Map()
      for await (const { messageId, delta } of deltas(events)) texts.set(messageId, (texts.get(messageId) ?? '') + delta)
      return [...texts.values()].at(-1)
    }
    return {
      ask: (model, text) => chat({ ...asked(model, text), stream: false }),
      async *stream(model, text, signal) {
        const abortController = new AbortController()
        signal?.addEventListener('abort', () => abortController.abort())
        for await (const { delta } of deltas(chat({ ...asked(model, text), abortController }))) yield delta
      },
      callStreaming: (model, text, run) => lastOf(chat({ ...asked(model, text), tools: tools(run) })),
      fill: (model, text) => chat({ ...asked(model, text), outputSchema: place }),
      every: () =>
        chat({
          ...asked('chat', 'Hi'),
          stream: false,
          modelOptions: {
            temperature: 0,
            top_p: 1,
            user: 'me',
            store: true,
            metadata: { a: 'b' },
            service_tier: 'flex',
            safety_identifier: 'me',
            prompt_cache_key: 'a',
            parallel_tool_calls: true,
            ...settings,
          },
        }),
      see: (model, text, url) =>
        chat({
          ...asked(model, [
            { type: 'text', content: text },
            { type: 'image', source: { type: 'data', value: url.split(',')[1], mimeType: 'image/png' } },
          ]),
          stream: false,
        }),
    }
  }

clientTest(
  'TanStack AI',
  packages,
  adapter('createOpenaiChatCompletions', { max_tokens: 100, seed: -1, reasoning_effort: 'low', verbosity: 'low' }),
  {
    api: 'chat completions',
    sends:
      'max_tokens messages metadata model parallel_tool_calls prompt_cache_key reasoning_effort response_format safety_identifier seed service_tier store stream stream_options temperature tools top_p user verbosity',
    messages: 'content role tool_call_id tool_calls',
    warned: 'reasoning_effort store verbosity',
  },
)

clientTest(
  'TanStack AI',
  packages,
  adapter('createOpenaiChat', {
    max_output_tokens: 100,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { verbosity: 'low' },
    truncation: 'auto',
  }),
  {
    api: 'responses',
    sends:
      'input max_output_tokens metadata model parallel_tool_calls prompt_cache_key reasoning safety_identifier service_tier store stream temperature text tools top_p truncation user',
    messages: 'arguments call_id content id name output role type',
    warned: 'reasoning.effort text.verbosity',
  },
)
