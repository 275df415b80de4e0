// The engine as Embind exposes it (bindings/embind/module.cpp), and the glue that creates it.
import type { Forecast } from '../store/interface.js'
import type { FinishReason, Memory, ModelInfo, NamedToken, Pooling, Timings } from '../types/index.js'
import type { WireSegment } from '../wire/audio.js'
import type { HeedErrorCode } from '../wire/errors.js'
import type { TranscribeParameters } from '../wire/options.generated.js'
import type {
  Asked,
  EmbeddingForm,
  GenerateParameters,
  LoadParameters,
  ProjectorReads,
  ReasoningLimit,
  WirePart,
  WirePoint as EnginePoint,
  WireShape,
  WireToken,
} from '../wire/protocol.js'

export type { WirePoint as EnginePoint } from '../wire/protocol.js'

/** An event of a generation: a token, its end, or its failure. */
export type EngineEvent = { id: number } & ({ token: WireToken } | GenerationEnd | { code: HeedErrorCode; message: string })

/** The options of a load. `narrowsCache`: whether a cache of fewer bits than usual may be chosen if the context does not fit; by default it may. */
export type OpenParameters = LoadParameters & { narrowsCache?: boolean }

export interface GenerationEnd {
  finishReason: FinishReason
  endToken?: NamedToken
  timings: Timings
}

/** An edit for the engine; `kind` is the number of its Edit::Kind (src/runtime/changes/edits.hpp). */
export interface EngineEdit {
  kind: number
  /** The name of a point, in place of a layer. */
  at?: string
  layer?: number
  head?: number
  positions?: readonly number[]
  vector?: Float32Array
  /** Whether the vector has values of its own for each position. */
  each?: boolean
  factor?: number
  /** The pairs that are cut, as query, key, query, key, and so on. */
  edges?: Int32Array
}

/** Adapters, each as the number that `addAdapter` returned and its scale, and edits. */
export interface EngineChanges {
  adapters: [number, number][]
  edits: EngineEdit[]
  /** For each edit, the index of the caller's edit that it was made from. */
  indices: number[]
}

/** The options of the engine's `begin`. */
export type BeginOptions = GenerateParameters & {
  changes?: EngineChanges
  reasoning?: ReasoningLimit<number[]>
  /** Tokens that the text probably begins with. */
  expected?: readonly number[]
}

/** A request in which all positions count from the beginning of the text. */
export type Watched = Asked & { positions?: readonly number[] }

/** The values recorded in a pass, point by point, and their shapes. */
export interface Recorded {
  values: Float32Array
  shapes: WireShape[]
}

/** The logits and values of a text under the edits of one variant. */
export interface Variant {
  logits: Float32Array
  values?: Float32Array
}

/** A run over a text from its beginning, for its logits and for values at points of the passes. */
export interface DecoderRun {
  /** Processes `ids` with these changes; must be called first. */
  change(changes: EngineChanges, ids: ArrayLike<number>): void
  /**
   * Records the request in the first `tokens` tokens, and in the `source` tokens of the encoder's text; must be called before both
   * are processed.
   */
  watch(asked: Watched, tokens: number, source: number): void
  /** Runs the encoder of an encoder-decoder; the decoder then attends to its output. Returns false if interrupted. */
  encode(ids: ArrayLike<number>): boolean
  /**
   * Starts from the cached state of an earlier text with the same beginning, up to the first `most` tokens of `ids`. Returns the
   * number of tokens reused.
   */
  reuse(ids: ArrayLike<number>, most: number): number
  /** Number of the following tokens that `forward` can process at once: tiles of images may have to be processed whole. */
  nextPass(ids: ArrayLike<number>): number
  /** Logits of the last `rows` tokens: a view of the engine's memory, valid until the next call. Null if interrupted. */
  forward(ids: ArrayLike<number>, rows: number): Float32Array | null
  /** The recorded values: a view of the engine's memory, valid until the next call. */
  watched(): Float32Array
  shapes(): WireShape[]
  /**
   * Runs all tokens except the last. Returns the log-probability of each token after the first, given all tokens before it, except
   * for tokens of images; null if interrupted.
   */
  score(ids: ArrayLike<number>): Float32Array | null
  /**
   * Splits a token's logit, minus the logit of `against` unless this is -1. Returns the embedding's part, the constant, the sum,
   * the logit, and the logit before a soft cap; then for each layer the part of the attention's bias, the MLP's part, the number of
   * heads, their parts, the number of experts, and the id and the part of each.
   */
  attribute(token: number, against: number): Float64Array
  /**
   * Runs the processed text again under the edits of each variant: of as many variants, from the first, as fit in a pass. Returns
   * for each the logits of the tokens `read` at `position` (of all tokens if `read` is empty), and the values at the points of
   * `asked` up to there. Null if interrupted.
   */
  vary(variants: readonly (readonly EngineEdit[])[], position: number, read: readonly number[], asked?: Asked): Variant[] | null
  /**
   * The logit lens of recorded states from `first` on, at most `maxBatch` rows: for each the most probable tokens, as id and
   * log-probability, then the log-probabilities of `watched`.
   */
  lens(first: number, rows: number, top: number, watched: readonly number[]): Float64Array
  /** Frees this run; its state stays in the prefix cache. */
  delete(): void
}

/** A prompt with images that is read tile by tile. */
export interface PictureReading {
  done(): boolean
  /** Runs the vision tower on the next tile that the engine does not know. */
  step(): void
  /** The tokens so far; those of images are below 0. A text must begin with them before `delete`. */
  ids(): Int32Array
  delete(): void
}

/** A sound that is transcribed pass by pass. */
export interface Transcription {
  done(): boolean
  /** Runs a pass. Returns the segments that are complete now; null if interrupted. */
  step(): WireSegment[] | null
  /** How much of the sound is done, and how long it is, in hundredths of a second. */
  heard(): number
  length(): number
  /** The language; empty until it is known. */
  language(): string
  delete(): void
}

/** A text with a constraint. Methods that take too much work return null; `failure` then has the reason. */
export interface ConstrainedText {
  /**
   * Computes the next mask, between two passes. `rest` lets messages in; an error that it throws cancels the work and is no
   * failure.
   */
  prepare(rest: () => Promise<void>): Promise<void>
  /** A bit for each token that may come next, from the lowest bit of each word on. Valid until the next call. */
  mask(): Uint32Array | null
  /** Whether the token may come next; if so, appends it. */
  accept(token: number): boolean | null
  /** Whether nothing can follow. */
  finished(): boolean | null
  /** The bytes that every continuation starts with. */
  forced(): Uint8Array | null
  /** Must be the last call. */
  end(): void
  failure: string
}

/**
 * Every method throws an Error with a HeedErrorCode as its `code`, or traps. A call that reports an interruption has had no effect
 * and can be repeated. Arrays are copies unless stated otherwise.
 */
export interface Engine {
  /** Begins to transcribe samples at this rate, or with rate 0 a WAV file. */
  transcribe(sound: Uint8Array | Float32Array, rate: number, options: TranscribeParameters): Transcription
  open(options: OpenParameters): void
  input(): Uint8Array
  write(count: number): void
  bytesExpected(): number
  finish(): void
  /** After `finish`: expects the file of a projector, which is loaded by the same methods, ending with `finishProjector`. */
  openProjector(): void
  finishProjector(): ProjectorReads
  /** As `openProjector` and `finishProjector`, for the file of a draft model. */
  openDraft(): void
  finishDraft(): void
  info(): Omit<ModelInfo, 'simd' | 'memory64' | 'embedsImages' | 'acceptsImages' | 'acceptsAudio' | 'readsImages'>
  memory(): Memory
  /** The memory that a load would take, and the expected speed, from a file's header alone. Needs no `open`. */
  forecast(header: Uint8Array, options: OpenParameters): Forecast

  tokenize(text: string, addSpecial: boolean, parseSpecial: boolean): Int32Array
  tokenizeParts(parts: WirePart[], addSpecial: boolean): Int32Array
  /** As `tokenizeParts`, for parts with images and sounds, with -1 for each token of an image or a sound. */
  planPictures(parts: WirePart[], addSpecial: boolean): Int32Array
  /** Begins to read parts with images and sounds. */
  readPictures(parts: WirePart[], addSpecial: boolean): PictureReading
  /**
   * The number of tokens of an image, including those around it; then for each token made of its pixels the tile and the rectangle:
   * x, y, width and height. `most`: as `maxImageTokens`, or 0.
   */
  planImage(width: number, height: number, most: number): Float64Array
  /** Converts samples at `rate` Hz, or with rate 0 a WAV file, to samples at 16,000 Hz. */
  hear(sound: Uint8Array | Float32Array, rate: number): Float32Array
  /** The number of tokens of a sound of this many samples at 16,000 Hz: including the tokens around it, and without them. */
  planSound(samples: number): Float64Array
  detokenize(ids: ArrayLike<number>, special: boolean, tidySpaces: boolean): string
  detokenizeBytes(ids: ArrayLike<number>, special: boolean, tidySpaces: boolean): Uint8Array
  /** The tokens of a pair of texts, in the format that a reranker expects. */
  tokenizePair(first: string, second: string): Int32Array
  /** The token with exactly this text; -1 if there is none. */
  findToken(text: string): number
  /** The vocabulary in the format of the constraints module. */
  tokenTexts(): Uint8Array

  /**
   * Begins a generation and returns its number, from 1 on; `session` is the session that it continues, or 0. If the prompt is the
   * session's `whole` text, the session drops the tokens that the two do not share. Takes over `text`, even if it throws.
   */
  begin(session: number, prompt: ArrayLike<number>, options: BeginOptions, whole: boolean, text: ConstrainedText | null): number
  /** Runs one pass for all generations and sets the interrupt flag to 0. An interrupted pass returns no tokens. */
  step(): EngineEvent[]
  /** Number of prompt tokens that a generation has processed, including reused ones; 0 once it has ended. */
  promptRead(generation: number): number
  /** Ends a generation; the next step reports its end. Numbers of generations that have ended are ignored. */
  abort(generation: number): void

  // Sessions have the numbers that the first three methods return.
  createSession(): number
  forkSession(session: number): number
  restoreSession(saved: Uint8Array): number
  sessionTokens(session: number): Int32Array
  truncateSession(session: number, length: number): void
  saveSession(session: number): Uint8Array
  freeSession(session: number): void

  /** Reads an adapter from its file. Returns the number that names it in `EngineChanges`. */
  addAdapter(file: Uint8Array): number
  /** Removes an adapter and cached texts that used it. Throws `invalid-argument` if the adapter is in use. */
  removeAdapter(adapter: number): void
  /** The directions of a control vector: the layer of each, then its D values. */
  controlVector(file: Uint8Array): Float32Array

  read(): DecoderRun
  /** Embeds as many of the texts, from the first, as fit into one pass: one vector each. Null if interrupted. */
  embed(texts: ArrayLike<number>[], form: EmbeddingForm): Float32Array[] | null
  /** The logits of all positions, for a model that writes by unmasking. Null if interrupted. */
  predict(ids: ArrayLike<number>): Float32Array | null
  /**
   * Tokens for the most certain masks of a text in [from, end), at least for one if there is any: for each its position, id,
   * log-probability, and 1 if it ends a text. Null if interrupted.
   */
  unmask(ids: ArrayLike<number>, from: number, end: number, options: GenerateParameters): Float64Array | null
  /** Scores as many of the pairs, from the first, as fit into one pass: the first score of each. Null if interrupted. */
  scores(pairs: ArrayLike<number>[]): Float32Array | null
  /** The values at points of the encoder. Null if interrupted; the same holds for the next three methods. */
  recordEncoder(ids: ArrayLike<number>, asked: Watched): Recorded | null
  embedImage(
    width: number,
    height: number,
    rgba: Uint8Array | Uint8ClampedArray,
    pooling: Pooling | undefined,
    normalize: boolean,
  ): Float32Array | null
  classify(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray): Float32Array | null
  recordImage(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray, asked: Watched): Recorded | null
  labels(): string[]
  points(): EnginePoint[]
  /** The head's matrix times a vector. */
  unembed(vector: Float32Array): Float64Array
  /** x (rows x inputs) times a matrix (inputs x columns); `isTransposed`: the matrix is stored column by column. */
  multiply(rows: number, columns: number, x: Float32Array, matrix: Float32Array, isTransposed: boolean): Float32Array
  /** Some rows of a tensor in the model's file, as floats; for 0 rows, the tensor's lengths, outermost first. */
  tensor(name: string, first: number, rows: number): Float32Array
  /** The sum, the mean and the perplexity of log-probabilities. */
  scoreOf(logprobs: Float32Array): Float64Array

  /** Frees the engine and ends its threads. */
  delete(): void
}

export interface EngineModule {
  Engine: { new (): Engine; maxBatch(): number }
  /** Links the extra module, which few models and calls need, into every thread. */
  joinExtra(compiled: WebAssembly.Module): void
}

type OnInstance = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void

/** The part of `Worker` that the glue uses. */
export interface ThreadWorker {
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: unknown) => void) | null
  postMessage(message: unknown): void
  /** Resolves once it has ended, if the platform reports that. */
  terminate(): void | Promise<void>
}

/** The export of a WebAssembly module's JavaScript glue. */
export type CreateModule = (settings: {
  /** Workers that already run the glue, one for each thread besides this one. */
  workers: ThreadWorker[]
  /** A byte: setting it to 1 soon interrupts the running pass, which sets it to 0. */
  interrupt: Uint8Array
  wasmMemory: WebAssembly.Memory
  instantiateWasm: (imports: WebAssembly.Imports, onInstance: OnInstance) => object
}) => Promise<EngineModule>
