// A model file in the engine worker, where the worker gets at it by itself, or has it pushed to it.
import { HeedError } from './errors.js'
import { fetchOwnFile } from './fetch.js'
import type { FileSource, ModelRequest } from './protocol.js'
import { openStream } from './store/byte-stream.js'
import type { SyncHandle } from './store/folder-opfs.js'
import { type Chunks, fileOfChunks, type ModelFile } from './store/model-file.js'
import { fileName, splitName } from './store/split-name.js'

/** What only the place where the worker runs can give: files by path, chunks that are pushed to it. */
export interface FileAccess {
  openPath?(path: string): ModelFile
  pull(): Promise<Uint8Array | undefined>
}

/** Whether a model is one file that is at hand, and is read as it is: then it takes no store to open it. */
export function isPlain({ source, cache, integrity }: ModelRequest): boolean {
  if (cache || integrity) return false
  switch (source.kind) {
    case 'url': return source.own === true
    case 'pushed': return true
    case 'blob': return !splitName(source.name ?? '')
    case 'handle': return !splitName(source.handle.name)
    case 'path': return !splitName(source.path)
    default: return false
  }
}

/** Fails with `network` or `io`. */
export async function openFile(source: FileSource, access: FileAccess): Promise<ModelFile> {
  switch (source.kind) {
    case 'url': {
      const { body } = await fetchOwnFile(source.url)
      return inOrder(fileName(source.url), body ? readStream(body, 'network', source.url) : nothing)
    }
    case 'blob': return openBlob(source.blob, source.name)
    case 'handle': return openHandle(source.handle)
    case 'path': return access.openPath!(source.path)
    case 'pushed': return inOrder('The model', readPushed(access))
    default: throw new HeedError('invalid-argument', `a source of kind ${source.kind} is not a file`)
  }
}

const nothing: Chunks = { next: async () => undefined, close() {} }

/** A file of which every byte comes once. */
function inOrder(name: string, chunks: Chunks): ModelFile {
  return fileOfChunks(name, at => {
    if (at > 0) throw new HeedError('io', `${name} can only be read from start to end`)
    return chunks
  })
}

function openBlob(blob: Blob, name = 'The file'): ModelFile {
  return { ...fileOfChunks(name, at => readSlices(blob, at, name)), size: blob.size }
}

const sliceBytes = 4 << 20

/**
 * The next slice comes while the one before is packed. Not as a stream, which in Chromium (156) falls silent now and then, after
 * gigabytes, where its reader is slower than the disk.
 */
function readSlices(blob: Blob, at: number, name: string): Chunks {
  const begin = (from: number) => {
    const bytes = blob.slice(from, from + sliceBytes).arrayBuffer()
    bytes.catch(() => {})  // told by the next call
    return bytes
  }
  let coming = begin(at)
  return {
    async next() {
      const bytes = new Uint8Array(await coming.catch((error: Error) => { throw new HeedError('io', `${name}: ${error.message}`) }))
      if (bytes.length === 0) return undefined
      at += bytes.length
      coming = begin(at)
      return bytes
    },
    close() {},
  }
}

function readStream(stream: ReadableStream<Uint8Array>, code: 'network' | 'io', name: string): Chunks {
  const bytes = openStream(stream)
  return {
    next: () => bytes.read().catch((error: Error) => { throw new HeedError(code, `${name}: ${error.message}`) }),
    close: bytes.cancel,
  }
}

/** The next chunk comes while the one before is packed. */
function readPushed({ pull }: FileAccess): Chunks {
  let coming = pull()
  return {
    async next() {
      const chunk = await coming
      if (chunk) coming = pull()
      return chunk
    },
    close() {},
  }
}

/** A file of the origin private file system goes into the engine's memory at once; another one is read in slices. */
async function openHandle(handle: FileSystemFileHandle): Promise<ModelFile> {
  try {
    const file = await (handle as unknown as SyncHandle).createSyncAccessHandle({ mode: 'read-only' })
    return {
      name: handle.name, size: file.getSize(), read: (at, place) => file.read(place, { at }), close: () => file.close(),
    }
  } catch {
    const file = await handle.getFile().catch((error: Error) => { throw new HeedError('io', error.message) })
    return openBlob(file, file.name)
  }
}
