// OpenAI's own client: whole and streamed answers, its helpers for tools and for parsed answers.
import { baseURL, city, clientTest, place } from './support.mjs'

clientTest(
  'openai',
  { openai: '7.59.0' },
  async ({ load, fetch }) => {
    const { default: OpenAI } = await load('openai')
    const client = new OpenAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 })
    const { completions } = client.chat
    const asked = (model, content) => ({ model, messages: [{ role: 'user', content }], temperature: 0 })
    const tools = run => [
      {
        type: 'function',
        function: { name: 'weather', description: 'Tells the weather.', parameters: city, parse: JSON.parse, function: run },
      },
    ]
    const answer = ({ choices: [{ message }] }) => message.content
    return {
      ask: async (model, text) => answer(await completions.create(asked(model, text))),
      async *stream(model, text, signal) {
        const stream = await completions.create(
          { ...asked(model, text), stream: true, stream_options: { include_usage: true } },
          { signal },
        )
        for await (const {
          choices: [choice],
        } of stream)
          yield choice?.delta.content ?? ''
      },
      call: (model, text, run) => completions.runTools({ ...asked(model, text), tools: tools(run) }).finalContent(),
      callStreaming: (model, text, run) =>
        completions.runTools({ ...asked(model, text), tools: tools(run), stream: true }).finalContent(),
      async fill(model, text) {
        const response_format = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: place } }
        const {
          choices: [{ message }],
        } = await completions.parse({ ...asked(model, text), response_format })
        return message.parsed
      },
      responses: () => client.responses.create({ model: 'chat', input: 'Hi' }),
      see: async (model, text, url) =>
        answer(
          await completions.create(
            asked(model, [
              { type: 'text', text },
              { type: 'image_url', image_url: { url } },
            ]),
          ),
        ),
    }
  },
  {
    sends: 'messages model response_format stream stream_options temperature tool_choice tools',
    setting: '`chat.completions` of openai',
    messages: 'content role tool_call_id tool_calls',
  },
)
