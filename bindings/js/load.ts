// Loading in the engine worker: the bytes of a model file go into the engine's memory as they come.
import { type Engine, sharesMemory } from './engine.js'
import { HeedError, type HeedErrorCode } from './errors.js'
import type { Results } from './protocol.js'
import type { ModelFile } from './store/model-file.js'
import type { ProgressReport } from './store/progress.js'

/** Errors after which there is no use for the file. */
const unusable: ReadonlySet<HeedErrorCode> = new Set<HeedErrorCode>(['invalid-file', 'unsupported', 'out-of-memory'])

export async function load(engine: Engine, file: ModelFile, report: ProgressReport): Promise<Results['load']> {
  let loaded = 0
  const update = (always = false) => {
    const { kept = Infinity } = file
    const phase = loaded > kept || (loaded === 0 && kept === 0) ? 'download' as const : 'load' as const
    report.update({ phase, loaded, total: engine.bytesExpected() || undefined, cached: Math.min(loaded, kept) }, always)
  }
  /** A source may go on after its model, or never end. */
  const isWhole = () => engine.bytesExpected() > 0 && loaded >= engine.bytesExpected()
  try {
    while (!isWhole()) {
      const count = await file.read(loaded, engine.input())
      if (count === 0) break
      engine.write(count)
      loaded += count
      update()
    }
    await file.complete?.()
    update(true)
    engine.finish()
  } catch (error) {
    const { code } = HeedError.from(error)
    if (file.reject && unusable.has(code)) await file.reject(code)
    else await file.close()
    throw error
  }
  await file.close()
  return { info: engine.info(), interruptFlag: sharesMemory() ? engine.interruptFlag() : undefined }
}
