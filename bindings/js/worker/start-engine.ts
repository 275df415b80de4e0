// Starts the engine: its WebAssembly module, memory and threads.
import { newMemory64 } from '../platform/memory64.js'
import { patiently } from '../store/folder.js'
import { HeedError } from '../wire/errors.js'
import type { Call, ModuleFiles } from '../wire/protocol.js'
import { compiledOf } from './compiled.js'
import type { Engine, OpenParameters } from './engine.js'
import { type Extra, extraOf } from './extra.js'
import type { Port } from './port.js'

type Loading = Extract<Call, { type: 'load' }>

const pageBytes = 65536
const stackBytes = 2 ** 20
/** Initial memory of the module: INITIAL_MEMORY in cmake/wasm_module.cmake. */
const initialPages = (16 * 2 ** 20) / pageBytes
const mostPages = 2 ** 32 / pageBytes
/** Most memory that browsers grant: MAXIMUM_MEMORY in cmake/wasm_module.cmake. */
const mostPages64 = 2 ** 34 / pageBytes
/** Most bytes that the engine takes of 32-bit memory: kAddressLimit in src/runtime/memory_plan.cpp. */
const mostTaken = 3 * 2 ** 30

/** Reserves as much address space as the browser grants: up to 4 GiB for wasm32, 16 GiB for wasm64; phones grant less. */
function reserveMemory(memory64: boolean): { memory: WebAssembly.Memory; maximumBytes: number } {
  for (let maximum = memory64 ? mostPages64 : mostPages; ; maximum /= 2) {
    try {
      const memory = memory64
        ? newMemory64(initialPages, maximum)
        : new WebAssembly.Memory({ initial: initialPages, maximum, shared: true })
      return { memory, maximumBytes: maximum * pageBytes }
    } catch (error) {
      if (maximum / 2 >= initialPages) continue
      throw new HeedError('out-of-memory', `WebAssembly memory: ${(error as Error).message}`)
    }
  }
}

/** Whether memory can be shared with other threads; `crossOriginIsolated` alone does not guarantee it. */
export const sharesMemory = () => typeof SharedArrayBuffer !== 'undefined'

function instantiate(compiled: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(compiled, imports)
  } catch (error) {
    // If the page's policy forbids WebAssembly, WebKit compiles the module anyway and refuses only here.
    if (!(error instanceof WebAssembly.CompileError)) throw error
    throw new HeedError('unsupported', `WebAssembly: ${error.message}`)
  }
}

export interface StartedEngine {
  engine: Engine
  /** Setting this byte to 1 interrupts the engine's pass (CreateModule); shared with other threads if memory can be shared. */
  interrupt: Uint8Array
  extra: Extra
  maxBatch: number
  memory64: boolean
  /** Maximum bytes of memory, unless a lower limit is set. */
  mostBytes: number
  /** The options that the engine was opened with. */
  options: OpenParameters
  /**
   * Frees the engine, and terminates the workers of its threads unless they end with this worker (Port.endsThreads): idle ones end
   * at once, while one that waits takes seconds. Resolves once they have ended, if the platform reports that.
   */
  end(): Promise<void>
}

/** Starts the engine with its threads and opens a loader in it. */
export async function startEngine(port: Port, files: ModuleFiles, options: OpenParameters): Promise<StartedEngine> {
  const { readGlue, startThread, memoryBytes = Infinity } = port
  const { glue, memory64 } = files
  const threads = startThread && sharesMemory() ? options.threads : 1
  const [create, compiled, ...workers] = await Promise.all([
    readGlue(glue),
    compiledOf(files, port),
    ...Array.from({ length: threads - 1 }, () => startThread!(glue)),
  ])
  const { memory, maximumBytes } = await patiently(async () => reserveMemory(memory64)) // an ending worker may still hold memory
  const interrupt = new Uint8Array(sharesMemory() ? new SharedArrayBuffer(1) : new ArrayBuffer(1))
  const module = await create({
    workers,
    interrupt,
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
  const chosen = { ...options, threads, memoryLimit: Math.min(options.memoryLimit ?? memoryBytes, mostBytes) }
  engine.open(chosen)
  const end = async () => {
    engine.delete()
    if (!port.endsThreads) await Promise.all(workers.map(worker => worker.terminate()))
  }
  const extra = extraOf(module, files.extra, port)
  return { engine, interrupt, extra, maxBatch: module.Engine.maxBatch(), memory64, mostBytes, options: chosen, end }
}

/**
 * Starts the engine that a load begins with. If an engine with 64-bit memory may follow, a model that does not fit is rejected,
 * rather than given a cache of fewer bits than usual.
 */
export function startFirst(
  port: Port,
  { modules: [first, larger], options }: Pick<Loading, 'modules' | 'options'>,
): Promise<StartedEngine> {
  const mostBytes = Math.min(options.memoryLimit ?? Infinity, port.memoryBytes ?? Infinity)
  return startEngine(port, first!, { ...options, narrowsCache: !larger || mostBytes <= mostTaken })
}

/**
 * Replaces an engine that rejected a model by one with 64-bit memory. If there is none, or it would not help, throws the first
 * engine's error, with the reason if known.
 */
export async function startLarger(
  port: Port,
  { modules: [, larger], lack, options }: Pick<Loading, 'modules' | 'lack' | 'options'>,
  small: StartedEngine,
  refusal: HeedError,
): Promise<StartedEngine> {
  const isToldSo = options.memoryLimit !== undefined && options.memoryLimit <= small.mostBytes
  if (isToldSo || (!larger && !lack)) throw refusal
  if (!larger) throw new HeedError(refusal.code, `${refusal.message}. ${lack}`, refusal)
  if (port.memoryBytes !== undefined && port.memoryBytes <= small.mostBytes) {
    throw new HeedError(refusal.code, `${refusal.message}, and the machine has ${Math.round(port.memoryBytes / 1e6)} MB`, refusal)
  }
  await small.end()
  return startEngine(port, larger, options)
}
