// The public types: what goes in and what comes out.
import type { HubOptions } from './store/types.js'
import type { WebAbortSignal, WebBlob, WebDrawable, WebFileHandle, WebStream, WebUrl } from './web-types.js'

/**
 * Where a model comes from: a URL, `hf:OWNER/REPOSITORY/FILE.gguf` or `hf:OWNER/REPOSITORY:Q4_K_M`, `store:NAME` for what was
 * imported, a file that the user picked or that the page keeps, the files of a split model, bytes, a stream of bytes, or (in
 * Node) a path. Of a split model, the address or path of one part means all. From the origin private file system, a handle is
 * faster than its File.
 */
export type ModelSource =
  | string | WebUrl | WebBlob | WebFileHandle | ArrayBuffer | ArrayBufferView | WebStream
  | readonly (WebBlob | WebFileHandle | string | WebUrl)[]

export type * from './store/types.js'

/** Which of the two WebAssembly modules runs. Both give the same bits; `relaxed` is faster. */
export type Simd = 'relaxed' | 'simd128'

/** How keys and values are kept. `int16` changes results by about 7e-5 relative, `f16` by 3e-4, `int8` by 1.5e-2. */
export type KvCache = 'f32' | 'f16' | 'int16' | 'int8'

/** A file that the package fetches while it runs; all lie in its folder `dist`. */
export type AssetName =
  | 'heed-worker.js' | 'heed-store.js' | 'heed-relaxed.js' | 'heed-relaxed.wasm' | 'heed-simd128.js'
  | 'heed-simd128.wasm' | 'heed-stories.gguf'

/** The address of a folder with these files, or the addresses of some of them by name. */
export type Assets = string | WebUrl | Readonly<Partial<Record<AssetName, string | WebUrl>>>

export interface LoadOptions {
  /** Threads to compute with. Default: one per core, at most 8. Without SharedArrayBuffer it is always 1. */
  threads?: number
  /**
   * Tokens to make room for. More than the model was trained for (`info.trainedContext`) is an error. Default: that many, or
   * as many as memory allows.
   */
  contextLength?: number
  /** Default: `f32` for models with F32, F16 or BF16 weights, `int16` for others. */
  kvCache?: KvCache
  /**
   * Bytes that weights and caches may take together. Default: what WebAssembly can address, just under 4 GiB.
   */
  memoryLimit?: number
  /**
   * Texts to write at once, from 1 to 32; more of them wait. With 1, calls run one after the other, in the order in which they were
   * made. Default: 8, or fewer where memory is short.
   */
  parallel?: number
  /**
   * Bytes of what was read to keep for prompts that begin alike, once nobody needs them; 0 for none. Default: as many as a text
   * takes that fills the context, where memory allows.
   */
  prefixCache?: number
  /**
   * Forces one module; an error where it does not run. Default: `relaxed` where a probe shows that it works.
   */
  simd?: Simd
  /**
   * Where the package's own files are, as addresses relative to the page or, in Node, as paths. Default: beside its script, or
   * where the bundler put them. Needed where a bundler does not know (esbuild, Rollup) and they lie elsewhere.
   */
  assets?: Assets
  /**
   * Keeps what is downloaded, so that it is there the next time, and goes on with what an earlier download has left. Where it
   * cannot be kept, it is loaded all the same, and `onProgress` gets a notice. Default: false.
   */
  cache?: boolean
  /**
   * `sha256-` and the sum that the file must have, in hexadecimal or Base64; of a split model, one for each part. What a hub
   * lists is checked in any case.
   */
  integrity?: string | readonly string[]
  /** For sources that start with hf: */
  hub?: HubOptions
  /** After how many milliseconds without a byte a download is asked for anew. Default: 30000. */
  stallTimeout?: number
  /** Ends loading, at once: the promise rejects with an `AbortError` whose `cause` is the signal's reason. */
  signal?: WebAbortSignal
  /** Called now and then while the file is read, and once at its end. */
  onProgress?: (progress: LoadProgress) => void
}

/**
 * - `resolve`: the hub is asked, or nothing has begun
 * - `wait`: another tab downloads the model; `loaded` is its progress
 * - `check`: what an earlier download left is read, to be sure of it
 * - `download`: bytes come from the network
 * - `load`: bytes come from a file, or from the store
 * - `import`: a file is copied into the store
 */
export type LoadPhase = 'resolve' | 'wait' | 'check' | 'download' | 'load' | 'import'

export interface LoadProgress {
  phase: LoadPhase
  /** Bytes read so far. */
  loaded: number
  /** Bytes that the file has; known once its header is read, or the server tells. */
  total?: number
  /** Of the bytes read, those that were not downloaded. */
  cached: number
  /** Of late, in this phase. */
  bytesPerSecond?: number
  /** Something went otherwise than was to be expected: it is not kept, or begins anew. In plain words, told once. */
  notice?: string
}

export interface ModelInfo {
  /** The family: `llama`, `gpt2`, ... */
  readonly architecture: string
  /** The name that the file gives itself; may be empty. */
  readonly name: string
  /** The format of most weights: `Q4_0`, ... */
  readonly weights: string
  readonly parameters: number
  readonly fileBytes: number
  /** Whether it writes: it has a decoder. */
  readonly generates: boolean
  /** Whether it embeds: it has an encoder. Some models do both. */
  readonly embeds: boolean
  /** Whether it sees: it has an encoder for images. */
  readonly sees: boolean
  /** Layers of the decoder, or of the encoder where that is all there is. */
  readonly layers: number
  /** Layers of the encoder; 0 where there is none. */
  readonly encoderLayers: number
  /** The token that the decoder starts from, where there is an encoder beside it. */
  readonly decoderStart?: number
  /** Layers and heads of the encoder for images, and how many patches it cuts an image into, a side; 0 where there is none. */
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
  /** MLPs in a layer that a router chooses from; 0 where there is just one. */
  readonly experts: number
  /** How many of them a token goes through. */
  readonly expertsUsed: number
  /** Number of tokens in the vocabulary, V. */
  readonly vocabulary: number
  /** Tokens of context that the model was trained for. */
  readonly trainedContext: number
  /** Tokens of context that this load has room for. */
  readonly contextLength: number
  readonly kvCache: KvCache
  /** Texts that are written at once. */
  readonly parallel: number
  /** Bytes of weights and scratch, taken at load; keys and values of texts come to that, as `Model.memory` tells. */
  readonly memoryBytes: number
  /** The most bytes that it may come to take. */
  readonly mostMemoryBytes: number
  /** Threads that compute: 1 where the page has no SharedArrayBuffer. */
  readonly threads: number
  readonly simd: Simd
  /** The kernels that were chosen: `simd128`, `relaxed-usdot`, ... */
  readonly target: string
  /** The chat templates that the file brings, in Jinja, by name; the one to use is `default`. */
  readonly chatTemplates: Readonly<Record<string, string>>
  /** The token that begins a text, and that which ends one, where the vocabulary has them. */
  readonly bosToken?: NamedToken
  readonly eosToken?: NamedToken
}

export interface NamedToken {
  readonly id: number
  readonly text: string
}

/** What a model takes of memory. */
export interface Memory {
  /** Weights, scratch, and the keys and values of what was read and is still kept. */
  readonly bytes: number
  readonly mostBytes: number
}

export interface TokenizeOptions {
  /**
   * Put the tokens around the text that the model expects there (beginning of sequence, ...). Default: true.
   */
  addSpecial?: boolean
  /** Read control tokens written in the text, such as `<|im_start|>`, as tokens. Default: false. */
  parseSpecial?: boolean
}

export interface DetokenizeOptions {
  /** Show control tokens as their text. Default: false, they give nothing. */
  special?: boolean
  /** Tidy spaces before punctuation and at the start, where the vocabulary asks for it. Default: false. */
  tidySpaces?: boolean
}

/**
 * Whose attention: `decoder`, of the text that is written to itself; `encoder`, of the text that is read to itself; `cross`,
 * of what is written to what is read.
 */
export type AttentionOf = 'decoder' | 'encoder' | 'cross'

/** Rows from the top, four bytes a pixel: red, green, blue, and one that is ignored. An `ImageData` is one. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/** A picture: its pixels or, in a browser, an image file or whatever a canvas can draw. */
export type Image = Pixels | WebBlob | WebDrawable

/**
 * A part of a prompt: text in which no control token is read, text in which they are (of a chat template, say), or token ids.
 */
export type PromptPart = string | { readonly control: string } | { readonly ids: ArrayLike<number> }

/**
 * A text, token ids that are taken as they are, or parts. The texts of parts that follow one another are tokenized as one text,
 * so that they have the tokens of the whole; what a user writes in a part of plain text cannot forge a control token.
 */
export type Prompt = string | ArrayLike<number> | readonly PromptPart[]

export interface AttentionSelection {
  /** Layers to record, from 0. Default: all. */
  layers?: readonly number[]
  /** Query heads to record, from 0. Default: all. */
  heads?: readonly number[]
}

export interface GenerateAttention extends AttentionSelection {
  /** Default: `decoder`. */
  of?: 'decoder' | 'cross'
}

export interface ContextShift {
  /** Tokens from the beginning that stay, such as a system prompt: fewer than the context has, less 1. */
  keep: number
}

export interface GenerateOptions extends TokenizeOptions {
  /** Tokens to generate at most. Default: 256. */
  maxTokens?: number
  /** Randomness, at least 0; 0 always takes the most probable token. Default: 0.8. */
  temperature?: number
  /** Choose among the k most probable tokens; 0 for all. Default: 40. */
  topK?: number
  /** Choose among the most probable tokens that together have this probability, (0, 1]. Default: 0.95. */
  topP?: number
  /** Drop tokens less probable than this share of the most probable one, [0, 1). Default: 0.05. */
  minP?: number
  /** Divides the scores of tokens that occurred; above 0, 1 for none. Default: 1. */
  repetitionPenalty?: number
  /** Subtracted from a token's score for every occurrence. Default: 0. */
  frequencyPenalty?: number
  /** Subtracted from a token's score if it occurred. Default: 0. */
  presencePenalty?: number
  /** How many of the last tokens the penalties look at. Default: 64. */
  penaltyWindow?: number
  /** Added to the scores of tokens, by id; -Infinity forbids one. */
  logitBias?: Readonly<Record<number, number>> | ReadonlyMap<number, number>
  /**
   * An integer from 0 to 2^53 - 1: the same seed gives the same text on every machine. Default: random,
   * reported.
   */
  seed?: number
  /** Generation ends before the first of these texts. */
  stop?: string | readonly string[]
  /** End at the model's own end-of-generation token. Default: true. */
  stopAtEnd?: boolean
  /** Show control tokens as their text, where stop strings find them, too. Default: false, they give nothing. */
  special?: boolean
  /** Ends generation: the tokens so far stay, and `finishReason` is `abort`. Nothing is thrown. */
  signal?: WebAbortSignal
  /** Number of most probable alternatives to report with each token. Default: 0. */
  topLogprobs?: number
  /**
   * Report with each token what its prediction attended to; `cross` where the model has an encoder. Default: false.
   */
  attention?: boolean | GenerateAttention
  /**
   * Run tokens that the text so far makes likely along with the next one, and keep those that come true. The text is the same,
   * only sooner where it repeats itself. `auto` does so where it pays, and never with `attention`. Default: `auto`.
   */
  speculate?: 'auto' | 'off'
  /**
   * Where the context is full: go on without the older half of the tokens behind those that `keep` says. What stays is read anew,
   * so that the text goes on as it would after these tokens as a prompt. Default: end, with `finishReason` `context`.
   */
  contextShift?: ContextShift
}

export interface AppendOptions extends TokenizeOptions {
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface TokenProbability {
  readonly id: number
  readonly text: string
  /** Natural logarithm of the model's own probability, before temperature, penalties and filters. */
  readonly logprob: number
}

export interface Token extends TokenProbability {
  /** New text, whole characters only; may be empty. The texts of all tokens joined are the generated text. */
  readonly text: string
  /** The `topLogprobs` most probable tokens, best first. */
  readonly alternatives?: readonly TokenProbability[]
  /**
   * `[layer][head]`, in the order asked for: a weight for each position up to the one that predicted this
   * token or, of `cross`, for each token that the encoder read.
   */
  readonly attention?: readonly (readonly Float32Array[])[]
}

/**
 * - `stop`: the model ended the text, or a stop string came
 * - `length`: `maxTokens` were generated
 * - `context`: the context is full
 * - `abort`: the signal was aborted, or a loop over the tokens was left
 */
export type FinishReason = 'stop' | 'length' | 'context' | 'abort'

export interface Timings {
  /** Of the prompt, with what the session held before it. */
  readonly promptTokens: number
  /** Of those, what the session had read, or what is kept of another text that begins alike. */
  readonly reusedTokens: number
  readonly generatedTokens: number
  /** Tokens that were run before they were certain (`speculate`). */
  readonly guessedTokens: number
  /** Of those, what came true. */
  readonly acceptedTokens: number
  /** What the passes took, those that other texts shared as well. */
  readonly prefillMs: number
  readonly decodeMs: number
  /** 0 where nothing had to be read. */
  readonly prefillTokensPerSecond: number
  /** 0 where nothing was generated. */
  readonly decodeTokensPerSecond: number
}

export interface GenerateResult {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly finishReason: FinishReason
  /** The model's own end-of-generation token, where it ended the text; it is not among `tokens`. */
  readonly endToken?: NamedToken
  /** The seed that was used: give it as an option to get this text again. */
  readonly seed: number
  /** What the engine did; after an abort it may have made more tokens than there are in `tokens`. */
  readonly timings: Timings
}

export interface LogitsOptions {
  /** Positions in the given tokens to return logits of, from 0, or `all`. Default: the last one. */
  positions?: readonly number[] | 'all'
  /** What the encoder reads, where the model has one beside its decoder: needed there, and an error elsewhere. */
  source?: Prompt
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface AttentionOptions extends AttentionSelection, TokenizeOptions {
  /** Default: `decoder`, or `encoder` where there is no decoder. */
  of?: AttentionOf
  /**
   * What the encoder reads, where the model has one beside its decoder, and the attention is not the encoder's own: needed
   * there, and an error elsewhere.
   */
  source?: Prompt
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

/** Which of the tokens that make up a character together. */
export interface CharacterPart {
  /** From 0. */
  readonly index: number
  readonly count: number
}

export interface AttentionToken {
  readonly id: number
  /** Where a character is split among several tokens, each of them has the whole character. */
  readonly text: string
  /** Only where this token holds a part of a character. */
  readonly part?: CharacterPart
}

export interface Attention {
  /** The T tokens that attend: a row each. */
  readonly tokens: readonly AttentionToken[]
  /** The K tokens that are attended to: a column each. The same as `tokens`, but for `cross`. */
  readonly keys: readonly AttentionToken[]
  readonly of: AttentionOf
  /** The layers that `weights` has, in its order. */
  readonly layers: readonly number[]
  /** The heads that `weights` has, in its order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: T x K, row by row. Row q holds what token q attends to, and is 0 at what it must not see. It sums to 1,
   * or, in a model with attention sinks, to what those leave. A layer that does not attend (a convolution) has zeros.
   */
  readonly weights: readonly (readonly Float32Array[])[]
}

/**
 * - `mean`: the mean of the tokens' vectors
 * - `cls`, `last`: that of the first, or the last token
 * - `none`: all of them, one after the other
 */
export type Pooling = 'mean' | 'cls' | 'last' | 'none'

export interface EmbedImagesOptions {
  /** Default: what the file asks for; for images `cls`. */
  pooling?: Pooling
  /** Scale vectors to length 1, so that their dot product is their cosine. Default: false. */
  normalize?: boolean
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface EmbedOptions extends EmbedImagesOptions, TokenizeOptions {}

export interface RerankOptions {
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface ClassifyOptions {
  /** How many classes to return. Default: 5. */
  top?: number
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface Classification {
  readonly label: string
  readonly probability: number
}

export interface ImageAttentionOptions extends AttentionSelection {
  /** The promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface ImageAttention {
  /** The image is cut into `patches` x `patches` squares, row by row. */
  readonly patches: number
  /** The layers that `weights` has, in its order. */
  readonly layers: readonly number[]
  /** The heads that `weights` has, in its order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: N x N with N = 1 + patches², row by row, each summing to 1. Row and column 0 are the class token's,
   * which stands for the whole image; the patches follow.
   */
  readonly weights: readonly (readonly Float32Array[])[]
}
