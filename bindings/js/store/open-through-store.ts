// Opens a model through the store: reads it from there if it is complete, waits if another tab is downloading it, and otherwise
// downloads it into the store while it is read.
import { HeedError } from '../wire/errors.js'
import { cannotStore } from './errors.js'
import type { StoreAccess, StorePlace } from './folder.js'
import { joinParts } from './joined.js'
import { Journal, keyOf, loadState, type ModelState, removeModel, removeOtherCopy } from './journal.js'
import type { ModelFile } from './model-file.js'
import type { StoreRequest } from './store-request.js'
import { isIntact, openStored } from './stored-file.js'
import { StoringModel } from './storing-model.js'

/** Opens a model through the store; undefined if it cannot be stored, after a call of `giveUp`. */
export async function openThroughStore(request: StoreRequest): Promise<ModelFile | undefined> {
  const { record, integrity, access, report } = request
  const place = await access.store()
  if (!place) {
    request.giveUp(cannotStore())
    return undefined
  }
  const { folder, locks } = place
  const key = await keyOf(record)
  const stored = async () => {
    const state = await loadState(folder, key)
    const files = await openStored(folder, key, state, integrity)
    if (!files) return undefined
    const drop = () => dropDamaged(place, key, state!, access)
    try {
      return withUse(place, key, files.length === 1 ? files[0]! : await joinParts(files), drop)
    } catch (error) {
      if (error instanceof HeedError && error.code === 'invalid-file') await drop()
      throw error
    }
  }
  const whole = await stored()
  if (whole) return whole
  const held = await locks.acquire(key, ({ loaded, total }) => report.update({ phase: 'wait', loaded, total, cached: 0 }))
  try {
    const other = await stored()
    if (other) {
      held.release()
      return other
    }
    return await StoringModel.open(request, place, key, held)
  } catch (error) {
    held.release()
    if (!(error instanceof HeedError && lacksStore.has(error.code))) throw error
    request.giveUp(error)
    return undefined
  }
}

/** Errors of the store, not of the model. */
const lacksStore: ReadonlySet<string> = new Set(['out-of-space', 'io'])

/** A stored model, which records its use once it was read. */
function withUse(place: StorePlace, key: string, file: ModelFile, dropDamaged: () => Promise<void>): ModelFile {
  let wasRead = false
  return {
    name: file.name,
    size: file.size,
    read: (at, place) => file.read(at, place),
    async complete() {
      wasRead = true
    },
    async reject(code) {
      await file.close()
      if (code === 'invalid-file') await dropDamaged()
    },
    async close() {
      await file.close()
      if (wasRead) await recordUse(place, key)
    },
  }
}

/** Also removes what an import left behind. Does nothing if the model's lock is taken. */
async function recordUse({ folder, locks }: StorePlace, key: string): Promise<void> {
  const held = await locks.tryAcquire(key)
  if (!held) return
  let journal: Journal | undefined
  try {
    const state = await loadState(folder, key)  // an import may have replaced the model meanwhile
    if (!state) return
    journal = await Journal.open(folder, key)
    journal.rewrite(state)
    journal.write({ type: 'used', time: Date.now() })
    await removeOtherCopy(folder, key, state)
  } catch {  // a full disk must not prevent the use of a model
  } finally {
    journal?.close()
    held.release()
  }
}

/**
 * Deletes a damaged model, unless its lock is taken or an import has replaced it. Files with the hub's checksums stay: another
 * download would be the same.
 */
async function dropDamaged({ folder, locks }: StorePlace, key: string, state: ModelState, { sha256 }: StoreAccess): Promise<void> {
  const held = await locks.tryAcquire(key)
  if (!held) return
  try {
    const now = await loadState(folder, key)
    if (now?.parts.some(({ complete }, part) => complete?.sha256 !== state.parts[part]?.complete?.sha256)) return
    const isListed = state.parts.every(({ sha256 }) => sha256 !== undefined)
    if (!isListed || !await isIntact(folder, key, state, sha256)) await removeModel(folder, key)
  } finally {
    held.release()
  }
}
