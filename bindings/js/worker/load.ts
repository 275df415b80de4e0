// Loading in the engine worker: reads a model file into the engine's memory as the bytes arrive.
import type { ModelFile } from '../store/model-file.js'
import type { ProgressReport } from '../store/progress.js'
import { HeedError, type HeedErrorCode } from '../wire/errors.js'
import type { Results } from '../wire/protocol.js'
import { sharesMemory, type StartedEngine } from './start-engine.js'

/** Errors that make the model unusable; `reject` then decides what remains stored of it. */
export const unusable: ReadonlySet<HeedErrorCode> = new Set<HeedErrorCode>(['invalid-file', 'unsupported', 'out-of-memory'])

/**
 * Loads the file into the engine. If the header shows that the model does not fit into the engine's memory, continues with the
 * engine that `startLarger` starts, or fails if it refuses.
 */
export async function load(
  started: StartedEngine, file: ModelFile, report: ProgressReport,
  startLarger: (small: StartedEngine, refusal: HeedError) => Promise<StartedEngine>,
): Promise<StartedEngine & { result: Results['load'] }> {
  let { engine } = started
  let loaded = 0
  let header: Uint8Array[] | undefined = []  // what arrived before the engine accepted the header
  const write = async (count: number) => {
    header?.push(engine.input().slice(0, count))
    try {
      engine.write(count)
    } catch (error) {
      const refusal = HeedError.from(error)
      const exceedsLimit = (error as { option?: string }).option === 'memoryLimit'  // as opposed to a failed allocation
      if (!header || refusal.code !== 'out-of-memory' || !exceedsLimit) throw error
      started = await startLarger(started, refusal)
      ;({ engine } = started)
      for (const bytes of header) {
        engine.input().set(bytes)
        engine.write(bytes.length)
      }
    }
    if (engine.bytesExpected() === 0) return
    header = undefined
    // A download may have announced another length, that of its compressed data.
    if (file.cached === undefined && file.size! < engine.bytesExpected()) {
      throw new HeedError('invalid-file', `${file.name} ends after ${file.size} of ${engine.bytesExpected()} bytes`)
    }
  }
  const update = (always = false) => {
    const { cached = Infinity } = file
    const phase = loaded > cached || (loaded === 0 && cached === 0) ? 'download' as const : 'load' as const
    report.update({ phase, loaded, total: engine.bytesExpected() || undefined, cached: Math.min(loaded, cached) }, always)
  }
  /** A source may continue after its model, or never end. */
  const isWhole = () => engine.bytesExpected() > 0 && loaded >= engine.bytesExpected()
  try {
    while (!isWhole()) {
      const count = await file.read(loaded, engine.input())
      if (count === 0) break
      await write(count)
      loaded += count
      update()
    }
    await file.complete?.(engine.bytesExpected())
    update(true)
    engine.finish()
  } catch (error) {
    const { code } = HeedError.from(error)
    if (file.reject && unusable.has(code)) await file.reject(code)
    else await file.close()
    throw error
  }
  await file.close()
  const info = { ...engine.info(), memory64: started.memory64 }
  return { ...started, result: { info, interruptFlag: sharesMemory() ? engine.interruptFlag() : undefined } }
}
