// Complete files of the store.
import { notRead } from './errors.js'
import type { Folder } from './folder.js'
import { dataName, isComplete, type ModelState } from './journal.js'
import type { ModelFile } from './model-file.js'
import type { Sha256 } from './sha256.js'

async function openPart(folder: Folder, key: string, state: ModelState, part: number): Promise<ModelFile> {
  const { name, complete } = state.parts[part]!
  const file = await folder.reader(dataName(key, part, state.copy))
  return {
    name,
    size: complete!.bytes,
    async read(at, place) {
      try {
        return await file.read(at, place.subarray(0, Math.max(0, complete!.bytes - at)))
      } catch (error) {
        // for example because another tab has deleted the file
        throw notRead(name, error)
      }
    },
    close: () => file.close(),
  }
}

/** Opens a complete part of a model. Fails with `io`. */
export async function openStoredPart(folder: Folder, key: string, state: ModelState, part: number): Promise<ModelFile> {
  return openPart(folder, key, state, part).catch((error: Error) => {
    throw notRead(state.parts[part]!.name, error)
  })
}

/** Whether a model's files still have the checksums of their download; reads all of them. */
export async function isIntact(folder: Folder, key: string, state: ModelState, newHash: () => Promise<Sha256>): Promise<boolean> {
  const buffer = new Uint8Array(1 << 20)
  for (const [part, { complete }] of state.parts.entries()) {
    const file = await openStoredPart(folder, key, state, part)
    try {
      const hash = await newHash()
      let at = 0
      for (let count; (count = await file.read(at, buffer)) > 0; at += count) hash.update(buffer.subarray(0, count))
      if (hash.digest() !== complete!.sha256) return false
    } finally {
      file.close()
    }
  }
  return true
}

/** Opens all parts of a model; undefined if any is incomplete or does not have the expected checksum. */
export async function openStored(
  folder: Folder,
  key: string,
  state: ModelState | undefined,
  integrity?: readonly string[],
): Promise<ModelFile[] | undefined> {
  if (!state || !(await isComplete(folder, key, state))) return undefined
  if (integrity && state.parts.some(({ complete }, part) => complete!.sha256 !== integrity[part])) return undefined
  const files: ModelFile[] = []
  for (const part of state.parts.keys()) files.push(await openStoredPart(folder, key, state, part))
  return files
}
