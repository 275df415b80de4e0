// What a page and its engine worker say to each other. Every call has a number, from 1, and so has every session.
import type { HeedErrorCode } from './errors.js'
import type {
  AttentionOf, AttentionToken, FinishReason, GenerateOptions, HubOptions, KvCache, LoadProgress, Memory, ModelInfo, NamedToken,
  Pixels, Pooling, Simd, Timings, Token,
} from './types.js'
import type { StoreResults, StoreTask } from './store/tasks.js'
import type { WebBlob, WebFileHandle } from './web-types.js'

/** Layers and heads; an empty list is all. */
export interface Selection {
  layers: number[]
  heads: number[]
}

/** What is asked of an embedding (EmbedOptions). */
export interface EmbeddingForm {
  pooling?: Pooling
  dimensions?: number
  normalize?: boolean
}

/** A model file as the worker gets at it: by itself, or pushed to it chunk by chunk. */
export type FileSource =
  /** `own`: it comes with the package. */
  | { kind: 'url', url: string, own?: boolean }
  | { kind: 'path', path: string }
  /** A File loses its name on the way to a worker, in Node. */
  | { kind: 'blob', blob: WebBlob, name?: string }
  | { kind: 'handle', handle: WebFileHandle }
  | { kind: 'pushed' }
  /** A text that starts with hf: */
  | { kind: 'hub', source: string, options: HubOptions }
  /** What the store has: by a name of its own, or as it is listed. */
  | { kind: 'stored', source: string, revision?: string, endpoint?: string }
  /** The parts of a split model, in any order. */
  | { kind: 'set', parts: FileSource[] }

/** A model to open, or to keep. */
export interface ModelRequest {
  source: FileSource
  /** Whether it is kept. */
  cache?: boolean
  /** The SHA-256 of each file, in hexadecimal. */
  integrity?: string[]
  /** How long nothing may come before it is asked for anew. */
  stallMs?: number
}

/** Options of `generate` in the form that the engine reads. */
export interface GenerateParameters
  extends Omit<GenerateOptions, 'signal' | 'logitBias' | 'stop' | 'attention' | 'speculate' | 'contextShift'> {
  addSpecial: boolean
  parseSpecial: boolean
  seed: number
  speculate: boolean
  /** Tokens to keep. */
  contextShift?: number
  logitBias?: [number, number][]
  stop?: string[]
  attention?: Selection & { of?: 'decoder' | 'cross' }
}

export interface LoadParameters {
  threads: number
  contextLength?: number
  kvCache?: KvCache
  memoryLimit?: number
  parallel?: number
  prefixCache?: number
}

/** The WebAssembly modules: two with memory of 32 bits, and that of relaxed SIMD with 64. */
export type ModuleName = Simd | 'memory64'

/** The addresses of a module's glue and of itself. */
export interface ModuleFiles {
  glue: string
  wasm: string
  memory64: boolean
}

export type WirePart = string | { control: string } | { ids: number[] }
/** As `Prompt` (types.ts), in plain data. */
export type WirePrompt = string | number[] | { parts: WirePart[] }

export type Call =
  /**
   * The first of the `modules` is started, and the second where the model does not fit into its memory; `lack` says why there is
   * none. `store` is the address of the store's script.
   */
  | { type: 'load', request: ModelRequest, modules: ModuleFiles[], lack?: string, store?: string, options: LoadParameters }
  /** Needs no engine: a worker that is asked for it never starts one. */
  | { type: 'store', store?: string } & StoreTask
  | { type: 'tokenize', prompt: WirePrompt, addSpecial: boolean, parseSpecial: boolean }
  | { type: 'detokenize', ids: number[], special: boolean, tidySpaces: boolean }
  /** `session` is that which it goes on from. */
  | { type: 'generate', prompt: WirePrompt, session?: number, options: GenerateParameters }
  | { type: 'logits', ids: number[], source?: WirePrompt, positions?: readonly number[] | 'all' }
  | { type: 'attention', prompt: WirePrompt, source?: WirePrompt, addSpecial: boolean
      parseSpecial: boolean, selection: Selection & { of: AttentionOf } }
  | { type: 'gates', prompt: WirePrompt, addSpecial: boolean, parseSpecial: boolean, layers: readonly number[] }
  | { type: 'embed', prompts: WirePrompt[], addSpecial: boolean, parseSpecial: boolean, form: EmbeddingForm }
  | { type: 'rerank', query: string, documents: string[] }
  | { type: 'embedImages', images: Pixels[], pooling?: Pooling, normalize: boolean }
  | { type: 'classify', image: Pixels }
  | { type: 'imageAttention', image: Pixels, selection: Selection }
  | { type: 'memory' }
  | { type: 'openSession', session: number }
  /** `from` is another session, which it begins as. */
  | { type: 'forkSession', session: number, from: number }
  | { type: 'restoreSession', session: number, bytes: Uint8Array }
  | { type: 'truncateSession', session: number, length: number }
  | { type: 'sessionTokens', session: number }
  | { type: 'saveSession', session: number }
  | { type: 'closeSession', session: number }

export interface Results {
  /** `interruptFlag`, where memory is shared: a byte that, set to 1, makes the engine look for messages soon. */
  load: { info: Omit<ModelInfo, 'simd'>, interruptFlag?: Uint8Array }
  store: StoreResults[keyof StoreResults]
  tokenize: number[]
  detokenize: string
  /** `tokens`: what the session holds then. */
  generate: { finishReason: FinishReason, endToken?: NamedToken, timings: Timings, tokens?: Int32Array }
  logits: Float32Array
  attention: { tokens: AttentionToken[], sourceTokens: AttentionToken[], weights: Float32Array }
  /** `values`: [layer][decay, then write][head][token]. */
  gates: { tokens: AttentionToken[], values: Float32Array }
  embed: Float32Array[]
  rerank: number[]
  embedImages: Float32Array[]
  classify: { labels: string[], weights: Float32Array }
  imageAttention: { weights: Float32Array }
  memory: Memory
  openSession: void
  /** Of sessions, the tokens that they hold. */
  forkSession: Int32Array
  restoreSession: Int32Array
  truncateSession: Int32Array
  sessionTokens: Int32Array
  saveSession: Uint8Array
  closeSession: void
}

/** Attention weights travel as one array; the page cuts it into layers and heads. */
export type WireToken = Omit<Token, 'attention'> & { attention?: Float32Array }

export type ToEngine =
  | Call & { id: number }
  /** Ends a call; one that there is not (any more) is nothing. */
  | { type: 'abort', id: number }
  /** Answers `pull`; no bytes where the file ends. */
  | { type: 'chunk', bytes?: Uint8Array }

/** What happens to a call. */
export type CallEvent =
  | { type: 'pull' }
  | { type: 'progress', progress: LoadProgress }
  | { type: 'token', token: WireToken }
  | { type: 'done', result: Results[keyof Results] }
  | { type: 'failed', code: HeedErrorCode, message: string }

export type FromEngine = CallEvent & { id: number }
