// The store's folder in a browser: https://fs.spec.whatwg.org. Files are written with sync access handles, which only dedicated
// workers have; everything else works in pages, too.
import { type Folder, patiently } from './folder.js'
import { type SyncHandle, syncReader, syncWriter } from './sync-access.js'

const isMissing = (error: unknown) => (error as Error).name === 'NotFoundError'

/** Opens the folder; undefined if the browser has no file system for this page, or no writable one. */
export async function openFolder(part = 'models', create = true): Promise<Folder | undefined> {
  try {
    if (!('createSyncAccessHandle' in FileSystemFileHandle.prototype) && typeof document === 'undefined') return undefined
    const root = await navigator.storage.getDirectory()
    return folderIn(await root.getDirectoryHandle(`heed-${part}`, { create }))
  } catch {
    return undefined
  }
}

function folderIn(directory: FileSystemDirectoryHandle): Folder {
  const handle = (name: string, create = false) => directory.getFileHandle(name, { create })
  const file = async (name: string) => {
    try {
      return await (await handle(name)).getFile()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  const access = async (name: string, create: boolean, options?: { mode: 'read-only' }) =>
    await ((await handle(name, create)) as unknown as SyncHandle).createSyncAccessHandle(options)
  return {
    async names() {
      const names: string[] = []
      const entries = (directory as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()
      for await (const { name, kind } of entries) if (kind === 'file') names.push(name)
      return names
    },
    // a File becomes unreadable when another tab writes to it: then get a new one
    text: name => patiently(async () => (await file(name))?.text()),
    size: async name => (await file(name))?.size,
    remove: name =>
      patiently(() => directory.removeEntry(name)).catch(error => {
        if (!isMissing(error)) throw error
      }),
    open: name => patiently(async () => syncWriter(await access(name, true))),
    async reader(name) {
      try {
        return syncReader(await access(name, false, { mode: 'read-only' }))
      } catch {
        // another tab has the file open, and the browser allows only one reader
        const opened = await handle(name)
        return {
          async read(at, place) {
            const bytes = await patiently(async () => (await opened.getFile()).slice(at, at + place.length).arrayBuffer())
            place.set(new Uint8Array(bytes))
            return bytes.byteLength
          },
          close() {},
        }
      }
    },
    async space() {
      const { usage, quota } = await navigator.storage.estimate()
      return { usage, quota, free: quota === undefined ? undefined : quota - (usage ?? 0) }
    },
  }
}
