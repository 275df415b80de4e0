// Opens a model through the store: reads it from there if it is complete, waits if another tab is downloading it, and otherwise
// downloads it into the store while it is read.
import { HeedError } from '../wire/errors.js'
import { cannotStore } from './errors.js'
import type { HeldLock, StoreAccess, StorePlace } from './folder.js'
import { joinParts } from './joined.js'
import { Journal, keyOf, loadState, type ModelState, removeModel, removeOtherCopy } from './journal.js'
import type { ModelFile } from './model-file.js'
import type { StoreRequest } from './store-request.js'
import { outdated, removeSame } from './outdated.js'
import { isIntact, openStored } from './stored-file.js'
import { StoringModel } from './storing-model.js'

/** The holder of a model's lock is considered dead if it reports no progress for this many times `stallMs`. */
const mostStalls = 20

/** Opens a model through the store; undefined if it cannot be stored, after a call of `giveUp`. */
export async function openThroughStore(request: StoreRequest): Promise<ModelFile | undefined> {
  const { record, report, stallMs } = request
  const place = await request.access.store()
  if (!place) {
    request.giveUp(cannotStore())
    return undefined
  }
  const key = await keyOf(record)
  let held: HeldLock | undefined
  try {
    const old = request.isChecked ? await outdated(request, place, key) : undefined
    const whole = old ? undefined : await openWhole(request, place, key)
    if (whole) return whole
    held = await place.locks.acquire(key, mostStalls * stallMs, ({ loaded, total }) => {
      report.update({ phase: 'wait', loaded, total, cached: 0 })
    })
    if (old) await removeSame(place, key, old)
    const other = await openWhole(request, place, key)
    if (!other) return await StoringModel.open(request, place, key, held)
    held.release()
    return other
  } catch (error) {
    held?.release()
    if (!isOfStore(error)) throw error
    request.giveUp(error)
    return undefined
  }
}

/** Opens a model that is stored completely; undefined if it is not, or cannot be read. */
export async function openIfStored(request: Pick<StoreRequest, 'record' | 'integrity' | 'access'>): Promise<ModelFile | undefined> {
  const place = await request.access.store()
  return (
    place &&
    openWhole(request, place, await keyOf(request.record)).catch(error => {
      if (!isOfStore(error)) throw error
      return undefined
    })
  )
}

async function openWhole(
  { integrity, access }: Pick<StoreRequest, 'integrity' | 'access'>,
  place: StorePlace,
  key: string,
): Promise<ModelFile | undefined> {
  const { folder } = place
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

/** Whether an error was caused by the store, not by the model. */
const isOfStore = (error: unknown): error is HeedError =>
  error instanceof HeedError && (error.code === 'out-of-space' || error.code === 'io')

/** A stored model that records its use when it has been read. */
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

/** Records the use of a model, and removes what an import has left behind. Does nothing if the model's lock is taken. */
async function recordUse({ folder, locks }: StorePlace, key: string): Promise<void> {
  const held = await locks.tryAcquire(key)
  if (!held) return
  let journal: Journal | undefined
  try {
    const state = await loadState(folder, key) // an import may have replaced the model meanwhile
    if (!state) return
    journal = await Journal.open(folder, key)
    journal.rewrite(state)
    journal.write({ type: 'used', time: Date.now() })
    await removeOtherCopy(folder, key, state)
  } catch {
    // a full disk must not prevent the use of a model
  } finally {
    journal?.close()
    held.release()
  }
}

/**
 * Deletes a rejected model if its files no longer match their checksums, unless its lock is taken or an import has replaced it.
 * Intact files stay: they may be of another kind than expected, such as a model instead of an adapter.
 */
async function dropDamaged({ folder, locks }: StorePlace, key: string, state: ModelState, { sha256 }: StoreAccess): Promise<void> {
  const held = await locks.tryAcquire(key)
  if (!held) return
  try {
    const now = await loadState(folder, key)
    if (now?.parts.some(({ complete }, part) => complete?.sha256 !== state.parts[part]?.complete?.sha256)) return
    if (!(await isIntact(folder, key, state, sha256))) await removeModel(folder, key)
  } finally {
    held.release()
  }
}
