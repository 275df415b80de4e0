// A file that the store has as a whole.
import { HeedError } from '../errors.js'
import type { Folder } from './folder.js'
import { dataName, isComplete, type ModelState } from './journal.js'
import type { ModelFile } from './model-file.js'

async function openPart(folder: Folder, key: string, state: ModelState, part: number): Promise<ModelFile> {
  const { name, complete } = state.parts[part]!
  const file = await folder.reader(dataName(key, part))
  return {
    name,
    size: complete!.bytes,
    read: (at, place) => file.read(at, place.subarray(0, Math.max(0, complete!.bytes - at))),
    close: () => file.close(),
  }
}

/** Opens the part of a model that is complete. Fails with `io`. */
export async function openStoredPart(folder: Folder, key: string, state: ModelState, part: number): Promise<ModelFile> {
  return openPart(folder, key, state, part).catch((error: Error) => {
    throw new HeedError('io', `${state.parts[part]!.name}: the store's file cannot be read: ${error.message}`, { cause: error })
  })
}

/** All parts of a model, where all are there and have the sums that are asked for. */
export async function openStored(
  folder: Folder, key: string, state: ModelState | undefined, integrity: readonly string[] = [],
): Promise<ModelFile[] | undefined> {
  if (!state || !await isComplete(folder, key, state)) return undefined
  if (integrity.some((sum, part) => state.parts[part]?.complete?.sha256 !== sum)) return undefined
  const files: ModelFile[] = []
  for (const part of state.parts.keys()) files.push(await openStoredPart(folder, key, state, part))
  return files
}
