// The public types: options, inputs and results.
/// <reference lib="esnext.disposable" preserve="true" />
import type { ChangeOptions } from './lab.js'
import type { TextImage } from './images.js'
import type { KvCache, Simd } from './loading.js'
import type {
  AttentionOf,
  AttentionSelection,
  AttentionToken,
  NamedToken,
  Prompt,
  TokenizeOptions,
  TokenProbability,
} from './text.js'
import type { WebAbortSignal } from './web.js'

export type * from './images.js'
export type * from './lab.js'
export type * from './loading.js'
export type * from './store.js'
export type * from './text.js'

export interface ModelInfo {
  /** The family, such as `llama` or `gpt2`. */
  readonly architecture: string
  /** The model name in the file; may be empty. */
  readonly name: string
  /** The format of most weights, such as `Q4_0`. */
  readonly weights: string
  readonly parameters: number
  readonly fileBytes: number
  /** Whether the model generates text: it has a decoder, and its file does not say that it embeds. */
  readonly generates: boolean
  /** Whether the model embeds text: it has an encoder, or its file specifies pooling. Some models generate and embed. */
  readonly embeds: boolean
  /** Whether the model scores pairs of texts (`rerank`). */
  readonly reranks: boolean
  /** The pooling that the file specifies for texts; undefined if the model embeds none. */
  readonly pooling?: Pooling
  /** How many numbers the vector of a text or an image has; 0 if the model embeds neither. */
  readonly embeddingLength: number
  /** Whether the model embeds images: it has a vision encoder. */
  readonly sees: boolean
  /** Whether prompts may have images: the model was loaded with a `projector`. */
  readonly readsImages: boolean
  /** Layers of the decoder, or of the encoder if there is no decoder. */
  readonly layers: number
  /** Layers of the encoder; 0 if there is none. */
  readonly encoderLayers: number
  /** The token that the decoder of an encoder-decoder starts from. */
  readonly decoderStart?: number
  /** Layers and heads of the vision encoder, and the number of patches per side of an image; 0 if there is none. */
  readonly visionLayers: number
  readonly visionHeads: number
  readonly patches: number
  readonly heads: number
  readonly kvHeads: number
  readonly headDim: number
  /** The model dimension, D. */
  readonly width: number
  /** The inner dimension of the MLP, or of one expert, F. */
  readonly feedForward: number
  /** Experts per layer; 0 if the MLP is not a mixture. */
  readonly experts: number
  /** Experts that each token uses. */
  readonly expertsUsed: number
  /** The recurrent layers (Mamba 2, the gated delta rule), whose gates `Model.gates` shows, and the heads of each of them. */
  readonly recurrentLayers: readonly number[]
  readonly recurrentHeads: number
  /** Number of tokens in the vocabulary, V. */
  readonly vocabulary: number
  /** Context length that the model was trained for, in tokens. */
  readonly trainedContext: number
  /** Context length of this load, in tokens. */
  readonly contextLength: number
  readonly kvCache: KvCache
  /** How many texts can be generated at once. */
  readonly parallel: number
  /** Bytes of weights and scratch memory, allocated at load. Keys and values of texts are added to this; see `Model.memory`. */
  readonly memoryBytes: number
  /** The maximum number of bytes that the model may use. */
  readonly mostMemoryBytes: number
  /** Number of threads: 1 if the page has no SharedArrayBuffer. */
  readonly threads: number
  readonly simd: Simd
  /** Whether memory has 64-bit addresses and can exceed 4 GiB. */
  readonly memory64: boolean
  /** The kernels in use, such as `simd128` or `relaxed-usdot`. */
  readonly target: string
  /** The file's chat templates, in Jinja, by name; the one used by default is `default`. */
  readonly chatTemplates: Readonly<Record<string, string>>
  /** The tokens that begin and end a text, if the vocabulary has them. */
  readonly bosToken?: NamedToken
  readonly eosToken?: NamedToken
}

/** The memory use of a model. */
export interface Memory {
  /**
   * Weights, adapters, a projector, scratch memory, and the memory that keys and values have taken: what texts no longer need of it is kept
   * for the next ones, so it grows to their most at a time.
   */
  readonly bytes: number
  /** The maximum that the model may use. */
  readonly mostBytes: number
}

export interface DetokenizeOptions {
  /** Show control tokens as their text. Default: false, which omits them. */
  special?: boolean
  /** Clean up spaces before punctuation and at the start, if the vocabulary asks for it. Default: false. */
  tidySpaces?: boolean
  /** The bytes, in UTF-8, in place of a text, in which a token's part of a character is U+FFFD. Default: false. */
  bytes?: boolean
}

export interface GenerateAttention extends AttentionSelection {
  /** Default: `decoder`. */
  of?: 'decoder' | 'cross'
}

export interface ContextShift {
  /** Number of tokens to keep from the beginning, such as a system prompt: less than the context length minus 1. */
  keep: number
}

/**
 * The form that a text must have: at most one of the first four, and how the texts of a schema are written. Beside tools that may be
 * called, a reply of a chat is calls or a text of the form. Not beside `continueFinal` or `stopAtEnd: false`.
 */
export interface FormOptions {
  /**
   * JSON that is valid under this schema: an object or a boolean, its JSON, or a Standard Schema that converts to one (Zod 4.2 and others).
   * Keys come in the order of the schema. A Standard Schema stands for what it takes, before defaults and transforms, which `parsed` has not
   * been through.
   */
  jsonSchema?: object | boolean | string
  /**
   * A text that this expression matches as a whole, read as with the flag `u`: `.` is a character, however many UTF-16 units it has.
   * Flags that change which texts match, such as `i`, are refused, and what only `v` can write.
   */
  regex?: RegExp | string
  /** A text of this grammar, in GBNF (llama.cpp's notation); its start is the rule `root`. */
  grammar?: string
  /** One of these texts. */
  choices?: readonly string[]
  /** White space between the tokens of JSON: any, none, or as `JSON.stringify` indents. Default: a byte at most in each gap. */
  whitespace?: 'any' | 'compact' | { readonly indent: number }
  /** Maximum bytes of white space in one gap, if there may be any. Default: 1, with `whitespace: 'any'` 64. */
  maxWhitespace?: number
  /** Whether keys come in the schema's order, or in any. Default: the schema's. */
  order?: 'schema' | 'any'
  /**
   * What a `format` is that no draft of JSON Schema defines: `known` takes it for an annotation, which `Constraint.ignored` lists;
   * `strict` refuses it; `annotate` takes every format for one. Default: `known`.
   */
  formats?: 'known' | 'strict' | 'annotate'
  /**
   * Escapes in strings that have no `pattern`, `format`, `const` or `enum`: `any` allows `\/` and `\u` of every character, `canonical`
   * what `JSON.stringify` writes. Default: any.
   */
  escapes?: 'any' | 'canonical'
  /**
   * Whether objects and arrays have only what the schema describes: true reads absent `additionalProperties` and `items` as false, false as
   * true. Default: an object whose keys the schema lists (`properties`) has no others, unless the schema speaks of them
   * (`additionalProperties`, `patternProperties`, `propertyNames`, `unevaluatedProperties`).
   */
  closed?: boolean
  /** Other documents that `$ref` may name: schemas, or their JSON, by absolute URI. Nothing is fetched. */
  schemas?: Readonly<Record<string, object | boolean | string>>
}

/** A keyword of a schema that does not restrict texts: a `format` that no draft defines. */
export interface IgnoredKeyword {
  readonly keyword: string
  /** Where it is, such as `#/properties/a`. */
  readonly path: string
}

export interface CompileOptions extends FormOptions {
  signal?: WebAbortSignal
}

export interface AcceptsOptions {
  signal?: WebAbortSignal
}

/** A compiled form (`Model.compile`). If it is dropped without `dispose`, it is freed eventually. */
export interface Constraint extends AsyncDisposable {
  /** Bytes that it takes when it is made. The masks of texts that are written with it are kept beside it, in bounds. */
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
  /** Whether a text has the form, as it may be written: a value of a schema has other spellings, too, such as `1e2` for the integer 100. */
  accepts(text: string, options?: AcceptsOptions): Promise<boolean>
  dispose(): Promise<void>
}

export interface GenerateOptions extends TokenizeOptions, FormOptions, ChangeOptions {
  /** Maximum number of tokens to generate; Infinity for as many as the context has room for. Default: 256. */
  maxTokens?: number
  /** Randomness, at least 0; 0 always chooses the most probable token. Default: 0.8. */
  temperature?: number
  /** Choose among the k most probable tokens; 0 for all. Default: 40. */
  topK?: number
  /** Choose among the most probable tokens whose probabilities add up to this, (0, 1]. Default: 0.95. */
  topP?: number
  /** Drop tokens less probable than this fraction of the most probable token's probability, [0, 1). Default: 0.05. */
  minP?: number
  /** Divides the scores of tokens that have occurred; above 0; 1 disables it. Default: 1. */
  repetitionPenalty?: number
  /** Subtracted from a token's score for every occurrence. Default: 0. */
  frequencyPenalty?: number
  /** Subtracted from a token's score if it has occurred. Default: 0. */
  presencePenalty?: number
  /** Number of most recent tokens that the penalties consider. Default: 64. */
  penaltyWindow?: number
  /** Added to the scores of tokens, by id; -Infinity forbids one. */
  logitBias?: Readonly<Record<number, number>> | ReadonlyMap<number, number>
  /** An integer from 0 to 2^53 - 1: the same seed gives the same text on every machine. Default: random; the result reports it. */
  seed?: number
  /** Generation ends before the first occurrence of any of these texts. */
  stop?: string | readonly string[]
  /** Stop at the model's own end-of-generation token. Default: true. */
  stopAtEnd?: boolean
  /** Show control tokens as their text, so that stop strings also match them. Default: false, which omits them. */
  special?: boolean
  /** Ends generation: the tokens so far are kept, and `finishReason` is `abort`. Nothing is thrown. */
  signal?: WebAbortSignal
  /** Called while the prompt is read, after each pass; before the first token, `done` is `total`. */
  onProgress?: (progress: PromptProgress) => void
  /** Number of most probable tokens to report at each position. Default: 0. */
  topLogprobs?: number
  /**
   * Report with each token the attention of its prediction; `cross` needs a model with an encoder. Default: false.
   */
  attention?: boolean | GenerateAttention
  /**
   * Speculative decoding: guess tokens from the text so far, run them with the next one, and keep the correct ones. The text
   * is identical, but faster where it repeats itself. `auto` guesses only where it pays, and never with `attention`.
   * Default: `auto`.
   */
  speculate?: 'auto' | 'off'
  /**
   * When the context is full: drop the older half of the tokens after the first `keep` and continue. The rest is read
   * again, so the text continues as it would with the rest as its prompt. Default: end, with `finishReason` `context`.
   */
  contextShift?: ContextShift
  /** A compiled form, in place of one of `FormOptions`. */
  constraint?: Constraint
}

export interface PromptProgress {
  /** Number of tokens of the prompt that have been read, reused ones among them. */
  readonly done: number
  /** Number of tokens of the prompt, with those that the session held before. */
  readonly total: number
}

export interface AppendOptions extends TokenizeOptions, ChangeOptions {
  /** Called while the prompt is read, after each pass. */
  onProgress?: (progress: PromptProgress) => void
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface Token extends TokenProbability {
  /** New text, whole characters only; may be empty. The joined texts of all tokens are the generated text. */
  readonly text: string
  /** The `topLogprobs` most probable tokens, best first. */
  readonly alternatives?: readonly TokenProbability[]
  /** How many tokens of the vocabulary the form allowed in its place; absent without a form. */
  readonly allowed?: number
  /**
   * `[layer][head]`, in the order requested: a weight for each position up to the one that predicted this token or, for `cross`,
   * for each source token.
   */
  readonly attention?: readonly (readonly Float32Array[])[]
}

/**
 * - `stop`: the model ended the text, or a stop string occurred
 * - `length`: `maxTokens` were generated
 * - `context`: the context is full
 * - `abort`: the signal was aborted, or the loop over the tokens was exited early
 */
export type FinishReason = 'stop' | 'length' | 'context' | 'abort'

export interface Timings {
  /** Prompt tokens, including those that the session already held. */
  readonly promptTokens: number
  /** How many of them were cached, by the session or by the prefix cache. */
  readonly reusedTokens: number
  readonly generatedTokens: number
  /** Tokens that speculative decoding guessed (`speculate`). */
  readonly guessedTokens: number
  /** How many of them were correct. */
  readonly acceptedTokens: number
  /** Time of the forward passes, including passes shared with other texts. */
  readonly prefillMs: number
  readonly decodeMs: number
  /** 0 if nothing had to be read. */
  readonly prefillTokensPerSecond: number
  /** 0 if nothing was generated. */
  readonly decodeTokensPerSecond: number
}

export interface GenerateResult<Parsed = unknown> {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The value of a text that was asked for with `jsonSchema`; undefined for others, and if it was cut off. */
  readonly parsed?: Parsed
  readonly finishReason: FinishReason
  /** The model's own end-of-generation token, if it ended the text; it is not in `tokens`. */
  readonly endToken?: NamedToken
  /** The seed that was used: pass it as an option to get this text again. */
  readonly seed: number
  /** The images of the text, a session's earlier ones among them; absent without images. Positions are those of `Token.attention`. */
  readonly images?: readonly TextImage[]
  /** What the engine did; after an abort it may have generated more tokens than are in `tokens`. */
  readonly timings: Timings
}

export interface LogitsOptions extends TokenizeOptions, ChangeOptions {
  /** Positions of the text to return logits for, from 0, or `all`. Default: the last one. */
  positions?: readonly number[] | 'all'
  /** The source text of an encoder-decoder: required for such a model, an error for others. */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface AttentionOptions extends AttentionSelection, TokenizeOptions, ChangeOptions {
  /** Default: `decoder`, or `encoder` if there is no decoder. */
  of?: AttentionOf
  /**
   * The source text of an encoder-decoder, for `decoder` and `cross`: required there, an error elsewhere.
   */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface Attention {
  /** The T tokens that attend, one per row. */
  readonly tokens: readonly AttentionToken[]
  /** The K tokens that are attended to, one per column. The same as `tokens`, except for `cross`. */
  readonly keys: readonly AttentionToken[]
  readonly of: AttentionOf
  /** The layers in `weights`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `weights`, in that order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: T x K, row by row. Row q has the weights of token q, 0 where masked. It sums to 1 or, in a model with
   * attention sinks, to what the sinks leave. A layer without attention (a convolution) has zeros.
   */
  readonly weights: readonly (readonly Float32Array[])[]
  /**
   * The images of the text and where their tokens come from, to draw a row of weights over them; absent without images.
   *
   * @example
   * for (const { position, x, y, width, height, overview } of images![0]!.patches) {
   *   if (!overview) continue   // or only those of the tiles
   *   context.globalAlpha = weights[0]![0]![query * keys.length + position]!
   *   context.fillRect(x, y, width, height)
   * }
   */
  readonly images?: readonly TextImage[]
}

export interface GatesOptions extends TokenizeOptions {
  /** Recurrent layers to record, from 0. Default: all of `info.recurrentLayers`. */
  layers?: readonly number[]
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

/**
 * What recurrent layers retain of a text. Instead of attention, each head has a state: every token first multiplies it by its
 * decay, then writes to it.
 */
export interface Gates {
  /** The T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** The layers in `decay` and `write`, in that order. */
  readonly layers: readonly number[]
  /** `[layer][head]`: T factors from 0 to 1. At 1 a token keeps the whole state, at 0 it forgets it. */
  readonly decay: readonly (readonly Float32Array[])[]
  /**
   * `[layer][head]`: how strongly each of the T tokens is written. For the gated delta rule this is beta, from 0 to 1; for Mamba 2,
   * the time step, above 0, which also determines the decay.
   */
  readonly write: readonly (readonly Float32Array[])[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/**
 * - `mean`: the mean of the tokens' vectors
 * - `cls`, `last`: the vector of the first or the last token
 * - `none`: the vectors of all tokens, one after the other
 */
export type Pooling = 'mean' | 'cls' | 'last' | 'none'

export interface EmbedImagesOptions {
  /** Default: the pooling that the file specifies; for images `cls`. */
  pooling?: Pooling
  /** Scale vectors to length 1, so that their dot product is their cosine similarity. Default: false. */
  normalize?: boolean
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface EmbedOptions extends EmbedImagesOptions, TokenizeOptions {
  /**
   * Keep only the first `dimensions` numbers of each vector, before scaling: for models trained for it (Matryoshka,
   * arXiv:2205.13147), such as EmbeddingGemma and Qwen3-Embedding. Default: all.
   */
  dimensions?: number
  /**
   * Cut texts that are longer than the context, and keep the tokens that the model expects around them. Default: false, such a text
   * is an error.
   */
  truncate?: boolean
  /** Called whenever texts have been embedded. */
  onProgress?: (progress: EmbedProgress) => void
}

export interface EmbedProgress {
  /** Number of texts embedded so far. */
  readonly done: number
  /** Number of texts given. */
  readonly total: number
}

export interface RerankOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface DecodeImageOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface ClassifyOptions {
  /** Number of classes to return. Default: 5. */
  top?: number
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface Classification {
  readonly label: string
  readonly probability: number
}

export interface ImageAttentionOptions extends AttentionSelection {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface ImageAttention {
  /** The image is divided into `patches` x `patches` squares, row by row. */
  readonly patches: number
  /** The layers in `weights`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `weights`, in that order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: N x N with N = 1 + patches², row by row; each row sums to 1. Row and column 0 are the class token, which
   * represents the whole image; the patches follow.
   */
  readonly weights: readonly (readonly Float32Array[])[]
}
