// chat.completions.create: an answer to a conversation, whole or in chunks.
import type { Chat } from '../../page/chat/conversation.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { ChatResult } from '../../page/chat/messages.js'
import { answer } from './answer.js'
import { messages, needed, tools } from './conversation.js'
import type { Setting } from './directory.js'
import { thinking } from './effort.js'
import { ParameterError } from './errors.js'
import { named, withImages } from './images.js'
import { formatType, formOf, type Json, jsonOf } from './json.js'
import { alternativesFor, type Logprobs, logprobsOf } from './logprobs.js'
import { offeredForm } from './offered.generated.js'
import { boolean, fields, integer, object, only, readRequest, type Reader, schema, text } from './read.js'
import { generateOptions, limit, sampling, streaming, wantsUsage } from './sampling.js'
import type { CompletionStream } from './stream.js'
import { offeredTools, toolChoiceOf } from './tool-choice.js'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionDelta,
  ChatCompletionMessage,
  ChatCompletionMessageToolCall,
  RequestOptions,
} from './types.js'
import { ofChats, ofTools } from './unread.js'

const readChoice = fields({ type: only('only functions are', 'function'), function: fields({ name: text }), ...ofTools })
const nameOf: Reader<string> = (value, param) => needed(readChoice(value, param).function?.name, `${param}.function.name`)

/** The form of the answer, as an option of a chat. */
const responseFormat: Reader<Json> = (value, param) => {
  const { type, json_schema: given } = fields({
    type: formatType,
    json_schema: fields({ name: text, description: text, schema, strict: boolean }),
  })(value, param)
  if (type === 'json_schema' && !given) throw new ParameterError(`${param}.json_schema`, 'missing')
  if (type !== 'json_schema' && given) throw new ParameterError(`${param}.json_schema`, 'is of the type "json_schema"')
  return jsonOf(type, given?.schema)
}

const parameters = {
  messages,
  model: text,
  ...sampling,
  ...streaming,
  tools,
  tool_choice: toolChoiceOf(nameOf, 'allowed_tools'),
  parallel_tool_calls: boolean,
  response_format: responseFormat,
  ...offeredForm,
  logprobs: boolean,
  top_logprobs: integer(0, 20),
  max_completion_tokens: limit,
  max_tokens: limit,
  reasoning_effort: text,
  chat_template_kwargs: object,
  enable_thinking: boolean,
  ...ofChats,
} satisfies Record<keyof ChatCompletionCreateParams, Reader<unknown>>

/** One of the `n` answers. */
interface Choice {
  readonly index: number
  readonly chat: Chat
  /** Set if they were requested. */
  readonly logprobs: Logprobs | undefined
}

export async function createChatCompletion(
  { directory, fetchImages, schemas, warn }: Setting,
  body: unknown,
  options?: RequestOptions,
): Promise<ChatCompletion | CompletionStream<ChatCompletionChunk>> {
  const request = readRequest(parameters, body, options, warn)
  const { id: name, model } = directory.find(request.model)
  const { messages, n = 1, logprobs = false, top_logprobs, enable_thinking } = request
  const withUsage = wantsUsage(request, warn)
  if (!messages) throw new ParameterError('messages', 'missing')
  if (top_logprobs && !logprobs) throw new ParameterError('top_logprobs', 'needs `logprobs: true`')
  const top = logprobs ? (top_logprobs ?? 0) : undefined
  const tools = offeredTools(request.tools, request.tool_choice)
  const given = request.chat_template_kwargs
  const variables = enable_thinking === undefined ? given : { enable_thinking, ...given }
  const how: ChatOptions = {
    ...(await formOf(model, request.response_format, request, schemas, 'response_format')),
    tools: request.tools && tools,
    toolChoice: request.tool_choice?.choice,
    parallelToolCalls: request.parallel_tool_calls,
    ...(await thinking(model, request.reasoning_effort, variables, 'reasoning_effort', warn)),
  }
  const ways = generateOptions(request, {
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
    topLogprobs: alternativesFor(top),
  })
  const conversation = await withImages(messages, model.info, fetchImages, request.signal)
  return answer<Choice, ChatCompletion['choices'][number], Delta>({
    prefix: 'chatcmpl',
    object: 'chat.completion',
    chunk: 'chat.completion.chunk',
    model: name,
    n,
    stream: request.stream === true,
    withUsage,
    signal: request.signal,
    start: signal =>
      ways.map((way, index) => ({
        index,
        chat: model.chat(conversation.messages, { ...way, ...how, signal }),
        logprobs: logprobsOf(model, top),
      })),
    whole,
    pieces,
    counts: async ({ chat }) => (await chat).usage,
  }).catch(error => {
    throw named(error, conversation)
  })
}

async function whole({ index, chat, logprobs }: Choice): Promise<ChatCompletion['choices'][number]> {
  const content = []
  if (logprobs) {
    for await (const event of chat) if (event.type === 'text') content.push(...(await logprobs.ofChat(event.tokens)))
  }
  const result = await chat
  return {
    index,
    message: messageOf(result),
    logprobs: logprobs ? { content, refusal: null } : null,
    finish_reason: finishReason(result),
  }
}

const messageOf = ({ text, reasoning, toolCalls }: ChatResult): ChatCompletionMessage => ({
  role: 'assistant',
  content: text === '' && toolCalls.length > 0 ? null : text,
  refusal: null,
  ...(reasoning !== '' && { reasoning_content: reasoning }),
  ...(toolCalls.length > 0 && {
    tool_calls: toolCalls.map(
      ({ id, name, text }): ChatCompletionMessageToolCall => ({ id, type: 'function', function: { name, arguments: text } }),
    ),
  }),
})

const finishReason = ({ finishReason }: ChatResult): ChatCompletion['choices'][number]['finish_reason'] =>
  finishReason === 'tool-calls' ? 'tool_calls' : finishReason === 'stop' ? 'stop' : 'length'

type Delta = ChatCompletionChunk['choices'][number]

/** A choice as it is generated: its role with the first event, then the deltas, then the finish reason. */
async function* pieces({ index, chat, logprobs }: Choice): AsyncGenerator<Delta> {
  const piece = (
    delta: ChatCompletionDelta,
    finish_reason: Delta['finish_reason'] = null,
    logprobs: Delta['logprobs'] = null,
  ): Delta => ({ index, delta, logprobs, finish_reason })
  let isBegun = false
  let calls = 0
  let isEmpty = true
  const call = (delta: Omit<NonNullable<ChatCompletionDelta['tool_calls']>[number], 'index'>) =>
    piece({ tool_calls: [{ index: calls - 1, ...delta }] })
  for await (const event of chat) {
    if (!isBegun) yield piece({ role: 'assistant', content: '' })
    isBegun = true
    switch (event.type) {
      case 'text':
        yield piece(
          { content: event.delta },
          null,
          logprobs ? { content: await logprobs.ofChat(event.tokens), refusal: null } : null,
        )
        break
      case 'reasoning':
        yield piece({ reasoning_content: event.delta })
        break
      case 'tool-call-start':
        calls++
        isEmpty = true
        yield call({ id: event.id, type: 'function', function: { name: event.name, arguments: '' } })
        break
      case 'tool-call-delta':
        isEmpty = false
        yield call({ function: { arguments: event.delta } })
        break
      case 'tool-call':
        if (isEmpty) yield call({ function: { arguments: '{}' } })
    }
  }
  yield piece({}, finishReason(await chat))
}
