// Blobs as sources in the worker. Those that cannot be sent there, such as the Blobs of Node's `fs.openAsBlob`, are read here,
// range by range.
import type { Platform } from '../platform/platform.js'
import type { FileSource, KeptRange } from '../wire/model-request.js'

export class KeptBlobs {
  readonly #platform: Platform
  readonly #blobs: Blob[] = []

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** The source for a Blob; `name` is the model's name for a Blob without one. */
  source(blob: Blob, name?: string): FileSource {
    const named = { name: 'name' in blob ? String(blob.name) : name }
    if (!this.#platform.cannotSend?.(blob)) return { kind: 'blob', blob, ...named }
    return { kind: 'kept', blob: this.#blobs.push(blob) - 1, size: blob.size, ...named }
  }

  async read({ blob, at, length }: KeptRange): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#blobs[blob]!.slice(at, at + length).arrayBuffer())
  }
}
