// Reads a small file, an adapter or a control vector, as a whole in the engine worker.
import type { ModelFile } from '../store/model-file.js'
import type { ProgressReport } from '../store/progress.js'
import { HeedError } from '../wire/errors.js'
import type { Engine } from './engine.js'
import { type CallState, checkGoesOn } from './host.js'
import { rejected } from './load.js'

const partBytes = 1 << 20

/**
 * Calls `use` with all bytes of a file. Throws `aborted`, `out-of-memory` for a file larger than the engine's remaining memory, and
 * the errors of `use`.
 */
export async function useFile<Result>(
  state: CallState,
  open: () => Promise<ModelFile>,
  report: ProgressReport,
  engine: Engine,
  use: (bytes: Uint8Array, name: string) => Result,
): Promise<Result> {
  const file = await open()
  try {
    // The engine reports what does not fit, after dropping cached prefixes; this only limits how much is read.
    const bytes = await wholeOf(file, state, report, engine.memory().mostBytes - engine.info().memoryBytes)
    await file.complete?.(bytes.length)
    checkGoesOn(state)
    const result = use(bytes, file.name)
    await file.close()
    return result
  } catch (error) {
    throw await rejected(file, error)
  }
}

const tooLarge = ({ name }: ModelFile, most: number) =>
  new HeedError('out-of-memory', `${name} has more than the ${most} bytes that are left beside the model`)

function allocated(length: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length)
  } catch {
    throw new HeedError('out-of-memory', `the browser could not allocate ${length} bytes`)
  }
}

async function wholeOf(file: ModelFile, state: CallState, report: ProgressReport, most: number): Promise<Uint8Array> {
  if (file.size !== undefined && file.size > most) throw tooLarge(file, most)
  const parts: Uint8Array[] = []
  let loaded = 0
  const update = (total?: number, always = false) => {
    const { cached = Infinity } = file
    report.update({ phase: loaded > cached ? 'download' : 'load', loaded, total, cached: Math.min(loaded, cached) }, always)
  }
  for (;;) {
    const part = allocated(partBytes)
    const count = await file.read(loaded, part)
    checkGoesOn(state)
    if (count === 0) break
    parts.push(part.subarray(0, count))
    loaded += count
    if (loaded > most) throw tooLarge(file, most)
    update(file.size)
  }
  update(loaded, true)
  const bytes = allocated(loaded)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
