// Loading in the engine worker: the bytes of a model file go into the engine's memory as they come.
import type { ByteReader } from './bytes.js'
import { type Engine, sharesMemory } from './engine.js'
import type { Results } from './protocol.js'
import type { LoadProgress } from './types.js'

const progressMs = 50

export async function load(
  engine: Engine, file: ByteReader, onProgress: (progress: LoadProgress) => void,
): Promise<Results['load']> {
  let loaded = 0
  let reportedAt = -Infinity
  const report = () => {
    onProgress({ loaded, total: engine.bytesExpected() || undefined })
    reportedAt = performance.now()
  }
  /** A source may go on after its model, or never end. */
  const isWhole = () => engine.bytesExpected() > 0 && loaded >= engine.bytesExpected()
  try {
    while (!isWhole()) {
      const count = await file.read(engine.input())
      if (count === 0) break
      engine.write(count)
      loaded += count
      if (performance.now() - reportedAt >= progressMs) report()
    }
  } finally {
    file.close()
  }
  report()
  engine.finish()
  return { info: engine.info(), interruptFlag: sharesMemory() ? engine.interruptFlag() : undefined }
}
