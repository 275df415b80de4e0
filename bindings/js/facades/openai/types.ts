// The types of the supported part of OpenAI's API: parameters and results.
import type { WebAbortSignal, WebBlob } from '../../types/web.js'
import type { SchemaOptions } from '../../wire/options.generated.js'
import type { OfferedFormParams, OfferedParams } from './offered.generated.js'

/** How images are fetched: not at all, with `fetch`, or with the caller's function. */
export type FetchImages = boolean | ((url: string, signal?: WebAbortSignal) => Promise<WebBlob>)

/**
 * Options of a client. Options of schemas (`whitespace`, `closed` and others of `ConstraintOptions`) apply to every
 * `response_format`.
 */
export interface ClientOptions extends Omit<SchemaOptions, 'schemas'> {
  /**
   * Whether images of messages may be fetched from other addresses than `data:` and `blob:`: true for `fetch`, or a function that
   * fetches one. The addresses come from the request: if others send requests, pass a function that checks addresses. Default:
   * false.
   */
  readonly fetchImages?: FetchImages
  /**
   * Called for each parameter that has no effect, such as `verbosity`. Responses of `heedFetch` also name them, in headers
   * `x-heed-warning`.
   */
  readonly onWarning?: (warning: RequestWarning) => void
}

/** A parameter of a request that has no effect on the answer. */
export interface RequestWarning {
  readonly param: string
  /** The parameter, and why it has no effect. */
  readonly message: string
}

/** Options of a call besides its parameters. */
export interface RequestOptions {
  /** Aborts the call: its promise rejects with an `AbortError`; a loop over its stream ends. */
  readonly signal?: WebAbortSignal | null
}

/** Sampling parameters. An absent or null parameter has Heed's own default; see `GenerateOptions`. */
export interface SamplingParams extends OfferedParams {
  /** Number of answers, generated in parallel, each with its own seed. Default: 1. */
  n?: number | null
}

export interface StreamOptions {
  /** Adds a last chunk without choices that has `usage`. */
  include_usage?: boolean
  /** Has no effect. */
  include_obfuscation?: boolean
}

/** Hints for the caches of OpenAI's servers, which have no effect. */
interface Cached {
  prompt_cache_breakpoint?: object
}

export interface TextPart extends Cached {
  type: 'text'
  text: string
}

/** An assistant's refusal, which is read as its text. */
export interface RefusalPart {
  type: 'refusal'
  refusal: string
}

/** For models that read images (`info.acceptsImages`). */
export interface ImagePart extends Cached {
  type: 'image_url'
  image_url: {
    /** A `data:` or `blob:` address; any other if the client has `fetchImages`. */
    url: string
    /** Has no effect: images have the resolution that the model chooses. */
    detail?: 'auto' | 'low' | 'high' | 'original'
  }
}

/** For models that hear (`info.acceptsAudio`): the bytes of a file in Base64. Outside browsers, only WAV files are read. */
export interface AudioPart extends Cached {
  type: 'input_audio'
  input_audio: { data: string; format: 'wav' | 'mp3' }
}

/** Parts of OpenAI's types that Heed rejects: files, tools that take a text, and their calls. */
export type RefusedPart = { type: 'file'; file: object }
export interface RefusedTool {
  type: 'custom'
  custom: object
}
export interface RefusedToolCall extends RefusedTool {
  id: string
}

/**
 * All messages of OpenAI's types, and the reasoning of an answer. Messages of functions, the predecessor of tools, are rejected.
 */
export type ChatCompletionMessageParam =
  | { role: 'system' | 'developer'; content: string | TextPart[]; name?: string }
  | { role: 'user'; content: string | (TextPart | ImagePart | AudioPart | RefusedPart)[]; name?: string }
  | {
      role: 'assistant'
      content?: string | (TextPart | RefusalPart)[] | null
      name?: string
      reasoning_content?: string | null
      tool_calls?: (ChatCompletionMessageToolCall | RefusedToolCall)[]
      refusal?: string | null
      annotations?: readonly object[]
      audio?: object | null
      function_call?: object | null
    }
  | { role: 'tool'; content: string | TextPart[]; tool_call_id: string; name?: string }
  | { role: 'function'; content: string | null; name: string }

export interface ChatCompletionTool {
  type: 'function'
  function: {
    name: string
    description?: string
    /** A JSON schema. */
    parameters?: Record<string, unknown>
    /** Whether `parameters` restrict a call as it is written, so that it always matches them. */
    strict?: boolean | null
  }
}

export interface ChatCompletionCreateParams extends SamplingParams, OfferedFormParams {
  messages: readonly ChatCompletionMessageParam[]
  /** The name of the model; any name, if there is only one. */
  model?: string | null
  stream?: boolean | null
  stream_options?: StreamOptions | null
  tools?: readonly (ChatCompletionTool | RefusedTool)[] | null
  /**
   * With `required` or a tool, the answer consists of calls, with arguments that match their schemas. With `allowed_tools`, the
   * model sees only these.
   */
  tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { type: 'function'; function: { name: string } }
    | {
        type: 'allowed_tools'
        allowed_tools: { mode: 'auto' | 'required'; tools: readonly object[] }
      }
    | RefusedTool
    | null
  /** False: an answer has one call at most, and ends with it. */
  parallel_tool_calls?: boolean | null
  /**
   * The answer is JSON: any object, or one that matches a schema. It always matches, even if `strict` is false. With tools, the
   * answer is this JSON or calls.
   */
  response_format?:
    | { type: 'text' }
    | { type: 'json_object' }
    | {
        type: 'json_schema'
        json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean | null }
      }
    | null
  logprobs?: boolean | null
  /** From 0 to 20. */
  top_logprobs?: number | null
  /** Default: until the answer ends or the context is full. */
  max_completion_tokens?: number | null
  /** The older name of `max_completion_tokens`. */
  max_tokens?: number | null
  /** Followed as far as the model's template allows; a warning says if it cannot be. */
  reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
  /** Extension: variables of the chat template, such as `enable_thinking`. */
  chat_template_kwargs?: Record<string, unknown> | null
  /** Extension: the variable of this name of the chat template, as some clients pass it. */
  enable_thinking?: boolean | null
  /** No effect, like all parameters below: they concern OpenAI's servers, or would influence the answer, which causes a warning. */
  user?: string | null
  metadata?: Record<string, string> | null
  service_tier?: string | null
  safety_identifier?: string | null
  prompt_cache_key?: string | null
  prompt_cache_options?: object | null
  prompt_cache_retention?: string | null
  store?: boolean | null
  moderation?: object | null
  prediction?: object | null
  verbosity?: 'low' | 'medium' | 'high' | null
  /** Must be `["text"]`. */
  modalities?: readonly ('text' | 'audio')[] | null
  /** Refused, like all parameters below. */
  audio?: object | null
  web_search_options?: object | null
  functions?: readonly object[] | null
  function_call?: string | object | null
}

export interface ChatCompletionMessageToolCall {
  id: string
  type: 'function'
  function: {
    name: string
    /** JSON, unless the model made a mistake. */
    arguments: string
  }
}

export interface ChatCompletionMessage {
  role: 'assistant'
  content: string | null
  refusal: null
  /** The reasoning before the answer. */
  reasoning_content?: string
  tool_calls?: ChatCompletionMessageToolCall[]
}

export interface TopLogprob {
  token: string
  /** Natural logarithm of the model's own probability, before temperature, penalties and filters. */
  logprob: number
  /** The token in UTF-8; it may contain only part of a character. */
  bytes: number[]
}

export interface TokenLogprob extends TopLogprob {
  top_logprobs: TopLogprob[]
}

export interface ChatLogprobs {
  /** The log-probabilities of the content's tokens. */
  content: TokenLogprob[]
  refusal: null
}

export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Prompt tokens that were cached. */
  prompt_tokens_details: { cached_tokens: number }
}

export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: number
    message: ChatCompletionMessage
    logprobs: ChatLogprobs | null
    finish_reason: 'stop' | 'length' | 'tool_calls'
  }[]
  usage: Usage
}

export interface ChatCompletionDelta {
  role?: 'assistant'
  content?: string
  reasoning_content?: string
  tool_calls?: {
    index: number
    id?: string
    type?: 'function'
    function: { name?: string; arguments: string }
  }[]
}

export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: number
    delta: ChatCompletionDelta
    logprobs: ChatLogprobs | null
    finish_reason: 'stop' | 'length' | 'tool_calls' | null
  }[]
  usage?: Usage | null
}

export interface CompletionCreateParams extends SamplingParams {
  /** A text or token ids, or several of either; each gets `n` choices. Null is refused. */
  prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[] | null
  /** The name of the model; any name, if there is only one. */
  model?: string | null
  stream?: boolean | null
  stream_options?: StreamOptions | null
  /** Whether the text includes the prompt. Not together with `logprobs`. Default: false. */
  echo?: boolean | null
  /** Number of most probable tokens to report, from 0 to 20. */
  logprobs?: number | null
  /** Default: 16. -1: until the text ends or the context is full. */
  max_tokens?: number | null
  /** Has no effect. */
  user?: string | null
  /** Must be 1. */
  best_of?: number | null
  /** Refused. */
  suffix?: string | null
}

export interface CompletionLogprobs {
  tokens: string[]
  token_logprobs: number[]
  /** For each token, the log-probabilities of the most probable tokens and of the chosen one. */
  top_logprobs: Record<string, number>[]
  text_offset: number[]
}

/** A completion, or a chunk of one: they have the same form. */
export interface Completion<FinishReason = 'stop' | 'length'> {
  id: string
  object: 'text_completion'
  created: number
  model: string
  choices: {
    index: number
    text: string
    logprobs: CompletionLogprobs | null
    finish_reason: FinishReason
  }[]
  usage?: Usage
}

export type CompletionChunk = Completion<'stop' | 'length' | null>

export interface EmbeddingCreateParams {
  input: string | readonly string[] | readonly number[] | readonly (readonly number[])[]
  /** The name of the model; any name, if there is only one. */
  model?: string | null
  /** `base64`: the bytes of 32-bit floats. Default: `float`. */
  encoding_format?: 'float' | 'base64' | null
  /** At most the length of the model's vectors. */
  dimensions?: number | null
  /** Has no effect. */
  user?: string | null
}

export interface CreateEmbeddingResponse<Vector = number[]> {
  object: 'list'
  data: {
    object: 'embedding'
    index: number
    /** A vector of length 1. */
    embedding: Vector
  }[]
  model: string
  usage: { prompt_tokens: number; total_tokens: number }
}

export interface ModelEntry {
  id: string
  object: 'model'
  created: number
  owned_by: string
}
