// Code that the types must accept and code that they must reject; compiled by package.test.js, never run.
import OpenAI from 'openai'
import { loadModel } from 'heed'
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  heedFetch,
  HeedError,
  openai,
  type OpenAIClient,
  ParameterError,
  type Response as HeedResponse,
  type ResponseStreamEvent,
} from 'heed/openai'

const model = await loadModel('model.gguf')
const client: OpenAIClient = openai(model)
openai({ writer: model, encoder: model })
// @ts-expect-error a session is not a model
openai(await model.session())
// @ts-expect-error a model is required
openai()
const messages = [{ role: 'user' as const, content: 'Hi' }]

// Results have OpenAI's types.
const whole: ChatCompletion = await client.chat.completions.create({ messages })
const asOpenAI: OpenAI.Chat.ChatCompletion = whole
for await (const chunk of await client.chat.completions.create({ messages, stream: true })) {
  const one: ChatCompletionChunk = chunk
  const same: OpenAI.Chat.ChatCompletionChunk = one
  const delta: string | undefined = same.choices[0]?.delta.content ?? one.choices[0]?.delta.reasoning_content
}
const text: OpenAI.Completion = await client.completions.create({ prompt: [[1, 2], [3]], logprobs: 2, n: 2 })
const vectors: OpenAI.CreateEmbeddingResponse = await client.embeddings.create({ input: ['a', 'b'] })
const base64: string = (await client.embeddings.create({ input: 'a', encoding_format: 'base64' })).data[0]!.embedding
const entries: OpenAI.Model[] = [...(await client.models.list()).data, await client.models.retrieve('x')]

// A result can be part of the next request.
const {
  choices: [choice],
} = await client.chat.completions.create({ messages: [...messages, whole.choices[0]!.message] })
const stream = await client.chat.completions.create({ messages, stream: true }, { signal: AbortSignal.timeout(1000) })
stream.controller.abort()
const either: boolean = Math.random() > 0.5
const unknown = await client.chat.completions.create({ messages, stream: either })
if ('choices' in unknown) unknown.usage.prompt_tokens_details.cached_tokens.toFixed()

// @ts-expect-error unknown parameter
client.chat.completions.create({ messages, temprature: 1 })
client.chat.completions.create({ messages, tool_choice: { type: 'function', function: { name: 'clock' } } })
client.chat.completions.create({ messages, parallel_tool_calls: false })
// @ts-expect-error a value that OpenAI's API does not have
client.chat.completions.create({ messages, verbosity: 'lowest' })
client.chat.completions.create({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: '', detail: 'low' } }] }],
})
// @ts-expect-error only users show images
client.chat.completions.create({ messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: '' } }] }] })

// Values declared with OpenAI's types are accepted.
const conversation: OpenAI.Chat.ChatCompletionMessageParam[] = messages
const tools: OpenAI.Chat.ChatCompletionTool[] = []
const choose: OpenAI.Chat.ChatCompletionToolChoiceOption = 'auto'
client.chat.completions.create({ messages: conversation, tools, tool_choice: choose })
const params: OpenAI.Chat.ChatCompletionCreateParams = { messages: conversation, model: 'x' }
client.chat.completions.create(params)
const once: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming = { messages: conversation, model: 'x' }
const answered: OpenAI.Chat.ChatCompletion = await client.chat.completions.create(once)
const streamed: OpenAI.Chat.ChatCompletionCreateParamsStreaming = { ...once, stream: true }
for await (const chunk of await client.chat.completions.create(streamed)) chunk satisfies OpenAI.Chat.ChatCompletionChunk
conversation.push(answered.choices[0]!.message, whole.choices[0]!.message)
const continuing: OpenAI.CompletionCreateParamsNonStreaming = { model: 'x', prompt: 'Once' }
client.completions.create(continuing)
const embedded: OpenAI.EmbeddingCreateParams = { model: 'x', input: 'a' }
client.embeddings.create(embedded)

// The same of responses.
const response: HeedResponse = await client.responses.create({ input: 'Hi', instructions: 'Be brief.' })
const sameResponse: OpenAI.Responses.Response = response
for await (const event of await client.responses.create({ input: 'Hi', stream: true })) {
  const same: OpenAI.Responses.ResponseStreamEvent = event satisfies ResponseStreamEvent
}
const items: OpenAI.Responses.ResponseInputItem[] = response.output
const responseTools: OpenAI.Responses.Tool[] = response.tools
const asking: OpenAI.Responses.ResponseCreateParamsNonStreaming = { model: 'x', input: items, tools: responseTools }
items.push(...(await client.responses.create(asking)).output)
const asksForEvents: OpenAI.Responses.ResponseCreateParamsStreaming = { ...asking, stream: true }
for await (const event of await client.responses.create(asksForEvents)) event satisfies ResponseStreamEvent
client.responses.create({ input: [...response.output, { role: 'user', content: 'And?' }], previous_response_id: response.id })
const retrieved: HeedResponse = await client.responses.retrieve(response.id)
await client.responses.delete((await client.responses.cancel(retrieved.id)).id)
// @ts-expect-error unknown parameter
client.responses.create({ input: 'Hi', max_tokens: 5 })
// @ts-expect-error a type of items that OpenAI's API does not have
client.responses.create({ input: [{ type: 'function_cal', call_id: 'x', output: '' }] })
// @ts-expect-error `call_id` is required
client.responses.create({ input: [{ type: 'function_call', name: 'x', arguments: '{}' }] })

const only: Pick<OpenAI, 'models'> | Pick<OpenAIClient, 'models'> = client

openai(model, { fetchImages: true, onWarning: ({ param, message }) => console.warn(param, message) })
heedFetch(model, { fetchImages: async (url, signal) => (await fetch(url, { signal })).blob() })
// @ts-expect-error unknown option
openai(model, { fetchImage: true })
// @ts-expect-error `tool_call_id` is required
client.chat.completions.create({ messages: [{ role: 'tool', content: '' }] })
// @ts-expect-error `prompt` is required
client.completions.create({})

new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch: heedFetch(model) })
const error: HeedError = new HeedError('unsupported', '')
if (error instanceof ParameterError) error.param.trim()
console.log(asOpenAI, sameResponse, text, vectors, base64, entries, choice, only)
