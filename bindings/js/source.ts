// A model where the caller has it: what the worker cannot open by itself is pushed to it chunk by chunk.
import { HeedError } from './errors.js'
import type { Platform } from './platform/platform.js'
import type { FileSource } from './protocol.js'
import type { Assets, ModelSource } from './types.js'

const chunkBytes = 1 << 20

/** A file for the worker, and, where it has to be pushed, the chunks. */
export interface OpenedSource {
  file: FileSource
  /** The next chunk, for the worker to keep; nothing at the end. */
  next?(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Called when no more chunks are wanted. */
  cancel?(reason: unknown): void
}

const refuse = (message: string) => new HeedError('invalid-argument', `loadModel: source: ${message}`)

/** Throws `invalid-argument` for what is none of the sources. */
export function openSource(source: ModelSource | undefined, platform: Platform, assets?: Assets): OpenedSource {
  if (source === undefined) return { file: platform.defaultModel(assets) }
  if (typeof source === 'string' || source instanceof URL) return { file: platform.locate(source) }
  if (source instanceof Blob) return { file: { kind: 'blob', blob: source } }
  if (globalThis.FileSystemFileHandle && source instanceof FileSystemFileHandle) {
    return { file: { kind: 'handle', handle: source } }
  }
  if (source instanceof ReadableStream) return { file: { kind: 'pushed' }, ...fromStream(source) }
  if (ArrayBuffer.isView(source)) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    return { file: { kind: 'pushed' }, ...fromBytes(bytes) }
  }
  if (source instanceof ArrayBuffer) return { file: { kind: 'pushed' }, ...fromBytes(new Uint8Array(source)) }
  throw refuse('expected a URL, Blob, file handle, bytes, ReadableStream or, in Node, a path')
}

function fromBytes(bytes: Uint8Array) {
  let offset = 0
  return {
    next: async () => {
      const chunk = new Uint8Array(bytes.subarray(offset, offset += chunkBytes))
      return chunk.length > 0 ? chunk : undefined
    },
  }
}

function fromStream(stream: ReadableStream<Uint8Array>) {
  if (stream.locked) throw refuse('the stream is locked to another reader')
  const reader = stream.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      if (done) return undefined
      if (!ArrayBuffer.isView(value)) throw refuse('the stream is not one of bytes')
      return new Uint8Array(value)  // a copy: the caller's may be a part of something larger
    },
    cancel: (reason: unknown) => { reader.cancel(reason).catch(() => {}) },
  }
}
