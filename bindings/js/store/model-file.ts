// A model file, wherever it is: what the loader reads, part after part, or here and there.
import type { HeedErrorCode } from '../errors.js'

export interface ModelFile {
  readonly name: string
  /** In bytes, where that is known. */
  readonly size?: number
  /** Where it is downloaded: how many bytes were there already when it was opened. */
  readonly kept?: number
  /**
   * Puts bytes from `at` on into `place`, and says how many: at least one, or 0 at the end. Reading in order is fast. Fails
   * with `network`, `io` or `invalid-file`.
   */
  read(at: number, place: Uint8Array): number | Promise<number>
  /** Makes sure that all of it has come, and is what it should be; fails where it is not. */
  complete?(): Promise<void>
  /** Closes it, and keeps nothing of it: it is no model that can be used. */
  reject?(code: HeedErrorCode): Promise<void>
  /** Resolves once the store is in order. */
  close(): void | Promise<void>
}

/** Bytes that come in order, a piece at a time. */
export interface Chunks {
  /** Good until the next call; nothing at the end. */
  next(): Promise<Uint8Array | undefined>
  close(): void
}

/** A file of what `open` gives from any position on: opened once where it is read in order. */
export function fileOfChunks(name: string, open: (at: number) => Chunks | Promise<Chunks>): ModelFile {
  let chunks: Chunks | undefined
  let chunk: Uint8Array | undefined = new Uint8Array()
  let position = 0  // of the chunk's first byte that was not read yet
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

/** Bytes `at` to `at + length` of a file, or fewer where it ends. */
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
