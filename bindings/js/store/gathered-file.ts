// A file that combines consecutive writes in a buffer, because Firefox takes a millisecond per write and delivers downloads in
// small chunks.
import type { StoreFile } from './folder.js'

const bufferBytes = 1 << 19

export class GatheredFile implements StoreFile {
  readonly #file: StoreFile
  readonly #buffer = new Uint8Array(bufferBytes)
  #at = 0
  #filled = 0

  constructor(file: StoreFile) {
    this.#file = file
  }

  write(at: number, bytes: Uint8Array): void {
    if (at !== this.#at + this.#filled || this.#filled + bytes.length > bufferBytes) this.put()
    if (bytes.length > bufferBytes) return this.#file.write(at, bytes)
    if (this.#filled === 0) this.#at = at
    this.#buffer.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  /** Writes the buffer to the file. */
  put(): void {
    const gathered = this.#buffer.subarray(0, this.#filled)
    this.#filled = 0
    if (gathered.length > 0) this.#file.write(this.#at, gathered)
  }

  size(): number {
    this.put()
    return this.#file.size()
  }

  read(at: number, place: Uint8Array): number {
    this.put()
    return this.#file.read(at, place)
  }

  truncate(size: number): void {
    this.put()
    this.#file.truncate(size)
  }

  flush(): void {
    this.put()
    this.#file.flush()
  }

  /** Discards buffered data. */
  close(): void {
    this.#file.close()
  }
}
