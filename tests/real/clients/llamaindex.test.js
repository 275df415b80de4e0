// LlamaIndex's model, and its step of tools. It has no signal and does not end a request when its loop is left; its `fetch` does.
import { baseURL, clientTest, place } from './support.mjs'

clientTest(
  'LlamaIndex',
  { '@llamaindex/openai': '0.4.23', '@llamaindex/core': '0.6.23', '@llamaindex/env': '0.1.31', zod: '4.6.7' },
  async ({ load, fetch }) => {
    const { OpenAI } = await load('@llamaindex/openai')
    const { tool } = await load('@llamaindex/core/tools')
    const { z } = await load('zod')
    const llm = (model, more) =>
      new OpenAI({
        model,
        apiKey: 'none',
        baseURL,
        temperature: 0,
        maxRetries: 0,
        additionalSessionOptions: { baseURL, fetch },
        ...more,
      })
    const asked = content => [{ role: 'user', content }]
    return {
      ask: async (model, text) => (await llm(model).chat({ messages: asked(text) })).message.content,
      async *stream(model, text, signal) {
        const additionalSessionOptions = { baseURL, fetch: (input, init) => fetch(input, { ...init, signal }) }
        for await (const { delta } of await llm(model, { additionalSessionOptions }).chat({ messages: asked(text), stream: true }))
          yield delta
      },
      async call(model, text, run) {
        const tools = [
          tool({ name: 'weather', description: 'Tells the weather.', parameters: z.object({ city: z.string() }), execute: run }),
        ]
        const messages = asked(text)
        for (;;) {
          const { newMessages, toolCalls } = await llm(model).exec({ messages, tools })
          messages.push(...newMessages)
          if (toolCalls.length === 0) return messages.at(-1).content
        }
      },
      async fill(model, text) {
        const responseFormat = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: place } }
        return JSON.parse((await llm(model).chat({ messages: asked(text), responseFormat })).message.content)
      },
      every: async () =>
        (
          await llm('chat', {
            topP: 1,
            maxTokens: 100,
            reasoningEffort: 'low',
            additionalChatOptions: { user: 'me', store: true, seed: -1, verbosity: 'low', prompt_cache_key: 'a' },
          }).chat({ messages: asked('Hi') })
        ).message.content,
      see: async (model, text, url) =>
        (
          await llm(model).chat({
            messages: asked([
              { type: 'text', text },
              { type: 'image_url', image_url: { url } },
            ]),
          })
        ).message.content,
    }
  },
  {
    sends: 'max_tokens messages model prompt_cache_key response_format seed store stream temperature tools top_p user verbosity',
    messages: 'content role tool_call_id tool_calls',
    warned: 'store verbosity',
  },
)
