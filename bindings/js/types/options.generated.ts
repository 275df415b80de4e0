// Written by tools/contract from api/: the public types of options.
import type { TranscribeProgress, TranscriptSegment } from './audio.js'
import type { Edit } from './lab.js'
import type { Assets, KvCache, LoadProgress, ModelSource, Simd } from './loading.js'
import type { Constraint, EmbedProgress, Pooling, PromptProgress, UnmaskedStep } from './results.js'
import type { AttentionOf, Prompt } from './text.js'
import type { WebAbortSignal } from './web.js'

/**
 * Changes to the model for one text. The weights, and texts of other calls, are not affected. Fails with `invalid-argument` if
 * changes make numbers overflow.
 */
export interface ChangeOptions {
  /** Loaded adapters by name, with the scale of each; 0 switches an adapter off. Default: none. */
  adapters?: Readonly<Record<string, number>>
  /** Edits of states, heads and attention, applied in order. Default: none. */
  edits?: readonly Edit[]
}

export interface ClassifyOptions {
  /** Number of classes or labels to return. At least 1. Default: 5. */
  top?: number
  /**
   * For texts: what the model is asked, in which `{text}` stands for the text and `{labels}` for all labels. A model with a chat
   * template gets it as a message, another continues it with a label. Default: a question for the label that describes the text
   * best.
   */
  prompt?: string
  /**
   * For texts: divide the probability of each label by its probability for the text `N/A`, so that labels which the model prefers
   * whatever it reads count for less. One more text is read. Default: false.
   */
  calibrate?: boolean
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

/**
 * The constraint on a text: at most one of the first four, and for a schema, the layout of its texts. With tools that may be
 * called, a reply of a chat is calls or a text under the constraint. Excludes `continueFinal` and `stopAtEnd: false`.
 */
export interface ConstraintOptions {
  /**
   * JSON that is valid under this schema: an object or a boolean, its JSON, or a Standard Schema that converts to one (Zod 4.2
   * and others). Keys come in the order of the schema. A Standard Schema describes its input: `parsed` has not been through its
   * defaults and transforms.
   */
  jsonSchema?: object | boolean | string
  /**
   * A text that this expression matches as a whole, with the meaning of the flag `u`: `.` is a character, however many UTF-16
   * units it has. Flags that change which texts match, such as `i`, are rejected, as is the syntax of the flag `v`.
   */
  regex?: RegExp | string
  /** A text of this grammar, in GBNF (llama.cpp's notation); its start is the rule `root`. */
  grammar?: string
  /** One of these texts. */
  choices?: readonly string[]
  /** White space between the tokens of JSON: any, none, or as `JSON.stringify` indents. Default: at most one byte in each gap. */
  whitespace?: 'any' | 'compact' | { readonly indent: number }
  /**
   * Maximum bytes of white space in one gap, if white space is allowed. From 0 to 65535. Default: 1, with `whitespace: 'any'` 64.
   */
  maxWhitespace?: number
  /** Whether keys come in the schema's order, or in any. Default: the schema's. */
  order?: 'schema' | 'any'
  /**
   * How to treat a `format` that no draft of JSON Schema defines: `known` treats it as an annotation, which `Constraint.ignored`
   * lists; `strict` rejects it; `annotate` treats every format as an annotation. Default: `known`.
   */
  formats?: 'known' | 'strict' | 'annotate'
  /**
   * Escapes in strings that have no `pattern`, `format`, `const` or `enum`: `any` allows `\/` and `\u` of every character,
   * `canonical` what `JSON.stringify` writes. Default: any.
   */
  escapes?: 'any' | 'canonical'
  /**
   * Whether objects and arrays contain only what the schema describes: true reads absent `additionalProperties` and `items` as
   * false, false reads them as true. Default: an object whose keys the schema lists (`properties`) has no others, unless the
   * schema speaks of them (`additionalProperties`, `patternProperties`, `propertyNames`, `unevaluatedProperties`).
   */
  closed?: boolean
  /** Other documents that `$ref` may name: schemas, or their JSON, by absolute URI. Nothing is fetched. */
  schemas?: Readonly<Record<string, object | boolean | string>>
}

export interface CompileOptions extends ConstraintOptions {
  signal?: WebAbortSignal
}

export interface DecodeImageOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface DetokenizeOptions {
  /** Show control tokens as their text. Default: false, which omits them. */
  special?: boolean
  /** Clean up spaces before punctuation and at the start, if the vocabulary asks for it. Default: false. */
  tidySpaces?: boolean
  /** Return the bytes, in UTF-8, instead of a text, in which incomplete characters are U+FFFD. Default: false. */
  bytes?: boolean
}

export interface EmbedImagesOptions {
  /** How the vectors of tokens become one. Default: the pooling that the file specifies; for images `cls`. */
  pooling?: Pooling
  /** Scale vectors to length 1, so that their dot product is their cosine similarity. Default: false. */
  normalize?: boolean
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface TokenizeOptions {
  /** Add the tokens that the model expects around the text, such as beginning of sequence. Default: true. */
  addSpecial?: boolean
  /** Parse control tokens in the text, such as `<|im_start|>`, as tokens. Default: false. */
  parseSpecial?: boolean
}

export interface EmbedOptions extends EmbedImagesOptions, TokenizeOptions {
  /**
   * Keep only the first `dimensions` numbers of each vector, before scaling: for models trained for it (Matryoshka,
   * arXiv:2205.13147), such as EmbeddingGemma and Qwen3-Embedding. At least 1. Default: all.
   */
  dimensions?: number
  /**
   * Cut texts that are longer than the context, and keep the tokens that the model expects around them. Default: false, such a
   * text is an error.
   */
  truncate?: boolean
  /** Called whenever texts have been embedded. */
  onProgress?: (progress: EmbedProgress) => void
}

/** Options of all calls that process a text. */
export interface ReadOptions extends TokenizeOptions, ChangeOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface RerankOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface AttentionSelection {
  /** Layers to record, from 0. Default: all. */
  layers?: readonly number[]
  /** Query heads to record, from 0. Default: all. */
  heads?: readonly number[]
}

export interface TranscribeOptions {
  /**
   * The code of the language that is spoken, such as `'de'`; or `'auto'`: it is detected in the first 30 seconds. Default:
   * `auto`.
   */
  language?: string
  /** Write what is said, or a translation to English. Default: `transcribe`. */
  task?: 'transcribe' | 'translate'
  /** Find the time of each word, which takes one more pass for each window of 30 seconds. Default: false. */
  words?: boolean
  /**
   * Give each word, as `words` does, and with it what heads of the decoder attended to in the sound as it was predicted. It takes
   * memory: with all heads of the smallest models, up to 30 MB for each window of 30 seconds. Default: false.
   */
  attention?: boolean | AttentionSelection
  /** Let the model write the times of segments; otherwise each window of 30 seconds is a segment. Default: true. */
  timestamps?: boolean
  /** A text that the model takes for what has been said before: it follows its spelling of names, its punctuation and its style. */
  prompt?: string
  /** Never write symbols that mark other sounds than speech, such as brackets and notes. Default: false. */
  suppressNonSpeech?: boolean
  /**
   * The temperature; or several, which are tried in turn as long as the text of a window is not plausible. Default: 0, then 0.2,
   * 0.4, 0.6, 0.8 and 1.
   */
  temperature?: number | readonly number[]
  /** Seed of the draws at temperatures above 0: the same seed gives the same text. Default: 0. */
  seed?: number
  /** Called whenever more of the sound is transcribed. */
  onProgress?: (progress: TranscribeProgress) => void
  /**
   * For a sound that is still arriving: called with the segments after the settled ones, which may change as more of it arrives.
   */
  onInterim?: (segments: TranscriptSegment[]) => void
  /**
   * For a sound that is still arriving: called with its samples as they arrive, to keep or draw what is heard; of a MediaStream,
   * 16,000 a second.
   */
  onSamples?: (samples: Float32Array) => void
  /** Ends the transcription, with the segments that it has. */
  signal?: WebAbortSignal
}

export interface AttentionOptions extends AttentionSelection, TokenizeOptions, ChangeOptions {
  /** Default: `decoder`, or `encoder` if there is no decoder. */
  of?: AttentionOf
  /** The source text of an encoder-decoder, for `decoder` and `cross`: required there, an error elsewhere. */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface AttentionPartsOptions extends TokenizeOptions, ChangeOptions {
  /** The layer, from 0. */
  layer: number
  /** A query head, from 0. */
  head: number
  /** The position of the token that attends, from 0; negative ones count from the end. Default: the last one. */
  query?: number
  /** Default: `decoder`, or `encoder` if there is no decoder. */
  of?: AttentionOf
  /** The source text of an encoder-decoder, for `decoder` and `cross`: required there, an error elsewhere. */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface AttributeOptions extends ReadOptions {
  /** The next token whose logit to attribute, by its exact text or id. Default: the most probable one. */
  token?: string | number
  /** A second token: the difference of the two logits is attributed. Default: none. */
  against?: string | number
  /** The position before that token, from 0; negative ones count from the end. Default: the last one. */
  position?: number
}

export interface DirectionOptions extends ReadOptions {
  /** The layer after which to read, from 0; -1 for what enters layer 0. */
  layer: number
}

export interface FindHeadsOptions extends ChangeOptions {
  /**
   * Number of different tokens in a sequence, which is then repeated once. At least 2. Default: 50, or as many as context and
   * vocabulary allow.
   */
  length?: number
  /** Number of sequences to average over. From 1 to 65536. Default: 4. */
  sequences?: number
  /** The same seed gives the same sequences. Default: 0. */
  seed?: number
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface GatesOptions extends TokenizeOptions {
  /** Recurrent layers to record, from 0. Default: all of `info.recurrentLayers`. */
  layers?: readonly number[]
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface HiddenOptions extends ReadOptions {
  /** Layers after which to read, from 0; -1 for what enters layer 0. Default: all of these. */
  layers?: readonly number[]
  /** Positions to read, from 0; negative ones count from the end. Default: all. */
  positions?: readonly number[]
}

export interface ImageAttentionOptions extends AttentionSelection {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface LensOptions extends ReadOptions {
  /** Layers after which to read, from 0; -1 for what enters layer 0. Default: all of these. */
  layers?: readonly number[]
  /** Positions to read, from 0; negative ones count from the end; or `all`. Default: the last one. */
  positions?: readonly number[] | 'all'
  /** Number of most probable tokens to return. Default: 5. */
  top?: number
  /** Further tokens whose probabilities to return, by their exact text or id. Default: none. */
  tokens?: readonly (string | number)[]
}

export interface LogitsOptions extends TokenizeOptions, ChangeOptions {
  /** Positions of the text to return logits for, from 0; negative ones count from the end; or `all`. Default: the last one. */
  positions?: readonly number[] | 'all'
  /** The source text of an encoder-decoder: required for such a model, an error for others. */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface ScoreOptions extends ReadOptions {
  /** How to rank continuations: by the probability of the whole, or by the mean per token. Default: `sum`. */
  by?: 'sum' | 'mean'
}

export interface TraceOptions extends ReadOptions {
  /** Names of points, such as `resid.5` and `attn.3.weights`. */
  points: readonly string[]
  /** Positions to read, from 0; negative ones count from the end: of tokens, and of queries. Default: all. */
  positions?: readonly number[]
  /** The source text of an encoder-decoder: required there, an error elsewhere. */
  source?: Prompt
}

export interface ValueNormsOptions extends AttentionSelection, TokenizeOptions, ChangeOptions {
  /** Default: `decoder`, or `encoder` if there is no decoder. */
  of?: 'decoder' | 'encoder'
  /** The source text of an encoder-decoder, for `decoder`: required there, an error elsewhere. */
  source?: Prompt
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

/** Options for models on a hub: sources that start with `hf:`. */
export interface HubOptions {
  /** A branch, a tag or a commit. Default: `main`. */
  revision?: string
  /** The URL of the hub or of a mirror. Default: `https://huggingface.co`. */
  endpoint?: string
  /** A user's access token, for models that need one. It is sent only to the endpoint and never stored. */
  token?: string
}

/** Options for reading the file of an adapter or a control vector. */
export interface AdapterOptions {
  hub?: HubOptions
  /** As for `loadModel`. */
  integrity?: string | readonly string[]
  /** As for `loadModel`. At least 1. */
  stallTimeout?: number
  /** Pauses the download: the promise rejects with an `AbortError`, and the next call resumes. */
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
  /** Stores the download for the next time, as for `loadModel`. Default: false. */
  cache?: boolean | 'reload'
}

export interface ControlVectorOptions extends AdapterOptions {
  /** A factor of the directions. Default: 1. */
  scale?: number
  /** The first and the last layer to steer. Default: all. */
  layers?: readonly [first: number, last: number]
}

export interface StoreOptions {
  /** As for `loadModel`. */
  assets?: Assets
}

export interface HubStoreOptions extends StoreOptions {
  hub?: HubOptions
}

export interface DownloadOptions extends HubStoreOptions {
  /** As for `loadModel`. */
  integrity?: string | readonly string[]
  /** As for `loadModel`. At least 1. */
  stallTimeout?: number
  /** Pauses the download: the promise rejects with an `AbortError`, and the next call resumes. */
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
  /** As for `loadModel`: check whether the server still has the stored file. Default: a model that is stored stays. */
  cache?: 'reload'
}

export interface LoadOptions {
  /** Number of threads. Always 1 without SharedArrayBuffer. From 1 to 256. Default: one per core, at most 8. */
  threads?: number
  /**
   * Context length, in tokens; an error if above `info.trainedContext`. At least 1. Default: `info.trainedContext`, or half, a
   * quarter and so on, but not below 512, if it would take more than a quarter of `memoryLimit`.
   */
  contextLength?: number
  /**
   * How keys and values are stored. `auto` is `f32` for models with F32, F16 or BF16 weights, and `int16` for others. If the
   * context does not fit into the memory limit with that, it is the first of `int16`, `q8` and `q4` with which it does;
   * `info.kvCache` says which. `q8` and `q4` take 1.06 and 0.56 bytes per value. `int8` is the old name of `q8`. Default: `auto`.
   */
  kvCache?: KvCache
  /**
   * Maximum bytes for weights and caches together. At least 1. Default: 3 GiB; for a model that needs more, 16 GiB; in both cases
   * no more than the machine's memory, if known, which counts as 1.5 GB on iPhones and iPads.
   */
  memoryLimit?: number
  /**
   * Number of texts to generate at once; others wait. With 1, calls run one after the other, in the order in which they were
   * made. From 1 to 32. Default: 8, or fewer if memory is short.
   */
  parallel?: number
  /**
   * Bytes of cached keys and values to keep, once unused, for later prompts with the same prefix; 0 for none. Default: enough for
   * one text that fills the context, if memory allows.
   */
  prefixCache?: number
  /** Forces these kernels; an error if they cannot run. Default: `relaxed` if a probe shows that it works. */
  simd?: Simd
  /**
   * Whether to run the WebAssembly module with 64-bit memory. It gives the same bits, generates a few per cent slower, reads
   * prompts up to a third slower, and needs relaxed SIMD. Default: only if the model needs more memory than 32 bits can address.
   */
  memory64?: boolean
  /** Adapters (LoRA) to load after the model, by name, as `Model.loadAdapter` does with `hub` and `stallTimeout`. Default: none. */
  adapters?: Readonly<Record<string, ModelSource>>
  /**
   * The projector of a model that reads images or sounds in prompts: its second file, with `mmproj` in its name. Its weights are
   * part of `memory().bytes`. `hub`, `cache` and `stallTimeout` are for both files. Default: none.
   */
  projector?: ModelSource
  /**
   * What proposes tokens for speculative decoding. `auto`: the heads in the model's own file, if it has some and they leave the
   * context and the number of texts as they are. `true`: these heads; an error without them. `false`: nothing. Or a second file:
   * heads of the model (`mtp-`), an assistant, or a small model with the same vocabulary. Texts stay the same, and are drafted
   * only where that is faster; see `timings`. Memory and `hub`, `cache` and `stallTimeout` are as for the projector. Default:
   * `auto`.
   */
  draft?: ModelSource | boolean | 'auto'
  /**
   * Where the package's own files are, as URLs relative to the page or, in Node, as paths. Needed if the bundler does not detect
   * them (esbuild, Rollup) and they are elsewhere. Default: beside its script, or where the bundler put them.
   */
  assets?: Assets
  /**
   * Stores the download for the next load, and resumes an earlier, interrupted download. If the model cannot be stored, it is
   * loaded anyway, and `onProgress` gets a notice. `reload` does the same, but first asks the server whether its file is still
   * the stored one: by ETag, length and date, or by a hub's checksum. If it is another, that one replaces it; if the server
   * cannot be asked, the stored one is loaded, with a notice. Default: false: only a model that is stored completely, as by
   * `modelStore.download`, is read from the store.
   */
  cache?: boolean | 'reload'
  /**
   * Keeps what sessions, chats and prompts have read, and answers that are being written, in the site's file storage or, in Node,
   * in a folder. After a reload, on another visit and in other tabs, texts with the same beginning continue from there, and
   * `Model.unfinished` has the answers whose tab was closed. Texts with images, adapters or edits are not kept. Default: false.
   */
  keep?: boolean
  /**
   * With `keep`: the most bytes of texts to keep; the least recently used go first. At least 1. Default: 1 GiB, or a tenth of
   * what the site may store if that is less.
   */
  keepBytes?: number
  /**
   * In a browser: one engine for all tabs of the site that load the same files with the same options. One of the tabs runs it;
   * when that is closed, another takes over, and calls go on there with the same results; `Model.runsIn` says whether this tab
   * runs it. With `cache`, it loads from the store; with `keep`, sessions need not be read again. Default: false.
   */
  shared?: boolean
  /**
   * Reads a download from Cross-Origin Storage, or stores it there in place of the site's own store. It is a draft
   * (https://wicg.github.io/cross-origin-storage) of a storage that a browser keeps once for all sites. This takes a checksum: a
   * hub's, or `integrity`. Without one, and in browsers that lack the storage or do not let this site use it, `cache` decides.
   * Default: false.
   */
  crossOriginStorage?: boolean
  /** Options for sources that start with `hf:`. */
  hub?: HubOptions
  /**
   * `sha256-` and the checksum that the file must have, in hexadecimal or Base64; for a split model, one per part. A checksum
   * that a hub lists is always verified.
   */
  integrity?: string | readonly string[]
  /** Milliseconds without data before a download is requested again. At least 1. Default: 30000. */
  stallTimeout?: number
  /** Aborts loading at once: the promise rejects with an `AbortError` whose `cause` is the signal's reason. */
  signal?: WebAbortSignal
  /** Called repeatedly while the file is read, and once at its end; then likewise for the files of `projector` and `draft`. */
  onProgress?: (progress: LoadProgress) => void
}

/** Options for asking whether a model fits: those of `loadModel` that matter for it. */
export interface FitsOptions
  extends Omit<LoadOptions, 'adapters' | 'projector' | 'cache' | 'keep' | 'keepBytes' | 'shared' | 'integrity' | 'onProgress'> {}

export interface ImportOptions extends StoreOptions {
  /** The name of the model, for `loadModel('store:NAME')`. Default: the file's own name. */
  name?: string
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
}

export interface MetadataOptions {
  /** Which of its files. Default: `model`. */
  file?: 'model' | 'projector'
  signal?: WebAbortSignal
}

export interface PruneOptions extends StoreOptions {
  /** The maximum number of bytes to keep. */
  keepBytes: number
}

export interface AppendOptions extends TokenizeOptions, ChangeOptions {
  /** Called after each pass over the prompt. */
  onProgress?: (progress: PromptProgress) => void
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface GenerateAttention extends AttentionSelection {
  /** Default: `decoder`. */
  of?: 'decoder' | 'cross'
}

export interface ContextShift {
  /** Number of tokens to keep from the beginning, such as a system prompt: less than the context length minus 1. */
  keep: number
}

export interface GenerateOptions extends TokenizeOptions, ConstraintOptions, ChangeOptions {
  /** Maximum number of tokens to generate; Infinity for as many as the context has room for. Default: 256. */
  maxTokens?: number
  /** Randomness; 0 always chooses the most probable token. At least 0. Default: 0.8. */
  temperature?: number
  /** Choose among the k most probable tokens; 0 for all. Default: 40. */
  topK?: number
  /** Choose among the most probable tokens whose probabilities add up to this. Above 0 and at most 1. Default: 0.95. */
  topP?: number
  /**
   * Drop tokens less probable than this fraction of the most probable token's probability. At least 0 and below 1. Default: 0.05.
   */
  minP?: number
  /** Divides the scores of tokens that have occurred; 1 disables it. Above 0. Default: 1. */
  repetitionPenalty?: number
  /** Subtracted from a token's score for every occurrence. Default: 0. */
  frequencyPenalty?: number
  /** Subtracted from a token's score if it has occurred. Default: 0. */
  presencePenalty?: number
  /** Number of most recent tokens that the penalties consider. Default: 64. */
  penaltyWindow?: number
  /** Added to the scores of tokens, by id; -Infinity forbids one. */
  logitBias?: Readonly<Record<number, number>> | ReadonlyMap<number, number>
  /** The same seed gives the same text on every machine. An integer from 0 to 2^53 - 1. Default: random; the result reports it. */
  seed?: number
  /** Generation ends before the first occurrence of any of these texts. */
  stop?: string | readonly string[]
  /** Stop at the model's own end-of-generation token. Default: true. */
  stopAtEnd?: boolean
  /** Show control tokens as their text, so that stop strings also match them. Default: false, which omits them. */
  special?: boolean
  /** Ends generation: the tokens so far are kept, and `finishReason` is `abort`. Nothing is thrown. */
  signal?: WebAbortSignal
  /** Called after each pass over the prompt; before the first token, `done` equals `total`. */
  onProgress?: (progress: PromptProgress) => void
  /**
   * Called after each pass of a model that writes by unmasking (`info.maskToken`), with the tokens that have replaced masks. The
   * loop over the tokens gives a token as soon as no mask is left before it.
   */
  onUnmasked?: (step: UnmaskedStep) => void
  /** Number of most probable tokens to report at each position. Default: 0. */
  topLogprobs?: number
  /** Report with each token the attention of its prediction; `cross` needs a model with an encoder. Default: false. */
  attention?: boolean | GenerateAttention
  /**
   * Speculative decoding: guess tokens from the text so far, run them with the next one, and keep the correct ones. The text is
   * identical, but faster where it repeats itself. `auto` guesses only where it pays, and never with `attention`. Default:
   * `auto`.
   */
  speculate?: 'auto' | 'off'
  /**
   * When the context is full: drop the older half of the tokens after the first `keep` and continue. The rest is processed again,
   * so the text continues as if the rest were its prompt. Default: end, with `finishReason` `context`.
   */
  contextShift?: ContextShift
  /**
   * With `choices`: also report how probable each of them is (`choiceProbabilities` of the result), by which they are all scored
   * once the text is written. Default: false.
   */
  choiceProbabilities?: boolean
  /** A compiled constraint, in place of one of `ConstraintOptions`. */
  constraint?: Constraint
}

/**
 * How long a reply may reason. After `maxTokens`, the marker that ends the reasoning is written for the model, with `message`
 * before it; then it answers. A character is not cut, and where a constraint has no room for the marker, the reasoning goes on.
 */
export interface ReasoningBudget {
  /** Most tokens of reasoning in a reply, without `message`. */
  maxTokens: number
  /** A text that ends reasoning which has been cut off, such as "Time is up: I will answer now." Default: nothing. */
  message?: string
}
