// ChatHeed: a chat model of LangChain.
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from '@langchain/core/language_models/base'
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
  type LangSmithParams,
} from '@langchain/core/language_models/chat_models'
import {
  assembleStructuredOutputPipeline,
  createContentParser,
  createFunctionCallingParser,
} from '@langchain/core/language_models/structured_output'
import { AIMessage, AIMessageChunk, type BaseMessage, type MessageContent } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import type { Runnable } from '@langchain/core/runnables'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { ChatTool } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { ChatResult as Result } from '../../page/chat/messages.js'
import type { Model } from '../../page/model.js'
import type { Session } from '../../page/session.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { toMessages } from './messages.js'
import { offered } from './offered.generated.js'

/** Options of `chat` without a name in LangChain, and the sampling options; each may also be passed to a call. */
type OwnOptions = Pick<ChatOptions, (typeof offered)[number]>

export interface ChatHeedFields extends BaseChatModelParams, OwnOptions {
  /** A loaded model, or a session of one. */
  model: Model | Session
}

export interface ChatHeedCallOptions extends BaseChatModelCallOptions, Omit<OwnOptions, 'stop'> {
  tools?: BindToolsInput[]
  /** The form of the answer in OpenAI's format, as LangChain's agents pass it. */
  response_format?:
    | { type: 'text' }
    | { type: 'json_object' }
    | { type: 'json_schema'; json_schema: { schema: Record<string, unknown> } }
}

// biome-ignore lint/suspicious/noExplicitAny: as LangChain has it
type Fields = Record<string, any>

/** A model's fields without LangChain's own; the rest is passed to `chat`, which rejects unknown options. */
function ofChat({
  model,
  name,
  verbose,
  callbacks,
  tags,
  metadata,
  cache,
  maxConcurrency,
  maxRetries,
  onFailedAttempt,
  disableStreaming,
  outputVersion,
  ...options
}: Record<string, unknown>): OwnOptions {
  return options as OwnOptions
}

/** The chat options among the options of a call, which also has fields of LangChain's own. */
const picked = (call: object): OwnOptions =>
  Object.fromEntries(offered.flatMap(name => (name in call ? [[name, (call as OwnOptions)[name]]] : [])))

/**
 * A chat model of LangChain over a model that is loaded: `invoke`, `stream`, `batch`, `bindTools`, `withStructuredOutput`. Answers
 * of `withStructuredOutput` are constrained to the schema as they are written, with any model. Errors are HeedErrors, which are
 * not retried.
 *
 * @example
 * import { ChatHeed } from 'heed/langchain'
 *
 * const chat = new ChatHeed({ model: await loadModel('/model.gguf'), temperature: 0.3 })
 * for await (const { content } of await chat.stream('Why is the sky blue?')) console.log(content)
 */
export class ChatHeed extends BaseChatModel<ChatHeedCallOptions> {
  readonly model: Model | Session
  readonly #options: OwnOptions

  static override lc_name(): string {
    return 'ChatHeed'
  }

  constructor(fields: ChatHeedFields) {
    super({ maxRetries: 0, ...fields })
    if (typeof fields?.model?.chat !== 'function') throw refuse('ChatHeed: model: expected a model that is loaded, or a session')
    this.model = fields.model
    this.#options = ofChat({ ...fields })
  }

  override _llmType(): string {
    return 'heed'
  }

  /** The name in the model's file; LangChain's name of this class if there is none, or for a session. */
  get #name(): string {
    return (this.model as Partial<Model>).info?.name || this._llmType()
  }

  override get callKeys(): string[] {
    return [...super.callKeys, 'tools', 'response_format', ...offered]
  }

  /** What agents ask about a model before they use it. */
  override get profile(): BaseChatModel['profile'] {
    const { contextLength: maxInputTokens, acceptsImages: imageInputs } = (this.model as Partial<Model>).info ?? {}
    return { maxInputTokens, imageInputs, toolCalling: true, toolChoice: true, structuredOutput: true }
  }

  /** The number of the model's own tokens; a guess for a session. LangChain's method would download another model's vocabulary. */
  override async getNumTokens(content: MessageContent): Promise<number> {
    const text = typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('')
    const ids = await (this.model as Partial<Model>).tokenize?.(text, { addSpecial: false })
    return ids?.length ?? Math.ceil(text.length / 4)
  }

  /** The properties of a call that traces show. */
  override getLsParams(options: this['ParsedCallOptions']): LangSmithParams {
    const { temperature, maxTokens, stop } = { ...this.#options, ...picked(options ?? {}) }
    return {
      ...super.getLsParams(options),
      ls_model_name: this.#name,
      ls_temperature: temperature,
      ls_max_tokens: maxTokens,
      ls_stop: typeof stop === 'string' ? [stop] : (stop as string[]),
    }
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<ChatHeedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ChatHeedCallOptions> {
    return this.withConfig({ tools: tools.map(tool => convertToOpenAITool(tool)), ...options } as Partial<ChatHeedCallOptions>)
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const { chat } = await this.#begin(messages, options)
    for await (const event of chat) if (event.type === 'text') await runManager?.handleLLMNewToken(event.delta)
    const result = await chat.result
    checkWhole(result, options.signal)
    const message = new AIMessage({
      content: result.text,
      ...callsOf(result),
      ...described(result, this.#name),
    })
    return { generations: [{ text: result.text, message, generationInfo: { finish_reason: result.finishReason } }] }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { chat } = await this.#begin(messages, options)
    const indices = new Map<string, number>()
    for await (const event of chat) {
      switch (event.type) {
        case 'text':
          yield chunk(event.delta, { content: event.delta })
          await runManager?.handleLLMNewToken(event.delta)
          break
        case 'reasoning':
          yield chunk('', { content: '', additional_kwargs: { reasoning_content: event.delta } })
          break
        case 'tool-call-start': {
          const { id, name } = event
          indices.set(id, indices.size)
          yield chunk('', {
            content: '',
            tool_call_chunks: [{ type: 'tool_call_chunk', id, name, args: '', index: indices.get(id)! }],
          })
          break
        }
        case 'tool-call-delta': {
          const { id, delta } = event
          yield chunk('', { content: '', tool_call_chunks: [{ type: 'tool_call_chunk', args: delta, index: indices.get(id)! }] })
        }
      }
    }
    const result = await chat.result
    checkWhole(result, options.signal)
    const { additional_kwargs: _, ...rest } = described(result, this.#name) // the reasoning has already been streamed
    yield chunk('', { content: '', ...rest })
  }

  override withStructuredOutput<Output extends Fields = Fields>(
    schema: Fields,
    config?: StructuredOutputMethodOptions<boolean>,
    // biome-ignore lint/suspicious/noExplicitAny: LangChain's overloads have several results
  ): Runnable<BaseLanguageModelInput, any> {
    const json = toJsonSchema(schema)
    const traced = (method: string) => ({ ls_structured_output_format: { kwargs: { method }, schema: json } })
    if (config?.method === 'functionCalling') {
      const name = config.name ?? schema.title ?? 'extract'
      const forced = this.bindTools([{ type: 'function', function: { name, parameters: json } }], {
        tool_choice: name,
        ...traced(config.method),
      })
      return assembleStructuredOutputPipeline<Output>(forced, createFunctionCallingParser<Output>(schema, name), config.includeRaw)
    }
    const held = this.withConfig({ jsonSchema: json as object, ...traced('jsonSchema') } as Partial<ChatHeedCallOptions>)
    return assembleStructuredOutputPipeline<Output>(held, createContentParser<Output>(schema), config?.includeRaw)
  }

  /** Returns the chat in an object, because a bare chat would be awaited to its end. */
  async #begin(
    messages: BaseMessage[],
    { signal, tools, tool_choice: choice, response_format: format, ...more }: this['ParsedCallOptions'],
  ) {
    const chat = this.model.chat(await toMessages(messages, signal), {
      ...this.#options,
      ...schemaIn(format),
      ...picked(more),
      signal,
      tools: tools?.map(tool => convertToOpenAITool(tool)) as ChatTool[] | undefined,
      toolChoice: choiceOf(choice),
    })
    return { chat }
  }
}

/** The tool calls; calls whose arguments are not JSON are in `invalid_tool_calls`. */
function callsOf({ toolCalls }: Result): Pick<AIMessage, 'tool_calls' | 'invalid_tool_calls'> {
  const calls: AIMessage['tool_calls'] = []
  const invalid: AIMessage['invalid_tool_calls'] = []
  for (const { id, name, arguments: args, text, error } of toolCalls) {
    if (args) calls.push({ type: 'tool_call', id, name, args })
    else invalid.push({ type: 'invalid_tool_call', id, name, args: text, error })
  }
  return { tool_calls: calls, invalid_tool_calls: invalid }
}

/** Additional fields of a message. */
const described = ({ finishReason, reasoning, usage }: Result, model: string) => ({
  additional_kwargs: reasoning === '' ? {} : { reasoning_content: reasoning },
  response_metadata: { finish_reason: finishReason, model },
  usage_metadata: {
    input_tokens: usage.promptTokens,
    output_tokens: usage.generatedTokens,
    total_tokens: usage.promptTokens + usage.generatedTokens,
    input_token_details: { cache_read: usage.reusedTokens },
  },
})

const chunk = (text: string, message: ConstructorParameters<typeof AIMessageChunk>[0] & object) =>
  new ChatGenerationChunk({ text, message: new AIMessageChunk(message) })

/** Throws if the call was aborted, as LangChain expects. */
function checkWhole({ finishReason }: Result, signal?: AbortSignal): void {
  if (finishReason === 'abort') throw HeedError.aborted(signal)
}

const schemaIn = (format: ChatHeedCallOptions['response_format']): Pick<ChatOptions, 'jsonSchema'> =>
  format?.type === 'json_schema'
    ? { jsonSchema: format.json_schema.schema }
    : format?.type === 'json_object'
      ? { jsonSchema: { type: 'object' } }
      : {}

function choiceOf(choice: ChatHeedCallOptions['tool_choice']): ChatOptions['toolChoice'] {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  if (typeof choice === 'string') return { name: choice }
  const { name, function: called } = choice as { name?: string; function?: { name?: string } }
  return { name: called?.name ?? name! }
}
