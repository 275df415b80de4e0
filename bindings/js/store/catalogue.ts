// The list of stored models, and the deletion of models.
import type { StoredModel, StoredPart, StoreEstimate } from '../types/store.js'
import { HeedError } from '../wire/errors.js'
import type { Folder, StorePlace } from './folder.js'
import {
  bytesOf,
  dataName,
  filesByKey,
  filesOf,
  isComplete,
  keyOf,
  loadState,
  type ModelState,
  type PartState,
  removeModel,
} from './journal.js'
import type { SourceRecord } from './journal-lines.js'

interface Entry {
  key: string
  model: StoredModel
  /** The names of the model's files. */
  files: readonly string[]
  /** The total size of the model's files. */
  bytes: number
  lastUsed: number
}

async function partOf(folder: Folder, file: string, part: PartState): Promise<StoredPart> {
  const bytes = (await folder.size(file)) ?? 0
  const complete = part.complete?.bytes === bytes
  const { sha256 } = part.complete ?? {}
  const total = complete ? bytes : (part.size ?? part.identity.size)
  return {
    name: part.name,
    bytes,
    complete,
    ...(total !== undefined && { total }),
    ...(complete && { sha256 }),
    ...(part.identity.etag && { etag: part.identity.etag }),
  }
}

async function modelOf(folder: Folder, key: string, state: ModelState): Promise<StoredModel> {
  const parts: StoredPart[] = []
  for (const [index, part] of state.parts.entries()) parts.push(await partOf(folder, dataName(key, index, state.copy), part))
  const total = parts.every(part => part.total !== undefined) ? parts.reduce((sum, part) => sum + part.total!, 0) : undefined
  const { sha256, etag } = parts.length === 1 ? parts[0]! : {}
  const { source, revision, endpoint } = state.record
  return {
    source,
    ...(revision && { revision }),
    ...(endpoint && { endpoint }),
    name: state.name,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(total !== undefined && { total }),
    complete: parts.every(part => part.complete),
    ...(sha256 && { sha256 }),
    ...(etag && { etag }),
    ...(state.lastUsed > 0 && { lastUsed: new Date(state.lastUsed) }),
    parts,
  }
}

/** All models, most recently used first. Those that cannot be read are skipped, with a warning on the console. */
export async function entries({ folder }: StorePlace): Promise<Entry[]> {
  const found: Entry[] = []
  for (const [key, files] of await filesByKey(folder)) {
    try {
      const state = await loadState(folder, key)
      if (!state) continue
      const [model, bytes] = [await modelOf(folder, key, state), await bytesOf(folder, files)]
      if (bytes > 0 || model.complete) found.push({ key, model, files, bytes, lastUsed: state.lastUsed })
    } catch (error) {
      console.warn(`heed: a stored model is skipped: ${(error as Error).message}`)
    }
  }
  return found.sort((a, b) => b.lastUsed - a.lastUsed)
}

export async function entryFor({ folder }: StorePlace, record: SourceRecord): Promise<StoredModel | undefined> {
  const key = await keyOf(record)
  const state = await loadState(folder, key)
  return state && modelOf(folder, key, state)
}

export async function has({ folder }: StorePlace, record: SourceRecord): Promise<boolean> {
  const key = await keyOf(record)
  const state = await loadState(folder, key)
  return state !== undefined && isComplete(folder, key, state)
}

const busyMs = 1_000

/**
 * Deletes a model. Waits briefly for its lock, which a tab that was just closed may still hold. Throws `io` if the model is in use.
 */
async function removeFree({ folder, locks }: StorePlace, key: string, name: string, files?: readonly string[]): Promise<void> {
  const until = performance.now() + busyMs
  let held = await locks.tryAcquire(key)
  while (!held && performance.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 50))
    held = await locks.tryAcquire(key)
  }
  if (!held) throw new HeedError('io', `${name} is in use: it is being downloaded`)
  try {
    await removeModel(folder, key, files)
  } catch (error) {
    throw new HeedError('io', `${name} is in use: ${(error as Error).message}`, { cause: error })
  } finally {
    held.release()
  }
}

export async function remove(place: StorePlace, record: SourceRecord): Promise<boolean> {
  const key = await keyOf(record)
  const files = await filesOf(place.folder, key)
  if (files.length === 0) return false
  await removeFree(place, key, record.source, files)
  return true
}

/**
 * Deletes every file of the store, including those without a journal. If a model is in use, deletes all others, and then fails
 * with its error.
 */
export async function clear(place: StorePlace): Promise<void> {
  const failures: unknown[] = []
  for (const [key, files] of await filesByKey(place.folder)) {
    await removeFree(place, key, 'A model', files).catch(error => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Deletes the least recently used models, complete or not, until `keepBytes` remain. Skips models in use. */
export async function prune(place: StorePlace, keepBytes: number): Promise<StoredModel[]> {
  const found = await entries(place)
  let left = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const deleted: StoredModel[] = []
  for (const { key, model, files, bytes } of found.reverse()) {
    if (left <= keepBytes) break
    try {
      await removeFree(place, key, model.name, files)
    } catch (error) {
      if (error instanceof HeedError) continue // in use
      throw error
    }
    left -= bytes
    deleted.push(model)
  }
  return deleted
}

export async function estimate(place?: StorePlace, kept?: StorePlace): Promise<StoreEstimate> {
  const found = place ? await entries(place) : []
  const { usage, quota } = (await place?.folder.space()) ?? {}
  const persisted = place !== undefined && ((await globalThis.navigator?.storage?.persisted?.()) ?? true)
  return {
    models: found.reduce((sum, { bytes }) => sum + bytes, 0),
    kept: kept ? await bytesOf(kept.folder, await kept.folder.names()) : 0,
    ...(usage !== undefined && { usage }),
    ...(quota !== undefined && { quota }),
    persisted,
  }
}
