// Loading in the engine worker: reads a model file into the engine's memory as the bytes arrive.
import type { ModelFile } from '../store/model-file.js'
import type { ProgressReport } from '../store/progress.js'
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import type { Results } from '../wire/protocol.js'
import type { Engine } from './engine.js'
import { withExtra } from './extra.js'
import { sharesMemory, type StartedEngine } from './start-engine.js'

/** Errors because of which the file cannot be used; `reject` then decides what remains of it in the store. */
const unusable: ReadonlySet<HeedErrorCode> = new Set<HeedErrorCode>(['invalid-file', 'unsupported', 'out-of-memory'])

/**
 * Closes a file that has failed, and returns the error with the file's name: the engine does not know which of several files it
 * reads.
 */
export async function rejected(file: ModelFile, error: unknown): Promise<unknown> {
  const { code, message } = HeedError.from(error)
  if (file.reject && unusable.has(code)) await file.reject(code)
  else await file.close()
  const isAboutFile = code === 'invalid-file' || code === 'unsupported'
  return isAboutFile && !message.includes(file.name) ? new HeedError(code, `${file.name}: ${message}`, { cause: error }) : error
}

/** Adds the context length that would fit, read from the message: the engine's errors have only a code and a sentence. */
function withContext(refusal: HeedError): HeedError {
  const contextLength = Number(/a context of (\d+) fits$/.exec(refusal.message)?.[1]) || undefined
  return contextLength ? new HeedError(refusal.code, refusal.message, { cause: refusal.cause, contextLength }) : refusal
}

/** The functions that take the bytes of a file from the engine's memory. */
interface Taking {
  engine(): Engine
  write(count: number): Promise<void> | void
  finish(): void
  isAborted?(): boolean
}

/** Reads a file into the engine's memory. Throws `aborted`, and the engine's errors. */
export async function readInto(
  { engine, write, finish, isAborted }: Taking,
  file: ModelFile,
  report: ProgressReport,
): Promise<void> {
  let loaded = 0
  const expected = () => engine().bytesExpected()
  const update = (always = false) => {
    const { cached = Infinity } = file
    const phase = loaded > cached || (loaded === 0 && cached === 0) ? ('download' as const) : ('load' as const)
    const total = expected() || undefined
    const read = Math.min(loaded, total ?? loaded) // without any data after the model in its file
    report.update({ phase, loaded: read, total, cached: Math.min(read, cached) }, always)
  }
  /** The source may have data after its model, or never end. */
  const isWhole = () => expected() > 0 && loaded >= expected()
  try {
    while (!isWhole()) {
      const place = engine().input()
      const count = await file.read(loaded, place)
      if (isAborted?.()) throw HeedError.aborted()
      if (!(count >= 0 && count <= place.length))
        throw new HeedError('io', `${file.name}: ${count} bytes were read into ${place.length}`)
      if (count === 0) break
      await write(count)
      // A download may have announced the length of its compressed data instead.
      if (expected() > 0 && file.cached === undefined && file.size! < expected()) {
        throw new HeedError('invalid-file', `${file.name} ends after ${file.size} of ${expected()} bytes`)
      }
      loaded += count
      update()
    }
    await file.complete?.(expected())
    update(true)
    finish()
  } catch (error) {
    throw await rejected(file, error)
  }
  await file.close()
}

/**
 * Loads the file into the engine. If the header shows that the model does not fit into the engine's memory, continues with the
 * engine that `startLarger` starts, or fails as `startLarger` does.
 */
export async function load(
  started: StartedEngine,
  file: ModelFile,
  report: ProgressReport,
  startLarger: (small: StartedEngine, refusal: HeedError) => Promise<StartedEngine>,
  onHeader: (bytes: readonly Uint8Array[]) => void,
): Promise<StartedEngine & { result: Results['load'] }> {
  let { engine } = started
  let header: Uint8Array[] | undefined = [] // bytes that arrived before the engine accepted the header
  const write = async (count: number) => {
    header?.push(engine.input().slice(0, count))
    try {
      await withExtra(started.extra, () => engine.write(count))
    } catch (error) {
      const refusal = HeedError.from(error)
      const exceedsLimit = (error as { option?: string }).option === 'memoryLimit' // as opposed to a failed allocation
      if (!header || refusal.code !== 'out-of-memory' || !exceedsLimit) throw error
      started = await startLarger(started, withContext(refusal))
      ;({ engine } = started)
      for (const bytes of header) {
        engine.input().set(bytes)
        await withExtra(started.extra, () => engine.write(bytes.length))
      }
    }
    if (!header || engine.bytesExpected() === 0) return
    onHeader(header)
    header = undefined
  }
  await readInto({ engine: () => engine, write, finish: () => engine.finish() }, file, report)
  const info = { ...engine.info(), memory64: started.memory64 }
  return { ...started, result: { info, interruptFlag: sharesMemory() ? started.interrupt : undefined } }
}
