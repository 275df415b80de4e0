// Copies a user's model into the store: a file, or the files of a split model.
import { HeedError } from '../errors.js'
import type { Folder, StoreAccess } from './folder.js'
import { readHeader } from './gguf-header.js'
import { joinParts } from './joined.js'
import { bytesOf, dataName, Journal, keyOf, type PartRecord, removeModel, type SourceRecord } from './journal.js'
import type { ModelFile } from './model-file.js'
import { cannotStore, noSpace, notWritten } from './open-through-store.js'
import type { ProgressReport } from './progress.js'

const copyBytes = 1 << 20

/** Fails with `invalid-file` if the files are not a model, with `unsupported` or `out-of-space`, or as the files do. */
export async function importModel(
  record: SourceRecord, name: string, files: readonly ModelFile[], access: StoreAccess, report: ProgressReport,
): Promise<void> {
  const place = await access.store()
  if (!place) throw cannotStore()
  const { folder, locks } = place
  if (files.length > 1) await joinParts(files)
  else await readHeader(files[0]!)
  const total = files.reduce((sum, { size = 0 }) => sum + size, 0)
  const key = await keyOf(record)
  const held = await locks.acquire(key)
  try {
    const { free } = await folder.space()
    const available = free === undefined ? Infinity : free + await bytesOf(folder, key)
    if (available < total) throw noSpace(total, available)
    await removeModel(folder, key)
    await copyModel(record, name, files, folder, key, access, loaded => report.update({ phase: 'import', loaded, total, cached: 0 }))
  } finally {
    held.release()
  }
}

/** Leaves nothing behind if it fails. */
async function copyModel(
  record: SourceRecord, name: string, files: readonly ModelFile[], folder: Folder, key: string, access: StoreAccess,
  onBytes: (loaded: number) => void,
): Promise<void> {
  const journal = await Journal.open(folder, key)
  try {
    const parts: PartRecord[] = files.map(({ name, size }) => ({ name, size }))
    journal.write({ type: 'model', version: 1, record, name, parts })
    let before = 0
    for (const [part, file] of files.entries()) {
      const hash = await access.sha256()
      const update = (bytes: number, chunk: Uint8Array) => {
        hash.update(chunk)
        onBytes(before + bytes)
      }
      const bytes = await copy(file, folder, dataName(key, part), update)
      before += bytes
      journal.write({ type: 'complete', part, at: { bytes, sha256: hash.digest() } })
    }
    journal.write({ type: 'used', time: Date.now() })
    journal.flush()
  } catch (error) {
    journal.close()
    await removeModel(folder, key).catch(() => {})
    throw error
  }
  journal.close()
}

async function copy(
  from: ModelFile, folder: Folder, name: string, update: (bytes: number, chunk: Uint8Array) => void,
): Promise<number> {
  const to = await folder.open(name)
  try {
    const buffer = new Uint8Array(copyBytes)
    let bytes = 0
    for (let count; (count = await from.read(bytes, buffer)) > 0;) {
      const chunk = buffer.subarray(0, count)
      to.write(bytes, chunk)
      update(bytes += count, chunk)
    }
    if (from.size !== undefined && bytes !== from.size) {
      throw new HeedError('io', `${from.name} ends after ${bytes} of ${from.size} bytes`)
    }
    to.flush()
    return bytes
  } catch (error) {
    throw notWritten(error)
  } finally {
    to.close()
  }
}
