// The Prompt API as TypeScript sees it: the dictionaries of its specification, and what is of our own.
import type { loadModel } from '../index.js'
import type { ChatOptions } from '../chat/messages.js'
import type { Model } from '../model.js'
import type { LoadOptions, ModelSource } from '../types.js'

export type LanguageModelMessageRole = 'system' | 'user' | 'assistant'
export type LanguageModelMessageType = 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response'
export type LanguageModelAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

/** From always the most probable token to surprising ones: presets of `temperature` and `topK`. */
export type LanguageModelSamplingMode =
  | 'most-predictable' | 'predictable' | 'slightly-predictable' | 'balanced' | 'slightly-creative' | 'creative' | 'most-creative'

export interface LanguageModelMessageContent {
  /** Of these, `text` is supported. */
  type: LanguageModelMessageType
  value: unknown
}

export interface LanguageModelMessage {
  role: LanguageModelMessageRole
  content: string | readonly LanguageModelMessageContent[]
  /** The last message, the assistant's, which the answer goes on with. Default: false. */
  prefix?: boolean
}

/** A text is short for a message of the user's. */
export type LanguageModelPrompt = string | readonly LanguageModelMessage[]

export interface LanguageModelExpected {
  type: LanguageModelMessageType
  /** Language tags of BCP 47. */
  languages?: readonly string[]
}

/** Runs when the model calls it; the model goes on with the text that it gives. */
export interface LanguageModelTool {
  name: string
  description: string
  /** A JSON schema of the arguments. */
  inputSchema: object
  execute(args: any): Promise<string> | string
}

export interface LanguageModelCreateCoreOptions {
  /** At least 1, at most `params().maxTopK`. With `temperature`, and without `samplingMode`. */
  topK?: number
  /** At least 0, at most `params().maxTemperature`. With `topK`, and without `samplingMode`. */
  temperature?: number
  /** Default: `balanced`. */
  samplingMode?: LanguageModelSamplingMode
  expectedInputs?: readonly LanguageModelExpected[]
  expectedOutputs?: readonly LanguageModelExpected[]
  tools?: readonly LanguageModelTool[]
}

export interface LanguageModelCreateOptions extends LanguageModelCreateCoreOptions {
  /** Ends the creation and, later, the session. */
  signal?: AbortSignal
  /** Is given what fires `downloadprogress` while the model loads: `loaded` goes from 0 to 1. */
  monitor?(monitor: LanguageModelCreateMonitor): void
  /** What the conversation begins with; it stays when older turns are dropped. */
  initialPrompts?: readonly LanguageModelMessage[]
}

export interface LanguageModelPromptOptions {
  /** Not supported yet. */
  responseConstraint?: object
  omitResponseConstraintInput?: boolean
  signal?: AbortSignal
}

export interface LanguageModelAppendOptions { signal?: AbortSignal }
export interface LanguageModelCloneOptions { signal?: AbortSignal }

export interface LanguageModelParams {
  readonly defaultTopK: number
  readonly maxTopK: number
  readonly defaultTemperature: number
  readonly maxTemperature: number
}

export interface LanguageModelDownloadProgress extends Event {
  /** From 0 to 1. */
  readonly loaded: number
  readonly total: 1
}

export type LanguageModelCreateMonitor = {
  ondownloadprogress: ((event: LanguageModelDownloadProgress) => unknown) | null
  addEventListener(
    type: 'downloadprogress', listener: (event: LanguageModelDownloadProgress) => void,
    options?: boolean | AddEventListenerOptions): void
} & EventTarget

export type LanguageModelEventHandler = ((event: Event) => unknown) | null

/** A session of the Prompt API. Its calls run one after the other. */
export interface LanguageModel extends EventTarget {
  /** The model's answer to the conversation so far and this. Fails as a `DOMException`. */
  prompt(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<string>
  promptStreaming(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): ReadableStream<string>
  /** Adds to the conversation, and reads it, without an answer. */
  append(input: LanguageModelPrompt, options?: LanguageModelAppendOptions): Promise<undefined>
  /** A session that begins as this one; what they have in common is shared. */
  clone(options?: LanguageModelCloneOptions): Promise<LanguageModel>
  destroy(): undefined
  /** The tokens that a prompt takes, alone. */
  measureContextUsage(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<number>
  /** The tokens that the conversation takes. */
  readonly contextUsage: number
  /** The most that it can take: older turns are dropped then, and `contextoverflow` is fired. */
  readonly contextWindow: number
  oncontextoverflow: LanguageModelEventHandler
  readonly topK: number
  readonly temperature: number
  /** `null` where `temperature` and `topK` were given. */
  readonly samplingMode: LanguageModelSamplingMode | null
  /** @deprecated It is `measureContextUsage` now. */
  measureInputUsage(input: LanguageModelPrompt, options?: LanguageModelPromptOptions): Promise<number>
  /** @deprecated It is `contextUsage` now. */
  readonly inputUsage: number
  /** @deprecated It is `contextWindow` now. */
  readonly inputQuota: number
  /** @deprecated It is `oncontextoverflow` now. */
  onquotaoverflow: LanguageModelEventHandler
}

/** What `window.LanguageModel` is. */
export interface LanguageModelConstructor {
  readonly prototype: LanguageModel
  /** Whether there can be a session: `downloadable` until the first one has the model loaded. */
  availability(options?: LanguageModelCreateCoreOptions): Promise<LanguageModelAvailability>
  create(options?: LanguageModelCreateOptions): Promise<LanguageModel>
  params(): Promise<LanguageModelParams>
}

/** Options of every answer that the Prompt API has no name for. */
export type LanguageModelChatOptions = Pick<ChatOptions,
  | 'think' | 'template' | 'variables' | 'now' | 'maxSteps' | 'maxTokens' | 'seed' | 'topP' | 'minP' | 'repetitionPenalty'>

/** How the model is loaded, at the first `create`; its options are those of `loadModel`. */
export interface LanguageModelOptions extends LoadOptions {
  /** A model that is loaded. */
  model?: Model
  /** What `loadModel` loads. Default: the model that comes with the package. */
  source?: ModelSource
  /** Loads the model. Default: `loadModel` of `heed`. */
  load?: typeof loadModel
  /** Languages that the model knows; others are `unavailable`. Default: any. */
  languages?: readonly string[]
  /** Of every answer. */
  chat?: LanguageModelChatOptions
}
