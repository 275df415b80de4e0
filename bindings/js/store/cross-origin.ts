// Cross-Origin Storage (https://wicg.github.io/cross-origin-storage), a draft: a browser that has it stores files by their SHA-256,
// once for all sites.
import type { ModelFile } from './model-file.js'
import { verified } from './remote-file.js'
import type { Sha256 } from './sha256.js'

interface Writable {
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}
interface SharedHandle {
  getFile(): Promise<Blob>
  createWritable(): Promise<Writable>
}
type Ask = (hash: { algorithm: 'SHA-256'; value: string }, options?: { create: true; origins: '*' }) => Promise<SharedHandle>

/** The draft's entry point; undefined in other browsers. Earlier versions of the draft have another name for it. */
export function crossOriginStorage(): Ask | undefined {
  const manager = (globalThis.navigator as { crossOriginStorage?: Record<string, Ask> } | undefined)?.crossOriginStorage
  return (manager?.getFileHandle ?? manager?.requestFileHandle)?.bind(manager)
}

/** The file with this SHA-256; undefined if the browser does not have it, or does not reveal it to this site. */
export async function sharedFile(ask: Ask, value: string): Promise<Blob | undefined> {
  try {
    return await (await ask({ algorithm: 'SHA-256', value })).getFile()
  } catch {
    return undefined
  }
}

/**
 * A download that is verified and, as it is read, written for all sites; undefined if the browser does not let this site write.
 * `giveUp` is called if a later write fails.
 */
export async function sharing(
  file: ModelFile,
  value: string,
  { ask, hash, giveUp }: { ask: Ask; hash: Sha256; giveUp: (error: unknown) => void },
): Promise<ModelFile | undefined> {
  let writable: Writable | undefined
  try {
    writable = await (await ask({ algorithm: 'SHA-256', value }, { create: true, origins: '*' })).createWritable()
  } catch {
    return undefined
  }
  let written = 0
  const write = async (act: (to: Writable) => Promise<void>) => {
    if (!writable) return
    try {
      await act(writable)
    } catch (error) {
      writable.abort().catch(() => {})
      writable = undefined
      giveUp(error)
    }
  }
  const copied: ModelFile = {
    name: file.name,
    get size() {
      return file.size
    },
    async read(at, place) {
      const count = await file.read(at, place)
      if (at <= written && written < at + count) {
        const bytes = place.slice(written - at, count) // a copy: `place` may be shared memory
        written = at + count
        await write(to => to.write(bytes))
      }
      return count
    },
    close: () => file.close(),
  }
  const checked = verified(copied, hash, value)
  return {
    name: checked.name,
    get size() {
      return checked.size
    },
    cached: 0,
    read: checked.read,
    async complete(end) {
      await checked.complete!(end)
      await write(to => to.close())
      writable = undefined
    },
    async close() {
      await writable?.abort().catch(() => {})
      await file.close()
    },
  }
}
