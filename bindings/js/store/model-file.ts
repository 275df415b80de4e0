// The interface of a model file from any source, which the loader reads in order or at any position.
import type { HeedErrorCode } from '../wire/errors.js'

export interface ModelFile {
  readonly name: string
  /** The size of the file in bytes, if known. */
  readonly size?: number
  /** For a download: the bytes that were already stored when the file was opened. */
  readonly cached?: number
  /**
   * Reads bytes from position `at` into `place` and returns their number: at least one, or 0 at the end. Sequential reads are fast.
   * Fails with `network`, `io` or `invalid-file`.
   */
  read(at: number, place: Uint8Array): number | Promise<number>
  /**
   * Completes the download and verifies the file; fails if the file is not as expected. `end`: the end of the model in the file.
   */
  complete?(end: number): Promise<void>
  /** Closes a file that cannot be used, and deletes it from the store if it is worthless. */
  reject?(code: HeedErrorCode): Promise<void>
  /** Closes the file. Resolves once the store is consistent. */
  close(): void | Promise<void>
}

/** Bytes that arrive in order, chunk by chunk. */
export interface Chunks {
  /** The next chunk, valid until the next call; undefined at the end. */
  next(): Promise<Uint8Array | undefined>
  close(): void
}

/** A file that is read with `open`, which starts at any position. Sequential reads need a single `open`. */
export function fileOfChunks(name: string, open: (at: number) => Chunks | Promise<Chunks>): ModelFile {
  let chunks: Chunks | undefined
  let chunk: Uint8Array | undefined = new Uint8Array()
  let position = 0 // the position of the first unread byte of the chunk
  return {
    name,
    async read(at, place) {
      if (!chunks || at !== position) {
        chunks?.close()
        chunks = await open(at)
        chunk = new Uint8Array()
        position = at
      }
      while (chunk?.length === 0) chunk = await chunks.next()
      if (!chunk) return 0
      const part = chunk.subarray(0, place.length)
      place.set(part)
      chunk = chunk.subarray(part.length)
      position += part.length
      return part.length
    },
    close: () => chunks?.close(),
  }
}

/** Bytes `at` to `at + length` of a file, or fewer at its end. */
export async function readBytes(file: ModelFile, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let count = 0
  while (count < length) {
    const more = await file.read(at + count, bytes.subarray(count))
    if (more === 0) break
    count += more
  }
  return bytes.subarray(0, count)
}
