// OpenAI's own client: whole and streamed answers, its helpers for tools and for parsed answers, of chat completions and of responses.
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
    api: 'chat completions',
    sends: 'messages model response_format stream stream_options temperature tool_choice tools',
    messages: 'content role tool_call_id tool_calls',
  },
)

clientTest(
  'openai',
  { openai: '7.59.0' },
  async ({ load, fetch }) => {
    const { default: OpenAI } = await load('openai')
    const { responses } = new OpenAI({ apiKey: 'none', baseURL, fetch, maxRetries: 0 })
    const asked = (model, input) => ({ model, input, temperature: 0 })
    const tools = [{ type: 'function', name: 'weather', description: 'Tells the weather.', parameters: city, strict: true }]
    /**
     * The loop of tool calls, which this client leaves to its users. With `next`, requests contain only the results of the calls, and
     * refer to the previous response.
     */
    const converse = async (get, model, text, run, next) => {
      let response = await get({ ...asked(model, text), tools })
      for (let input = [{ role: 'user', content: text }]; ; ) {
        const calls = response.output.filter(({ type }) => type === 'function_call')
        if (calls.length === 0) return response.output_text
        const results = await Promise.all(
          calls.map(async ({ call_id, arguments: given }) => ({
            type: 'function_call_output',
            call_id,
            output: await run(JSON.parse(given)),
          })),
        )
        input = [...input, ...response.output, ...results]
        response = await get({ ...asked(model, next ? results : input), tools, ...(next && { previous_response_id: response.id }) })
      }
    }
    return {
      ask: async (model, text) => (await responses.create(asked(model, text))).output_text,
      async *stream(model, text, signal) {
        for await (const { type, delta } of await responses.create({ ...asked(model, text), stream: true }, { signal }))
          if (type === 'response.output_text.delta') yield delta
      },
      call: (model, text, run) => converse(params => responses.parse(params), model, text, run),
      callStreaming: (model, text, run) => converse(params => responses.stream(params).finalResponse(), model, text, run, true),
      fill: async (model, text) =>
        (
          await responses.parse({
            ...asked(model, text),
            text: { format: { type: 'json_schema', name: 'place', strict: true, schema: place } },
          })
        ).output_parsed,
      see: async (model, text, image_url) =>
        (
          await responses.create(
            asked(model, [
              {
                role: 'user',
                content: [
                  { type: 'input_text', text },
                  { type: 'input_image', image_url },
                ],
              },
            ]),
          )
        ).output_text,
    }
  },
  {
    api: 'responses',
    sends: 'input model previous_response_id stream temperature text tools',
    messages: 'arguments call_id content id name output parsed_arguments role status type',
  },
)
