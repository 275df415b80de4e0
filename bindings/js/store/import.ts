// Copies a user's model into the store: a file, or the files of a split model.
import { HeedError } from '../wire/errors.js'
import { cannotStore, noSpace, notWritten } from './errors.js'
import type { Folder, StoreAccess } from './folder.js'
import { checkLength, readExtent } from './extent.js'
import { joinParts } from './joined.js'
import { dataName, isComplete, Journal, keyOf, loadState, type ModelState, removeModel, removeOtherCopy } from './journal.js'
import type { Line, PartRecord, SourceRecord } from './journal-lines.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'
import { splitName } from './split-name.js'

const copyBytes = 1 << 20
/** Milliseconds for which another import or download of the same name may report nothing. */
const patienceMs = 600_000

/**
 * A model of the same name stays until the new one is complete. Fails with `invalid-file` if the files are not a model, with
 * `unsupported` or `out-of-space`, or as the files do.
 */
export async function importModel(
  record: SourceRecord,
  name: string,
  files: readonly ModelFile[],
  access: StoreAccess,
  report: ProgressReport,
): Promise<void> {
  const place = await access.store()
  if (!place) throw cannotStore()
  const { folder, locks } = place
  if (files.length > 1 || splitName(files[0]!.name)) await joinParts(files)
  else await checkWhole(files[0]!)
  const total = files.reduce((sum, { size = 0 }) => sum + size, 0)
  const key = await keyOf(record)
  const held = await locks.acquire(key, patienceMs)
  try {
    const earlier = await findEarlier(folder, key)
    const { free = Infinity } = await folder.space()
    if (free < total) throw noSpace(total, free)
    const copy = earlier && !earlier.copy ? 1 : undefined
    const note = (parts: PartRecord[]) => writeJournal(folder, key, { type: 'model', version: 1, record, name, parts, copy })
    const update = (loaded: number) => {
      report.update({ phase: 'import', loaded, total, cached: 0 })
      held.tell({ loaded, total })
    }
    try {
      // Lists the files first, so that they can be deleted if the tab is closed meanwhile.
      if (!earlier) await note(files.map(({ name, size }) => ({ name, size })))
      const parts = await copyFiles(files, part => dataName(key, part, copy), folder, access, update)
      await note(parts)
      // Another tab may still read the earlier model's files; the next load or import removes them.
      if (earlier) await removeOtherCopy(folder, key, { parts, copy }).catch(() => {})
    } catch (error) {
      await undo(folder, key, earlier).catch(() => {})
      throw error
    }
  } catch (error) {
    throw notWritten(error)
  } finally {
    held.release()
  }
}

/**
 * Checks a file of a model. Throws `invalid-file` if it is not a model, is shorter than its header says, or is one of several
 * parts.
 */
async function checkWhole(file: ModelFile): Promise<void> {
  const extent = await readExtent(file)
  if (file.size !== undefined) checkLength(file.name, file.size, extent)
  if (extent.parts > 1) await joinParts([file]) // a part that was renamed
}

/** The complete model to replace, if any. Removes the remains of an interrupted import. */
async function findEarlier(folder: Folder, key: string): Promise<ModelState | undefined> {
  const state = await loadState(folder, key)
  if (state && (await isComplete(folder, key, state))) {
    await removeOtherCopy(folder, key, state)
    return state
  }
  await removeModel(folder, key)
  return undefined
}

/** Restores the state before the import. Keeps both models if the journal already names the new one. */
async function undo(folder: Folder, key: string, earlier: ModelState | undefined): Promise<void> {
  if (!earlier) return removeModel(folder, key)
  const now = await loadState(folder, key)
  if (now?.copy === earlier.copy) await removeOtherCopy(folder, key, earlier)
}

async function writeJournal(folder: Folder, key: string, line: Line): Promise<void> {
  const journal = await Journal.open(folder, key)
  try {
    journal.write(line, { type: 'used', time: Date.now() })
    journal.flush()
  } finally {
    journal.close()
  }
}

async function copyFiles(
  files: readonly ModelFile[],
  nameOf: (part: number) => string,
  folder: Folder,
  access: StoreAccess,
  onBytes: (loaded: number) => void,
): Promise<PartRecord[]> {
  const parts: PartRecord[] = []
  let before = 0
  for (const [part, file] of files.entries()) {
    const hash = await access.sha256()
    const bytes = await copyFile(file, folder, nameOf(part), (bytes, chunk) => {
      hash.update(chunk)
      onBytes(before + bytes)
    })
    before += bytes
    parts.push({ name: file.name, size: file.size, complete: { bytes, sha256: hash.digest() } })
  }
  return parts
}

async function copyFile(
  from: ModelFile,
  folder: Folder,
  name: string,
  update: (bytes: number, chunk: Uint8Array) => void,
): Promise<number> {
  const to = await folder.open(name)
  try {
    const buffer = new Uint8Array(copyBytes)
    let bytes = 0
    for (let count; (count = await from.read(bytes, buffer)) > 0; ) {
      const chunk = buffer.subarray(0, count)
      to.write(bytes, chunk)
      update((bytes += count), chunk)
    }
    if (from.size !== undefined && bytes !== from.size) {
      throw new HeedError('io', `${from.name} ends after ${bytes} of ${from.size} bytes`)
    }
    to.flush()
    return bytes
  } finally {
    to.close()
  }
}
