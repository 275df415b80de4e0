// Model files in the engine worker: opened by the worker itself, or pushed to it chunk by chunk.
import { fetchOwnFile } from '../platform/own-file.js'
import { openStream } from '../store/byte-stream.js'
import { type Chunks, fileOfChunks, type ModelFile } from '../store/model-file.js'
import { fileName, splitName } from '../store/split-name.js'
import { type SyncHandle, syncReader } from '../store/sync-access.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { FileSource, KeptRange, ModelRequest } from '../wire/model-request.js'

/** Sources of bytes that this thread cannot fetch: files by path, which depend on the platform, and pushed chunks. */
export interface ByteAccess {
  openPath?(path: string): ModelFile
  pull(range?: KeptRange): Promise<Uint8Array | undefined>
}

/** Whether a model is a single file that can be read as it is, without the store. */
export function isPlain({ source, cache, integrity }: ModelRequest): boolean {
  if (cache || integrity) return false
  switch (source.kind) {
    case 'url':
      return source.own === true
    case 'pushed':
      return true
    case 'blob':
    case 'kept':
      return !splitName(source.name ?? '')
    case 'handle':
      return !splitName(source.handle.name)
    case 'path':
      return !splitName(source.path)
    default:
      return false
  }
}

/** Opens the file of a source. Fails with `network` or `io`. */
export async function openFile(source: FileSource, access: ByteAccess): Promise<ModelFile> {
  switch (source.kind) {
    case 'url': {
      const { body } = await fetchOwnFile(source.url)
      return inOrder(fileName(source.url), body ? readStream(body, 'network', source.url) : nothing)
    }
    case 'blob':
      return openBlob(source.blob, source.name)
    case 'kept':
      return openKept(source, access)
    case 'handle':
      return openHandle(source.handle)
    case 'path':
      return access.openPath!(source.path)
    case 'pushed':
      return inOrder('The file', readPushed(access))
    default:
      throw refuse(`a source of kind ${source.kind} is not a file`)
  }
}

const nothing: Chunks = { next: async () => undefined, close() {} }

/** A file that can be read only once, from start to end. */
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
 * Reads the next slice while the engine packs the current one. This does not use a stream, because in Chromium (156) streams of
 * files sometimes stall after gigabytes if the reader is slower than the disk.
 */
function readSlices(blob: Blob, at: number, name: string): Chunks {
  const begin = (from: number) => {
    const bytes = blob.slice(from, from + sliceBytes).arrayBuffer()
    bytes.catch(() => {}) // reported by the next call
    return bytes
  }
  let coming = begin(at)
  return {
    async next() {
      const bytes = new Uint8Array(
        await coming.catch((error: Error) => {
          throw new HeedError('io', `${name}: ${error.message}`)
        }),
      )
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
    next: () =>
      bytes.read().catch((error: Error) => {
        throw new HeedError(code, `${name}: ${error.message}`)
      }),
    close: bytes.cancel,
  }
}

function openKept({ blob, size, name = 'The file' }: Extract<FileSource, { kind: 'kept' }>, { pull }: ByteAccess): ModelFile {
  return {
    name,
    size,
    async read(at, place) {
      const length = Math.min(place.length, size - at)
      if (length <= 0) return 0
      const bytes = (await pull({ blob, at, length }))!
      place.set(bytes)
      return bytes.length
    },
    close() {},
  }
}

/** Requests the next chunk while the engine packs the current one. */
function readPushed({ pull }: ByteAccess): Chunks {
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

/** Reads a file of the origin private file system directly into the engine's memory, and other files in slices. */
async function openHandle(handle: FileSystemFileHandle): Promise<ModelFile> {
  try {
    const { size, read, close } = syncReader(await (handle as unknown as SyncHandle).createSyncAccessHandle({ mode: 'read-only' }))
    return {
      name: handle.name,
      size: size(),
      close,
      read(at, place) {
        try {
          return read(at, place)
        } catch (error) {
          throw new HeedError('io', `${handle.name}: ${(error as Error).message}`)
        }
      },
    }
  } catch {
    const file = await handle.getFile().catch((error: Error) => {
      throw new HeedError('io', error.message)
    })
    return openBlob(file, file.name)
  }
}
