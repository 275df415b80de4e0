// Ax's service, with its own types of conversations.
import { baseURL, city, clientTest, place } from './support.mjs'

clientTest(
  'Ax',
  { '@ax-llm/ax': '24.0.21' },
  async ({ load, fetch }) => {
    const { ai } = await load('@ax-llm/ax')
    const service = model =>
      ai({ name: 'openai', apiKey: 'none', apiURL: baseURL, config: { model, temperature: 0, stream: false }, options: { fetch } })
    const asked = content => ({ chatPrompt: [{ role: 'user', content }] })
    const answer = async (model, request, options) => (await service(model).chat(request, options)).results[0]
    return {
      ask: async (model, text) => (await answer(model, asked(text))).content,
      async *stream(model, text, abortSignal) {
        for await (const {
          results: [result],
        } of await service(model).chat(asked(text), { stream: true, abortSignal }))
          yield result?.content ?? ''
      },
      async call(model, text, run) {
        const { chatPrompt } = asked(text)
        const functions = [{ name: 'weather', description: 'Tells the weather.', parameters: city }]
        for (;;) {
          const { content, functionCalls = [] } = await answer(model, { chatPrompt, functions })
          if (functionCalls.length === 0) return content
          chatPrompt.push(
            { role: 'assistant', content, functionCalls },
            ...functionCalls.map(({ id, function: { params } }) => ({
              role: 'function',
              functionId: id,
              result: run(typeof params === 'string' ? JSON.parse(params) : params),
            })),
          )
        }
      },
      fill: async (model, text) =>
        JSON.parse(
          (
            await answer(model, {
              ...asked(text),
              responseFormat: { type: 'json_schema', schema: { name: 'place', schema: place } },
            })
          ).content,
        ),
      see: async (model, text, url) =>
        (
          await answer(
            model,
            asked([
              { type: 'text', text },
              { type: 'image', mimeType: 'image/png', image: url.split(',')[1] },
            ]),
          )
        ).content,
    }
  },
  {
    sends: 'messages model response_format stream stream_options temperature tool_choice tools',
    messages: 'content role tool_call_id tool_calls',
  },
)
