// The engine as Embind shows it (bindings/embind/module.cpp), and the start of its WebAssembly module.
import { HeedError } from './errors.js'
import type { Call, GenerateParameters, LoadParameters, Selection, WireToken } from './protocol.js'
import type { AttentionOf, FinishReason, ModelInfo, Pooling } from './types.js'
import type { Port } from './worker.js'

export type Step =
  | { kind: 'prompt', promptDone: number }
  | { kind: 'token', token: WireToken, holdsText: boolean }
  | { kind: 'end', rest: string, finishReason: FinishReason, timings: EngineTimings }

export interface EngineTimings {
  promptTokens: number
  reusedTokens: number
  generatedTokens: number
  promptSeconds: number
  generateSeconds: number
}

/** Every call throws an Error with a HeedErrorCode as its `code`, or traps. */
export interface Engine {
  open(options: LoadParameters): void
  input(): Uint8Array
  write(count: number): void
  bytesExpected(): number
  finish(): void
  info(): Omit<ModelInfo, 'simd'>
  cancelFlag(): Uint8Array
  setCancelled(cancelled: boolean): void
  tokenize(text: string, addSpecial: boolean, parseSpecial: boolean): Int32Array
  detokenize(ids: ArrayLike<number>, special: boolean, tidySpaces: boolean): string
  begin(prompt: ArrayLike<number>, options: GenerateParameters): void
  step(): Step
  restart(): void
  release(): void
  watch(selection: Selection & { of: AttentionOf | 'image' }, tokens: number, keys: number): void
  /** False where the call was cancelled. */
  encode(ids: ArrayLike<number>): boolean
  see(width: number, height: number, rgba: Uint8Array | Uint8ClampedArray): boolean
  embedding(pooling: Pooling | undefined, normalize: boolean): Float32Array
  /** Null where the call was cancelled. */
  scores(first: string, second: string): Float32Array | null
  classes(): Float32Array
  labels(): string[]
  /** The array is a view of the engine's memory, as that of `weights`. */
  forward(ids: ArrayLike<number>, rows: number): Float32Array | null
  weights(): Float32Array
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

/** As much address space as the browser grants, up to the 4 GiB of wasm32; phones grant less. */
function reserveMemory(): { memory: WebAssembly.Memory, maximumBytes: number } {
  for (let maximum = mostPages; ; maximum /= 2) {
    try {
      const memory = new WebAssembly.Memory({ initial: initialPages, maximum, shared: true })
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

/** Starts the engine with its threads, and opens a loader in it. */
export async function startEngine(
  { readGlue, compile, startThread }: Port, { glue, wasm, options }: Extract<Call, { type: 'load' }>,
): Promise<{ engine: Engine, maxBatch: number }> {
  const threads = startThread && sharesMemory() ? options.threads : 1
  const [create, compiled, ...workers] = await Promise.all([
    readGlue(glue), compile(wasm), ...Array.from({ length: threads - 1 }, () => startThread!(glue)),
  ])
  const { memory, maximumBytes } = reserveMemory()
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
  const available = maximumBytes - initialPages * pageBytes - threads * stackBytes
  engine.open({ ...options, threads, memoryLimit: Math.min(options.memoryLimit ?? available, available) })
  return { engine, maxBatch: module.Engine.maxBatch() }
}
