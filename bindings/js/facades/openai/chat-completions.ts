// chat.completions.create: an answer to a conversation, whole or in chunks.
import type { ChatTool } from '../../chat/types.js'
import type { Chat } from '../../page/chat/conversation.js'
import type { ChatOptions } from '../../page/chat/chat-options.js'
import type { ChatResult } from '../../page/chat/messages.js'
import type { Model } from '../../page/model.js'
import type { ConstraintOptions } from '../../types/index.js'
import type { HeedError } from '../../wire/errors.js'
import { effortIn } from '../reasoning.js'
import { answer } from './answer.js'
import { messages, needed, tools } from './conversation.js'
import type { Setting } from './directory.js'
import { ofRequests, ParameterError } from './errors.js'
import { named, withImages } from './images.js'
import { alternativesFor, type Logprobs, logprobsOf } from './logprobs.js'
import { offeredForm } from './offered.js'
import {
  boolean,
  fields,
  integer,
  list,
  object,
  oneOf,
  only,
  type Read,
  readRequest,
  type Reader,
  schema,
  text,
  type Warn,
} from './read.js'
import { generateOptions, limit, sampling, streaming, wantsUsage } from './sampling.js'
import { schemaOptions } from './schemas.js'
import type { CompletionStream } from './stream.js'
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

/** A choice, and the tools that it is limited to, if it is. */
const toolChoice: Reader<{ choice?: ChatOptions['toolChoice']; among?: string[] }> = (value, param) => {
  if (typeof value === 'string') return { choice: oneOf('auto', 'none', 'required')(value, param) }
  if (object(value, param).type !== 'allowed_tools') return { choice: { name: nameOf(value, param) } }
  const { allowed_tools: { mode, tools } = {} } = fields({
    type: text,
    allowed_tools: fields({ mode: oneOf('auto', 'required'), tools: list(nameOf) }),
  })(value, param)
  return { choice: mode, among: needed(tools, `${param}.allowed_tools.tools`) }
}

/** The tools that the model is offered. Throws for a choice that they do not allow. */
function offered({ tools = [], tool_choice: { choice, among } = {} }: Read<typeof parameters>): readonly ChatTool[] {
  for (const asked of among ?? (typeof choice === 'object' ? [choice.name] : [])) {
    if (tools.some(({ function: { name } }) => name === asked)) continue
    throw new ParameterError('tool_choice', `there is no tool ${JSON.stringify(asked)}`)
  }
  const left = among ? tools.filter(({ function: { name } }) => among.includes(name)) : tools
  if (choice === 'required' && left.length === 0) throw new ParameterError('tool_choice', 'needs tools')
  return left
}

/** The form of the answer, as an option of a chat. */
const responseFormat: Reader<Pick<ChatOptions, 'jsonSchema'>> = (value, param) => {
  const { type, json_schema: given } = fields({
    type: oneOf('text', 'json_object', 'json_schema'),
    json_schema: fields({ name: text, description: text, schema, strict: boolean }),
  })(value, param)
  if (type === 'json_schema' && !given) throw new ParameterError(`${param}.json_schema`, 'missing')
  if (type !== 'json_schema' && given) throw new ParameterError(`${param}.json_schema`, 'is of the type "json_schema"')
  if (type === 'json_schema') return { jsonSchema: given!.schema ?? true }
  return type === 'json_object' ? { jsonSchema: { type: 'object' } } : {}
}

const parameters = {
  messages,
  model: text,
  ...sampling,
  ...streaming,
  tools,
  tool_choice: toolChoice,
  parallel_tool_calls: boolean,
  response_format: responseFormat,
  ...offeredForm,
  logprobs: boolean,
  top_logprobs: integer(0, 20),
  max_completion_tokens: limit,
  max_tokens: limit,
  reasoning_effort: text,
  chat_template_kwargs: object,
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
  const { messages, n = 1, logprobs = false, top_logprobs } = request
  const withUsage = wantsUsage(request, warn)
  if (!messages) throw new ParameterError('messages', 'missing')
  if (top_logprobs && !logprobs) throw new ParameterError('top_logprobs', 'needs `logprobs: true`')
  const top = logprobs ? (top_logprobs ?? 0) : undefined
  const tools = offered(request)
  const toolChoice = request.tool_choice?.choice
  const json = request.response_format
  const isJson = json?.jsonSchema !== undefined
  for (const name of Object.keys(offeredForm) as (keyof typeof offeredForm)[]) {
    if (request[name] !== undefined && !isJson) throw new ParameterError(name, 'needs a `response_format` of JSON')
  }
  const form = isJson ? { ...json, ...schemas, ...schemaOptions(request) } : {}
  if (isJson) await checkForm(model, form)
  const how: ChatOptions = {
    ...form,
    tools: request.tools && tools,
    toolChoice,
    parallelToolCalls: request.parallel_tool_calls,
    ...(await reasoning(model, request, warn)),
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

/** Compiles the form, which the model then keeps for the answers, so that a refusal names the parameter, as OpenAI's API does. */
async function checkForm(model: Model, form: ConstraintOptions): Promise<void> {
  const constraint = await model.compile(form).catch((error: HeedError) => {
    throw ofRequests.includes(error.code) ? new ParameterError('response_format', error.message, error.code) : error
  })
  await constraint.dispose()
}

/** Converts a reasoning effort to options that the model's template supports. */
async function reasoning(
  model: Model,
  { reasoning_effort: effort, chat_template_kwargs: variables }: Read<typeof parameters>,
  warn: Warn,
): Promise<Pick<ChatOptions, 'think' | 'variables'>> {
  if (effort === undefined) return variables ? { variables } : {}
  const { source, info } = await model.chatTemplate()
  const { level, doubt } = effortIn(source, info, effort)
  if (doubt) warn('reasoning_effort', doubt.details)
  return { think: effort !== 'none', variables: { ...(level && { reasoning_effort: level }), ...variables } }
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
