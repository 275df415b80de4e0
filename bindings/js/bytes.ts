// A model file in the engine worker, wherever it is: read in order, each time into a place that is given.
import { HeedError } from './errors.js'
import { fetchOwnFile, fetchSuccessfully } from './fetch.js'
import type { FileSource } from './protocol.js'

export interface ByteReader {
  /** Puts the next bytes into `place`, and says how many: 0 at the end. Fails with `network` or `io`. */
  read(place: Uint8Array): number | Promise<number>
  /** Cancels what is still to come. */
  close(): void
}

/** What only the place where the worker runs can give: files by path, and chunks that are pushed to it. */
export interface FileAccess {
  openPath?(path: string): ByteReader
  pull(): Promise<Uint8Array | undefined>
}

const bufferBytes = 1 << 20

/** Fails with `network` or `io`. */
export async function openFile(source: FileSource, access: FileAccess): Promise<ByteReader> {
  switch (source.kind) {
    case 'url': {
      const { body } = await (source.own ? fetchOwnFile : fetchSuccessfully)(source.url)
      return body ? readStream(body, 'network', source.url) : fromChunks(async () => undefined)
    }
    case 'blob': return readBlob(source.blob)
    case 'handle': return openHandle(source.handle)
    case 'path': return access.openPath!(source.path)
    case 'pushed': return readPushed(access)
  }
}

const readBlob = (blob: Blob) => readStream(blob.stream(), 'io', 'The file')

function readStream(stream: ReadableStream<Uint8Array>, code: 'network' | 'io', name: string): ByteReader {
  const { reader, read } = openStream(stream)
  const next = async () => {
    const { done, value } = await read().catch((error: Error) => {
      throw new HeedError(code, `${name}: ${error.message}`)
    })
    return done ? undefined : value
  }
  return fromChunks(next, () => { reader.cancel().catch(() => {}) })
}

/**
 * A stream of bytes fills one buffer again and again: fresh pages for each chunk would cost as much as the
 * chunk's way here. The engine's memory cannot be that buffer, because it is shared.
 */
function openStream(stream: ReadableStream<Uint8Array>) {
  try {
    const reader = stream.getReader({ mode: 'byob' })
    let buffer = new ArrayBuffer(bufferBytes)
    const read = async () => {
      const result = await reader.read(new Uint8Array(buffer))
      if (result.value) buffer = result.value.buffer
      return result as ReadableStreamReadResult<Uint8Array>
    }
    return { reader, read }
  } catch {  // in some browsers, downloads are no streams of bytes
    const reader = stream.getReader()
    return { reader, read: () => reader.read() }
  }
}

/** The next chunk comes while the one before is packed. */
function readPushed({ pull }: FileAccess): ByteReader {
  let coming = pull()
  return fromChunks(async () => {
    const chunk = await coming
    if (chunk) coming = pull()
    return chunk
  })
}

function fromChunks(next: () => Promise<Uint8Array | undefined>, close = () => {}): ByteReader {
  let chunk: Uint8Array | undefined = new Uint8Array()
  return {
    async read(place) {
      while (chunk?.length === 0) chunk = await next()
      if (!chunk) return 0
      const part = chunk.subarray(0, place.length)
      place.set(part)
      chunk = chunk.subarray(part.length)
      return part.length
    },
    close,
  }
}

/** https://fs.spec.whatwg.org/#api-filesystemsyncaccesshandle, which TypeScript knows in workers only. */
interface SyncAccess {
  read(place: Uint8Array, options: { at: number }): number
  close(): void
}
interface SyncHandle {
  createSyncAccessHandle(options: { mode: 'read-only' }): Promise<SyncAccess>
}

/** A file of the origin private file system goes into the engine's memory at once; another one streams. */
async function openHandle(handle: FileSystemFileHandle): Promise<ByteReader> {
  try {
    const file = await (handle as unknown as SyncHandle).createSyncAccessHandle({ mode: 'read-only' })
    let at = 0
    return {
      read(place) {
        const count = file.read(place, { at })
        at += count
        return count
      },
      close: () => file.close(),
    }
  } catch {
    const file = await handle.getFile().catch((error: Error) => { throw new HeedError('io', error.message) })
    return readBlob(file)
  }
}
