// The destination of a collection's bytes: memory, a file that can be written at any place, or a stream.
import type { CollectTarget } from '../../../types/index.js'
import { HeedError, refuse } from '../../../wire/errors.js'

export interface Sink {
  /** Whether bytes can be written in any order. */
  readonly anywhere: boolean
  write(at: number, data: Uint8Array<ArrayBuffer>): Promise<void>
  /** The whole file, if it is in memory. */
  readonly file?: Uint8Array<ArrayBuffer>
  close(): Promise<void>
}

interface Seekable {
  write(data: { type: 'write'; position: number; data: Uint8Array<ArrayBuffer> }): Promise<void>
}
/** A file handle of Node. */
interface NodeFile {
  fd: number
  write(data: Uint8Array, offset: number, length: number, position: number): Promise<unknown>
}

const failed = (error: unknown) => new HeedError('io', `collect: to: ${(error as Error)?.message ?? error}`, { cause: error })

/**
 * Opens the destination of `collect`. `bytes`: the size of the whole file; `from`: the offset at which a stream continues. Throws
 * at once: `invalid-argument` if `to` is neither the name of a format, an unlocked WritableStream nor a file handle,
 * `out-of-memory` if a file that is to stay in memory is too large for an array. Writes that fail reject with `io`.
 */
export function sinkFor(to: CollectTarget, bytes: number, from: number): Sink {
  if (typeof to === 'string') return inMemory(bytes)
  if ('seek' in to && 'write' in to) {
    const file = to as unknown as Seekable
    return {
      anywhere: true,
      write: (position, data) =>
        file.write({ type: 'write', position, data }).catch(error => {
          throw failed(error)
        }),
      close: async () => {},
    }
  }
  if ('fd' in to && 'write' in to) {
    const file = to as unknown as NodeFile
    return {
      anywhere: true,
      write: async (position, data) => {
        await file.write(data, 0, data.length, position).catch(error => {
          throw failed(error)
        })
      },
      close: async () => {},
    }
  }
  if (to instanceof WritableStream) {
    if (to.locked) throw refuse('collect: to: the stream is locked')
    const writer = to.getWriter()
    let next = from
    return {
      anywhere: false,
      write: async (at, data) => {
        if (at !== next) throw refuse('collect: to: a stream takes bytes in order: one point as npy or safetensors')
        await writer.write(data).catch(error => {
          throw failed(error)
        })
        next += data.length
      },
      close: async () => writer.releaseLock(),
    }
  }
  throw refuse("collect: to: expected 'npy', 'npz', 'safetensors', a WritableStream or a file handle")
}

function inMemory(bytes: number): Sink {
  let file: Uint8Array<ArrayBuffer>
  try {
    file = new Uint8Array(bytes)
  } catch {
    throw new HeedError('out-of-memory', `collect: ${bytes} bytes do not fit in memory; write them to a file`)
  }
  return { anywhere: true, file, write: async (at, data) => file.set(data, at), close: async () => {} }
}
