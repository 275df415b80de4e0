// The messages between a page and its engine worker. Calls and sessions are numbered from 1.
import type {
  AttentionOf,
  AttentionToken,
  Attribution,
  FinishReason,
  Hidden,
  Lens,
  LensPrediction,
  LoadProgress,
  Memory,
  Metadata,
  ModelInfo,
  NamedToken,
  Pixels,
  Score,
  Timings,
  Token,
  UnmaskedStep,
} from '../types/index.js'
import type { WireSegment } from './audio.js'
import type { WireChanges } from './changes.js'
import type { HeedErrorCode } from './errors.js'
import type { ConstraintInfo, WireConstraint, Outline } from './constraint.js'
import type { ModuleFiles, WasmFile } from './module-files.js'
import type { KeptRange, ModelRequest } from './model-request.js'
import type { StoreResults, StoreTask } from './store-tasks.js'
import type {
  AttributeParameters,
  DetokenizeParameters,
  EmbeddingForm,
  GenerateParameters,
  HiddenParameters,
  ImageParameters,
  LensParameters,
  LoadParameters,
  LogitsParameters,
  TranscribeParameters,
} from './options.generated.js'
import type { SweepShape, SweptCells, WireSweep } from './sweep.js'
import type { Selection, WirePrompt, WireText, WireTextImage } from './text.js'

export type { CompiledModule, ModuleFiles, WasmFile } from './module-files.js'
export type { EmbeddingForm, GenerateParameters, LoadParameters } from './options.generated.js'
export type {
  Selection,
  TokenName,
  WireImage,
  WireMedia,
  WirePart,
  WirePrompt,
  WireSound,
  WireText,
  WireTextImage,
} from './text.js'

/** The limit of the reasoning in a text, and the markers of the reasoning (ReasoningBudget in src/runtime/reasoning_budget.hpp). */
export interface ReasoningLimit<Ending = WirePrompt> {
  begun: boolean
  open: string
  closes: readonly string[]
  maxTokens: number
  ending: Ending
}

/** The options of generating a text. */
export type WritingParameters = GenerateParameters &
  WireChanges & {
    /** Whether to report how much of the prompt has been processed. */
    reportsReading: boolean
    reasoning?: ReasoningLimit
  }

/** A file of weights beside those of the model. */
export type FileBeside = 'projector' | 'draft'

/** The files of constraints: the module, and the address of its script, which is undefined if the worker's script contains it. */
export interface ConstraintFiles extends WasmFile {
  script?: string
}

export type Call =
  /**
   * Starts the first of `modules`, or the second if the model does not fit into the memory of the first; `lack` is the reason if
   * there is no second one. `store` and `lab` are the addresses of the scripts for these, if they are separate.
   */
  | {
      type: 'load'
      request: ModelRequest
      modules: ModuleFiles[]
      lack?: string
      store?: string
      constraints: ConstraintFiles
      lab?: string
      /** Set to keep texts and answers: the address of the script for this, if it is separate, and the most bytes to keep. */
      keep?: { script?: string; bytes?: number }
      options: LoadParameters
    }
  /** A task of the store. It needs no engine; a worker that gets no other call never starts one. */
  | ({ type: 'store'; store?: string } & StoreTask)
  | { type: 'tokenize'; prompt: WirePrompt; addSpecial: boolean; parseSpecial: boolean }
  | ({ type: 'imageTokens'; width: number; height: number } & ImageParameters)
  | { type: 'audioTokens'; samples: number }
  /** Converts a sound to samples as prompts have them. `sound`: samples of one channel at this rate; with rate 0, a WAV file. */
  | { type: 'hear'; sound: Uint8Array | Float32Array; rate: number }
  | ({ type: 'detokenize'; ids: number[] } & DetokenizeParameters)
  /**
   * `session` is the session to continue or, with `whole`, the session whose text the prompt replaces; `resumes` names an
   * unfinished answer that is written again.
   */
  | {
      type: 'generate'
      prompt: WirePrompt
      session?: number
      whole?: boolean
      constraint?: Outline
      options: WritingParameters
      resumes?: string
      /** Tokens that the text is expected to begin with, which are verified together; only for a text that is not kept. */
      expected?: readonly number[]
    }
  /** `unfinished` lists the unfinished answers of a model that keeps them; `forget` drops one of them. */
  | { type: 'unfinished' }
  | { type: 'forget'; name: string }
  /** Keeps the compiled constraint until `release`. */
  | { type: 'compile'; constraint: WireConstraint }
  | { type: 'release'; constraint: WireConstraint }
  | { type: 'accepts'; constraint: WireConstraint; text: string }
  | ({ type: 'logits' } & LogitsParameters & WireText & WireChanges)
  | ({ type: 'attention'; asked: Asked; source?: WirePrompt } & WireText & WireChanges)
  /** `positions` count from the end if they are negative; error messages name `call`. */
  | ({ type: 'trace'; call: string; asked: Asked; positions?: readonly number[]; source?: WirePrompt } & WireText & WireChanges)
  /** `positions` count from the end if they are negative. For `hidden`, `lens` and `score`, undefined means the default. */
  | ({ type: 'hidden' } & HiddenParameters & WireText & WireChanges)
  | ({ type: 'lens' } & LensParameters & WireText & WireChanges)
  | ({ type: 'score'; continuations?: WirePrompt[] } & WireText & WireChanges)
  | ({ type: 'attribute' } & AttributeParameters & WireText & WireChanges)
  | ({ type: 'sweep' } & WireSweep & Omit<WireText, 'prompt'> & WireChanges)
  /** The points of the decoder. */
  | { type: 'points' }
  /** Multiplies the head's matrix by a vector. */
  | { type: 'unembed'; vector: Float32Array }
  /** Multiplies rows by a matrix of the caller's (page/lab/features/products.ts). */
  | { type: 'multiply'; x: Float32Array; rows: number; values: Float32Array; columns: number; isTransposed?: boolean }
  /** Reads rows of a tensor in the model's file; without `rows`, all of them. */
  | { type: 'weights'; name: string; rows?: readonly [first: number, end: number] }
  /** Reads a small file as a whole. */
  | { type: 'readFile'; request: ModelRequest; store?: string }
  /** `store` is the same as for `load`. */
  | { type: 'loadAdapter'; name: string; request: ModelRequest; store?: string }
  | { type: 'unloadAdapter'; name: string }
  | { type: 'controlVector'; request: ModelRequest; store?: string }
  /** Must be called before any text is processed; the projector is loaded first. */
  | { type: 'loadBeside'; what: FileBeside; request: ModelRequest; store?: string }
  | { type: 'embed'; prompts: WirePrompt[]; addSpecial: boolean; parseSpecial: boolean; truncate: boolean; form: EmbeddingForm }
  | { type: 'rerank'; query: string; documents: string[] }
  | { type: 'embedImages'; images: Pixels[]; pooling?: EmbeddingForm['pooling']; normalize: boolean }
  | { type: 'classify'; image: Pixels }
  /** `sound`: samples at this rate, or with rate 0 the bytes of a WAV file. */
  | { type: 'transcribe'; sound: Uint8Array | Float32Array; rate: number; options: TranscribeParameters }
  | { type: 'imageAttention'; image: Pixels; selection: Selection }
  | { type: 'memory' }
  /** Reads the header of the model's file or of its projector's file again. */
  | { type: 'metadata'; file: 'model' | 'projector'; request: ModelRequest; store?: string }
  | { type: 'openSession'; session: number }
  /** The new session starts as a copy of `from`. */
  | { type: 'forkSession'; session: number; from: number }
  | { type: 'restoreSession'; session: number; bytes: Uint8Array }
  | { type: 'truncateSession'; session: number; length: number }
  | { type: 'sessionTokens'; session: number }
  | { type: 'saveSession'; session: number }
  | { type: 'closeSession'; session: number }

/** What a call reads inside a model (Asked in src/runtime/requests.hpp). */
export interface Asked {
  what: 'attention' | 'norms' | 'parts' | 'states' | 'gates' | 'head' | 'attribution' | 'points'
  points?: readonly string[]
  of?: AttentionOf | 'image'
  layers?: readonly number[]
  heads?: readonly number[]
}

/** The point of recorded values, the kind of its axes (PointAxes in src/nn/points.hpp), and the length of each axis. */
export interface WireShape {
  point: string
  axes: number
  shape: Float64Array
}

/** An answer whose tab or process ended: the call, and the answer as far as it was written. */
export interface UnfinishedAnswer {
  name: string
  prompt: readonly number[]
  options: WritingParameters
  constraint?: Outline
  startedAt: number
  text: string
  tokens: number
}

/** A point of the decoder; `axes` as in `WireShape`. */
export interface WirePoint {
  point: string
  axes: number
  parts: number
  width: number
}

/** The parts of prompts that a projector reads. */
export interface ProjectorReads {
  readonly images: boolean
  readonly audio: boolean
}

/** A result in which images are described by numbers. */
type WireImages<Result> = Omit<Result, 'images'> & { images: WireTextImage[] }

export interface Results {
  /** `interruptFlag`, if memory is shared: setting this byte to 1 makes the engine check for messages soon. */
  load: {
    info: Omit<ModelInfo, 'simd' | 'embedsImages' | 'acceptsImages' | 'acceptsAudio' | 'readsImages'>
    interruptFlag?: Uint8Array
  }
  store: StoreResults[keyof StoreResults]
  tokenize: number[]
  imageTokens: number
  audioTokens: number
  hear: Float32Array
  detokenize: string | Uint8Array
  /** `tokens`: the tokens of the session afterwards; `answer`: the file of the answer, to be forgotten once the caller has the result. */
  generate: { finishReason: FinishReason; endToken?: NamedToken; timings: Timings; tokens?: Int32Array; answer?: string }
  unfinished: UnfinishedAnswer[]
  forget: void
  /** The properties of the compiled constraint, with the schema's keywords that are not enforced. */
  compile: ConstraintInfo
  release: void
  accepts: boolean
  logits: Float32Array
  attention: { tokens: AttentionToken[]; sourceTokens: AttentionToken[]; weights: Float32Array; images: WireTextImage[] }
  /** `values` has the points one after another. `positions` has the requested positions, counted from 0. */
  trace: {
    tokens: AttentionToken[]
    sourceTokens: AttentionToken[]
    positions?: number[]
    values: Float32Array
    shapes: WireShape[]
    images: WireTextImage[]
  }
  /** `states`: [layer][position][D]. */
  hidden: WireImages<Omit<Hidden, 'layers' | 'states'> & { states: Float32Array }>
  lens: WireImages<Omit<Lens, 'layers'> & { predictions: LensPrediction[] }>
  score: Score[]
  attribute: WireImages<Attribution>
  sweep: SweepShape
  points: WirePoint[]
  unembed: Float64Array
  multiply: Float32Array
  weights: { shape: number[]; data: Float32Array }
  readFile: Uint8Array
  loadAdapter: void
  unloadAdapter: void
  /** Which parts of prompts a projector reads. */
  loadBeside: ProjectorReads | undefined
  /** For each direction, its layer and then its D values. */
  controlVector: Float32Array
  embed: Float32Array[]
  rerank: number[]
  embedImages: Float32Array[]
  classify: { labels: string[]; weights: Float32Array }
  imageAttention: { weights: Float32Array }
  transcribe: void
  memory: Memory
  metadata: Metadata
  openSession: void
  /** The result of `forkSession` and the next three calls is the tokens of the session. */
  forkSession: Int32Array
  restoreSession: Int32Array
  truncateSession: Int32Array
  sessionTokens: Int32Array
  saveSession: Uint8Array
  closeSession: void
}

/** Attention weights are sent as one array, which the page splits into layers and heads. */
export type WireToken = Omit<Token, 'attention'> & { attention?: Float32Array }

export type ToEngine =
  | (Call & { id: number })
  /** Ends a call; ignored if the call has already ended. */
  | { type: 'abort'; id: number }
  /** The answer to the `pull` of this number; without bytes at the end of the file. */
  | { type: 'chunk'; pull: number; bytes?: Uint8Array }
  /** The port of the template worker, which sends requests for tokenization over it (TokenizeRequest). */
  | { type: 'templates'; port: MessagePort }

/** The progress or the end of a call. */
export type CallEvent =
  /** Asks for the next chunk, or for a range of a Blob that could not be sent. */
  | { type: 'pull'; pull: number; range?: KeptRange }
  | { type: 'progress'; progress: LoadProgress }
  /** The places of the images among the prompt's tokens; precedes the first `token`. */
  | { type: 'images'; images: WireTextImage[] }
  /** How many tokens of a prompt have been processed; the last report before the first `token` is for the whole prompt. */
  | { type: 'read'; done: number; total: number }
  | { type: 'unmasked'; step: UnmaskedStep }
  | { type: 'token'; token: WireToken }
  /** The values of further cells of a sweep. */
  | ({ type: 'swept' } & SweptCells)
  /** Number of texts that `embed` has finished. */
  | { type: 'embedded'; count: number }
  /** Segments that are complete; `done`: how many seconds of the sound have been transcribed, of `total`. */
  | { type: 'transcribed'; segments: WireSegment[]; language: string; done: number; total: number }
  | { type: 'done'; result: Results[keyof Results] }
  | { type: 'failed'; code: HeedErrorCode; message: string; index?: number; contextLength?: number }

/** A compiled module, for later models; belongs to no call. */
export type Compiled = { type: 'compiled' } & Required<WasmFile>

export type FromEngine = (CallEvent & { id: number }) | Compiled
