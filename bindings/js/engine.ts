// The engine as Embind shows it (bindings/embind/module.cpp), and the start of its WebAssembly module.
import { HeedError, type HeedErrorCode } from './errors.js'
import { newMemory64 } from './platform/memory64.js'
import type {
  Call, EmbeddingForm, GenerateParameters, LoadParameters, ModuleFiles, Selection, WirePart, WireToken,
} from './protocol.js'
import type { AttentionOf, FinishReason, ModelInfo, NamedToken, Pooling } from './types.js'
import type { Port } from './worker.js'

/** What a pass did for one of the texts that are being written; `id` is that of its call. */
export type Step = { id: number } & (
  | { kind: 'prompt', promptDone: number }
  | { kind: 'token', token: WireToken, holdsText: boolean }
  | { kind: 'end', rest: string, finishReason: FinishReason, endToken?: NamedToken, timings: EngineTimings }
  /** It cannot go on. */
  | { kind: 'failed', code: HeedErrorCode, message: string })

export interface EngineTimings {
  promptTokens: number
  reusedTokens: number
  generatedTokens: number
  guessedTokens: number
  acceptedTokens: number
  promptSeconds: number
  generateSeconds: number
}

export interface EngineMemory {
  bytes: number
  mostBytes: number
}

/** A text that is read from its beginning, for its logits, its attention or its gates. */
export interface Reading {
  /** Records attention while the next `tokens` tokens are read, to `keys` tokens. */
  watch(selection: Selection & { of: AttentionOf }, tokens: number, keys: number): void
  /** What the decoder attends to, in a model with an encoder beside it. False where it was interrupted. */
  encode(ids: ArrayLike<number>): boolean
  /**
   * Takes over what was read before of a text that begins as `ids` does: as many of the first `most` tokens as there are.
   * Returns how many.
   */
  reuse(ids: ArrayLike<number>, most: number): number
  /** Logits of the last `rows` tokens: a view of the engine's memory, good until the next call. Null where it was interrupted. */
  forward(ids: ArrayLike<number>, rows: number): Float32Array | null
  /** Records the gates of recurrent layers instead. */
  watchGates(layers: readonly number[], tokens: number): void
  /** What was watched: a view, as that of `forward`. */
  watched(): Float32Array
  /** Frees it; what it read is kept for texts that begin alike. */
  delete(): void
}

/**
 * Every call throws an Error with a HeedErrorCode as its `code`, or traps. Where a call says that it was interrupted, nothing
 * has changed, and it may be made again. Arrays are copies unless it says otherwise.
 */
export interface Engine {
  open(options: LoadParameters): void
  input(): Uint8Array
  write(count: number): void
  bytesExpected(): number
  finish(): void
  info(): Omit<ModelInfo, 'simd' | 'memory64'>
  memory(): EngineMemory

  /** A byte of the engine's memory: what runs is interrupted soon after it is set to 1, until it is lowered. */
  interruptFlag(): Uint8Array
  lowerInterruptFlag(): void

  tokenize(text: string, addSpecial: boolean, parseSpecial: boolean): Int32Array
  tokenizeParts(parts: WirePart[], addSpecial: boolean): Int32Array
  detokenize(ids: ArrayLike<number>, special: boolean, tidySpaces: boolean): string
  /** The tokens of two texts as a reranker reads them. */
  tokenizePair(first: string, second: string): Int32Array

  /** Begins a text; `session` is that which it goes on from, or 0. */
  begin(id: number, session: number, prompt: ArrayLike<number>, options: GenerateParameters): void
  /** Whether there are texts to be written. */
  writes(): boolean
  /** One pass for all of them; where it is interrupted, there are no steps, and the flag is lowered. */
  pass(): Step[]
  /** Ends a text; its step comes with the next pass. One that there is not (any more) is nothing. */
  abort(id: number): void

  // Sessions, by numbers of the caller's.
  openSession(id: number): void
  forkSession(from: number, to: number): void
  sessionTokens(id: number): Int32Array
  truncateSession(id: number, length: number): void
  saveSession(id: number): Uint8Array
  restoreSession(id: number, saved: Uint8Array): void
  closeSession(id: number): void

  read(): Reading
  /** As many of the texts, from the first on, as go through in one pass: a vector each. Null where it was interrupted. */
  embed(texts: ArrayLike<number>[], form: EmbeddingForm): Float32Array[] | null
  /** The same for pairs, and a reranker's first score of each. */
  scores(pairs: ArrayLike<number>[]): Float32Array | null
  /** `[layer][head][tokens][tokens]` of the encoder. Null where it was interrupted, as what follows. */
  encoderAttention(ids: ArrayLike<number>, selection: Selection): Float32Array | null
  embedImage(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray, pooling: Pooling | undefined,
    normalize: boolean): Float32Array | null
  classify(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray): Float32Array | null
  imageAttention(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray, selection: Selection): Float32Array | null
  labels(): string[]
}

interface EngineModule {
  Engine: { new(): Engine, maxBatch(): number }
}

type OnInstance = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void

/** As much of a `Worker` as the glue uses. */
export interface ThreadWorker {
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: unknown) => void) | null
  postMessage(message: unknown): void
  terminate(): void
}

/** What the JavaScript glue of a WebAssembly module exports. */
export type CreateModule = (settings: {
  /** Workers that run the glue already, one for each thread beside this one. */
  workers: ThreadWorker[]
  wasmMemory: WebAssembly.Memory
  instantiateWasm: (imports: WebAssembly.Imports, onInstance: OnInstance) => object
}) => Promise<EngineModule>

const pageBytes = 65536
const stackBytes = 2 ** 20
/** What the module itself is linked to start with: INITIAL_MEMORY in cmake/wasm_module.cmake. */
const initialPages = 16 * 2 ** 20 / pageBytes
const mostPages = 2 ** 32 / pageBytes
/** What browsers give at most: MAXIMUM_MEMORY in cmake/wasm_module.cmake. */
const mostPages64 = 2 ** 34 / pageBytes
/** Of 32-bit memory, what the engine takes at most: kAddressLimit in src/runtime/load.cpp. */
const mostTaken = 3 * 2 ** 30

/** As much address space as the browser grants, up to the 4 GiB of wasm32, or 16 of wasm64; phones grant less. */
function reserveMemory(memory64: boolean): { memory: WebAssembly.Memory, maximumBytes: number } {
  for (let maximum = memory64 ? mostPages64 : mostPages; ; maximum /= 2) {
    try {
      const memory = memory64 ? newMemory64(initialPages, maximum)
        : new WebAssembly.Memory({ initial: initialPages, maximum, shared: true })
      return { memory, maximumBytes: maximum * pageBytes }
    } catch (error) {
      if (maximum / 2 >= initialPages) continue
      throw new HeedError('out-of-memory', `WebAssembly memory: ${(error as Error).message}`)
    }
  }
}

/** Whether memory can be shared with other threads; `crossOriginIsolated` alone does not tell. */
export const sharesMemory = () => typeof SharedArrayBuffer !== 'undefined'

function instantiate(compiled: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(compiled, imports)
  } catch (error) {
    // Where the page's policy forbids WebAssembly, WebKit compiles all the same, and refuses only here.
    if (!(error instanceof WebAssembly.CompileError)) throw error
    throw new HeedError('unsupported', `WebAssembly: ${error.message}`)
  }
}

export interface StartedEngine {
  engine: Engine
  maxBatch: number
  memory64: boolean
  /** Bytes that it may take, unless it was told a lower limit. */
  mostBytes: number
  /** Ends its threads. */
  stop(): void
}

/** Starts the engine with its threads, and opens a loader in it. */
export async function startEngine(
  { readGlue, compile, startThread, memoryBytes = Infinity }: Port, { glue, wasm, memory64 }: ModuleFiles, options: LoadParameters,
): Promise<StartedEngine> {
  const threads = startThread && sharesMemory() ? options.threads : 1
  const [create, compiled, ...workers] = await Promise.all([
    readGlue(glue), compile(wasm), ...Array.from({ length: threads - 1 }, () => startThread!(glue)),
  ])
  const { memory, maximumBytes } = reserveMemory(memory64)
  const module = await create({
    workers,
    wasmMemory: memory,
    instantiateWasm(imports, onInstance) {
      const instance = instantiate(compiled, imports)
      onInstance(instance, compiled)
      return instance.exports
    },
  })
  const engine = new module.Engine()
  const granted = maximumBytes - initialPages * pageBytes - threads * stackBytes
  const mostBytes = memory64 ? Math.min(granted, memoryBytes) : Math.min(granted, mostTaken)
  engine.open({ ...options, threads, memoryLimit: Math.min(options.memoryLimit ?? mostBytes, mostBytes) })
  const stop = () => { for (const worker of workers) worker.terminate() }
  return { engine, maxBatch: module.Engine.maxBatch(), memory64, mostBytes, stop }
}

/**
 * In place of an engine that refused a model, one with 64-bit memory. Throws `refusal` where that would refuse it as well, and
 * where there is none.
 */
export async function startLarger(
  port: Port, { modules: [, larger], lack, options }: Extract<Call, { type: 'load' }>, small: StartedEngine, refusal: HeedError,
): Promise<StartedEngine> {
  const isToldSo = options.memoryLimit !== undefined && options.memoryLimit <= small.mostBytes
  if (isToldSo || (!larger && !lack)) throw refusal
  if (!larger) throw new HeedError(refusal.code, `${refusal.message}. ${lack}`)
  if (port.memoryBytes !== undefined && port.memoryBytes <= small.mostBytes) {
    throw new HeedError(refusal.code, `${refusal.message}, and the machine has ${Math.round(port.memoryBytes / 1e6)} MB`)
  }
  small.stop()
  return startEngine(port, larger, options)
}
