// Checks whether a server still has the stored file. Compares validators of then and now, as browsers' caches do
// (https://www.rfc-editor.org/rfc/rfc9110#section-8.8), the sizes and checksums of a hub's listing, and the first bytes.
import { HeedError } from '../wire/errors.js'
import { Download, probeBytes } from './download.js'
import type { StorePlace } from './folder.js'
import type { HubEntry } from './hub.js'
import { isComplete, loadState, type ModelState, type PartState, removeModel } from './journal.js'
import { readBytes } from './model-file.js'
import { Changed } from './retry.js'
import type { StoreRequest } from './store-request.js'
import { openStoredPart } from './stored-file.js'

/** The state of a complete model, if it differs from the server's. If the server cannot be reached, only sends a notice. */
export async function outdated(
  { find, report, stallMs }: StoreRequest,
  { folder }: StorePlace,
  key: string,
): Promise<ModelState | undefined> {
  const state = await loadState(folder, key)
  if (!state || !(await isComplete(folder, key, state))) return undefined
  const notice = (text: string) => report.update({ notice: text })
  const isSame = async (found: HubEntry, index: number) => {
    const part = state.parts[index]
    if (!part || (found.size !== undefined && found.size !== part.complete!.bytes)) return false
    if (found.sha256) return found.sha256 === part.complete!.sha256
    return startsAlike(found, part, await openStoredPart(folder, key, state, index), stallMs)
  }
  try {
    const found = await find()
    const same = await Promise.all(found.map(isSame))
    if (found.length === state.parts.length && same.every(one => one)) return undefined
  } catch (error) {
    if (!(error instanceof HeedError) || error.code !== 'network') throw error
    notice(`${state.name} is read from the store, without asking whether it has changed: ${error.message}`)
    return undefined
  }
  notice(`${state.name} has changed on the server; downloading it from the start`)
  return state
}

type StoredFile = Awaited<ReturnType<typeof openStoredPart>>

/** Whether the server describes a file as it did before, and still sends the same first bytes. */
async function startsAlike(remote: HubEntry, { identity }: PartState, stored: StoredFile, stallMs: number): Promise<boolean> {
  const download = new Download(remote, 0, {
    identity: { ...identity, size: stored.size },
    probeBytes,
    ranged: true,
    stallMs,
    notice() {},
  })
  try {
    const now = (await download.next()) ?? new Uint8Array()
    const then = await readBytes(stored, 0, now.length)
    return now.length > 0 && now.every((byte, index) => byte === then[index])
  } catch (error) {
    if (error instanceof Changed) return false
    throw error
  } finally {
    download.close()
    await stored.close()
  }
}

/** Removes an outdated model, unless another tab has replaced it meanwhile. The caller holds its lock. */
export async function removeSame({ folder }: StorePlace, key: string, old: ModelState): Promise<void> {
  const now = await loadState(folder, key)
  if (now?.parts.every(({ complete }, part) => complete?.sha256 === old.parts[part]?.complete?.sha256))
    await removeModel(folder, key)
}
