// TypeScript types of the Prompt API: the dictionaries of its specification, and our own additions.
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { Availability, CreateMonitor, CreateOptions, DownloadProgress, OverModelOptions } from '../browser-ai/types.js'
import type { OfferedName } from '../browser-ai/chat-options.js'

export type LanguageModelMessageRole = 'system' | 'user' | 'assistant'
export type LanguageModelMessageType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response'
export type LanguageModelAvailability = Availability

/** Presets of `temperature` and `topK`, from always the most probable token to surprising ones. */
export type LanguageModelSamplingMode =
  | 'most-predictable'
  | 'predictable'
  | 'slightly-predictable'
  | 'balanced'
  | 'slightly-creative'
  | 'creative'
  | 'most-creative'

export interface LanguageModelMessageContent {
  /** `text` or, in a session with `expectedInputs: [{ type: 'image' }]`, `image`. */
  type: LanguageModelMessageType
  /** A text; or an image: anything that `createImageBitmap` takes, or the bytes of a file. */
  value: unknown
}

export interface LanguageModelMessage {
  role: LanguageModelMessageRole
  content: string | readonly LanguageModelMessageContent[]
  /** Whether the answer continues this message, which must be the last one and the assistant's. Default: false. */
  prefix?: boolean
}

/** A string is short for a user message. */
export type LanguageModelPrompt = string | readonly LanguageModelMessage[]

export interface LanguageModelExpected {
  type: LanguageModelMessageType
  /** BCP 47 language tags. */
  languages?: readonly string[]
}

/**
 * Runs when the model calls it; the model continues with the returned text. Until it has ended, all calls of its session, including
 * the tool's own, reject with an `InvalidStateError`, except `measureContextUsage` and `destroy`. A clone that was made before
 * still accepts calls.
 */
export interface LanguageModelTool {
  name: string
  description: string
  /** A JSON schema of the arguments. */
  inputSchema: object
  // biome-ignore lint/suspicious/noExplicitAny: as the Prompt API declares it
  execute(args: any): Promise<string> | string
}

export interface LanguageModelCreateCoreOptions {
  /** At least 1, at most `params().maxTopK`. Requires `temperature`, and excludes `samplingMode`. */
  topK?: number
  /** At least 0, at most `params().maxTemperature`. Requires `topK`, and excludes `samplingMode`. */
  temperature?: number
  /** Default: `balanced`. */
  samplingMode?: LanguageModelSamplingMode
  expectedInputs?: readonly LanguageModelExpected[]
  expectedOutputs?: readonly LanguageModelExpected[]
  tools?: readonly LanguageModelTool[]
}

export interface LanguageModelCreateOptions extends LanguageModelCreateCoreOptions, CreateOptions {
  /** The beginning of the conversation; it stays when older turns are dropped. */
  initialPrompts?: readonly LanguageModelMessage[]
}

export interface LanguageModelPromptOptions {
  /**
   * The answer is JSON that is valid under this schema, or a text that this RegExp matches as a whole. If the context or
   * `maxTokens` cuts the answer off before that, the call fails with an `OperationError`.
   */
  responseConstraint?: object
  /** Has no effect: the model is never told of the constraint. */
  omitResponseConstraintInput?: boolean
  signal?: AbortSignal
}

export interface LanguageModelAppendOptions {
  signal?: AbortSignal
}
export interface LanguageModelCloneOptions {
  signal?: AbortSignal
}

export interface LanguageModelParams {
  readonly defaultTopK: number
  readonly maxTopK: number
  readonly defaultTemperature: number
  readonly maxTemperature: number
}

export type LanguageModelDownloadProgress = DownloadProgress
export type LanguageModelCreateMonitor = CreateMonitor

export type LanguageModelEventHandler = ((event: Event) => unknown) | null

/** A session of the Prompt API. Its calls run one after the other; while a tool runs, it rejects calls. */
export interface LanguageModel extends EventTarget {
  /** The model's answer to the conversation including this prompt. Fails with a `DOMException`. */
  prompt(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<string>
  promptStreaming(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): ReadableStream<string>
  /** Adds messages to the conversation; the model reads them, but does not answer. */
  append(input: LanguageModelPrompt, options?: LanguageModelAppendOptions): Promise<undefined>
  /** A copy of this session; the two share the memory of their common part. */
  clone(options?: LanguageModelCloneOptions): Promise<LanguageModel>
  destroy(): undefined
  /** The number of tokens of the prompt alone. */
  measureContextUsage(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<number>
  /** The number of tokens of the conversation. */
  readonly contextUsage: number
  /** The maximum number of tokens: beyond it, older turns are dropped and `contextoverflow` is fired. */
  readonly contextWindow: number
  oncontextoverflow: LanguageModelEventHandler
  readonly topK: number
  readonly temperature: number
  /** `null` if `temperature` and `topK` were given. */
  readonly samplingMode: LanguageModelSamplingMode | null
  /** @deprecated Use `measureContextUsage`. */
  measureInputUsage(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<number>
  /** @deprecated Use `contextUsage`. */
  readonly inputUsage: number
  /** @deprecated Use `contextWindow`. */
  readonly inputQuota: number
  /** @deprecated Use `oncontextoverflow`. */
  onquotaoverflow: LanguageModelEventHandler
}

/** The type of `window.LanguageModel`. */
export interface LanguageModelConstructor {
  readonly prototype: LanguageModel
  /** Whether a session can be created: `downloadable` until the first one has loaded the model. */
  availability(options?: LanguageModelCreateCoreOptions): Promise<LanguageModelAvailability>
  create(options?: LanguageModelCreateOptions): Promise<LanguageModel>
  params(): Promise<LanguageModelParams>
}

/** Chat options that the Prompt API lacks; they apply to every answer. */
export type LanguageModelChatOptions = Pick<ChatOptions, OfferedName>

export interface InstallOptions extends LanguageModelOptions {
  /** Whether the given model is used even for options that the browser's own class is available for. Default: false. */
  replace?: boolean
}

/** How the first `create` loads the model; includes the options of `loadModel`. */
export interface LanguageModelOptions extends OverModelOptions {
  /** Options of every answer. */
  chat?: LanguageModelChatOptions
}
