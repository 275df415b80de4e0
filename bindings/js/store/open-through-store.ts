// Opens a model through the store: reads it from there if it is complete, waits if another tab is downloading it, and otherwise
// downloads it into the store while it is read.
import { HeedError } from '../errors.js'
import type { StoreAccess, StorePlace } from './folder.js'
import type { HubEntry } from './hub.js'
import { joinParts } from './joined.js'
import { Journal, keyOf, loadState, type ModelState, removeModel, removeOtherCopy, type SourceRecord } from './journal.js'
import type { ModelFile } from './model-file.js'
import type { ProgressReport } from './progress.js'
import { isIntact, openStored } from './stored-file.js'
import { StoringModel } from './storing-model.js'

export interface StoreRequest {
  record: SourceRecord
  /** Finds the files; queries the hub if necessary. */
  find(): Promise<HubEntry[]>
  /** The expected SHA-256 of each file, in hexadecimal. */
  integrity?: string[]
  stallMs: number
  /** Whether the model is only stored, and not read. */
  isForLater?: boolean
  report: ProgressReport
  access: StoreAccess
  /** Called if the model cannot be stored; throws if storing was the only purpose. */
  giveUp(error: HeedError): void
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

export const cannotStore = () => new HeedError('unsupported', 'Models cannot be stored here: the browser gives this page or '
  + 'window no storage, or this thread cannot write to it')

export const noSpace = (needed: number, free: number) => new HeedError('out-of-space',
  `storing the model needs ${megabytes(needed)}, but only ${megabytes(free)} are free; ${megabytes(needed - free)} more are needed`)

/** Converts the error of a failed write. */
export function notWritten(error: unknown): HeedError {
  if (error instanceof HeedError) return error
  const { name, code, message } = error as { name?: string, code?: string, message?: string }
  const isFull = name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT'
  return new HeedError(isFull ? 'out-of-space' : 'io', `The store cannot be written to: ${message}`, { cause: error })
}

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
