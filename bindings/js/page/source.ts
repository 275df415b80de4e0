// The sources of models, in the caller's thread. Data that the worker cannot open itself is pushed to it chunk by chunk.
import type { Platform } from '../platform/platform.js'
import type { Assets, HubOptions, ModelSource } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { FileSource, KeptRange, ModelRequest } from '../wire/model-request.js'
import { KeptBlobs } from './kept-blobs.js'
import { isObject, matched } from './readers.js'

const chunkBytes = 1 << 20

/** The request for the worker and, if the model must be pushed, its chunks. */
export interface OpenedSource {
  request: ModelRequest
  /** The next chunk, or the given range of a Blob; its buffer can be transferred. Undefined at the end. */
  next?(range?: KeptRange): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Called when no more chunks are wanted. */
  cancel?(reason?: unknown): void
}

/** The error for `cache` with a source that is not a download. */
export const storesOnlyDownloads = (call = '') =>
  refuse(`${call}source: \`cache\` only stores downloads; for files, use modelStore.import`)
const invalid = (message: string) => refuse(`source: ${message}`)

export interface SourceOptions {
  assets?: Assets
  cache?: boolean | 'reload'
  /** Whether `cache` is ignored, instead of rejected, for a source that is not a download. */
  perhaps?: boolean
  crossOriginStorage?: boolean
  hub?: HubOptions
  integrity?: string[]
  stallTimeout?: number
}

/** Opens the source of a call. Throws `invalid-argument` if it is not valid. Errors name the call, also errors of the stream. */
export function openSource(
  call: string,
  source: ModelSource | undefined,
  platform: Platform,
  options: SourceOptions = {},
): OpenedSource {
  const { assets, cache, perhaps, crossOriginStorage: crossOrigin, hub, integrity, stallTimeout: stallMs } = options
  const named = (error: unknown) =>
    error instanceof HeedError ? new HeedError(error.code, `${call}: ${error.message}`, { cause: error.cause }) : error
  try {
    return matched('source', source, () => {
      const { file, next, cancel } = open(source, platform, assets, hub)
      const isStored = source !== undefined && ['url', 'hub', 'stored'].includes(file.kind)
      if (cache && !perhaps && source !== undefined && !isStored) throw storesOnlyDownloads()
      return {
        request: { source: file, cache: isStored && cache, crossOrigin, integrity, stallMs },
        next: range =>
          next!(range).catch((error: unknown) => {
            throw named(error)
          }),
        cancel,
      }
    })
  } catch (error) {
    throw named(error)
  }
}

/** Interprets a URL, a path or a name. */
export function locateModel(source: string | URL, platform: Platform, hub: HubOptions = {}): FileSource {
  const text = String(source)
  if (text.startsWith('hf:')) return { kind: 'hub', source: text, options: hub }
  if (text.startsWith('store:')) return { kind: 'stored', source: text }
  return platform.locate(source)
}

type Opened = Omit<OpenedSource, 'request'> & { file: FileSource }

function open(source: ModelSource | undefined, platform: Platform, assets?: Assets, hub?: HubOptions): Opened {
  if (source === undefined) return { file: platform.defaultModel(assets) }
  if (typeof source === 'string' || source instanceof URL) return { file: locateModel(source, platform, hub) }
  const kept = new KeptBlobs(platform)
  const next = (range?: KeptRange) => kept.read(range!)
  if (Array.isArray(source)) return { file: { kind: 'set', parts: partsOf(source, platform, kept) }, next }
  if (source instanceof Blob) return { file: kept.source(source), next }
  if (globalThis.FileSystemFileHandle && source instanceof FileSystemFileHandle) {
    return { file: { kind: 'handle', handle: source } }
  }
  if (source instanceof ReadableStream) return { file: { kind: 'pushed' }, ...fromStream(source) }
  if (globalThis.Response && source instanceof Response) return { file: { kind: 'pushed' }, ...fromStream(bodyOf(source)) }
  if (ArrayBuffer.isView(source)) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    return { file: { kind: 'pushed' }, ...fromBytes(bytes) }
  }
  if (source instanceof ArrayBuffer) return { file: { kind: 'pushed' }, ...fromBytes(new Uint8Array(source)) }
  if (isObject(source)) {
    if (typeof source[Symbol.asyncIterator as never] === 'function') {
      return { file: { kind: 'pushed' }, ...fromIterator(source as never) }
    }
    if (typeof source.then === 'function') throw invalid('a promise: await it, and give what it resolves to')
    if (typeof source.createReadStream === 'function')
      throw invalid('a file handle of Node: give its path, or its createReadStream()')
    if (globalThis.Request && source instanceof Request) throw invalid('a Request: give its URL, or the Response that fetch gives')
  }
  throw invalid('expected a URL, path, Blob, file handle, bytes, Response or stream of bytes')
}

/** The bytes of a response, as a stream. */
function bodyOf(response: Response): ReadableStream<Uint8Array> {
  const { ok, status, bodyUsed, body, url } = response
  if (!ok) throw new HeedError('network', `source: ${url || 'the Response'}: HTTP ${status}`)
  if (bodyUsed || !body) throw invalid(`the Response has ${body ? 'been read' : 'no body'}`)
  return body
}

/** The parts of a split model. */
function partsOf(sources: readonly unknown[], platform: Platform, kept: KeptBlobs): FileSource[] {
  const expected = () => invalid('parts of a model must be URLs, Files or file handles')
  if (sources.length === 0) throw expected()
  return Array.from(sources, source => {
    // visits holes, too
    if (source instanceof Blob) return kept.source(source)
    if (ArrayBuffer.isView(source) || Array.isArray(source) || source === undefined) throw expected()
    const { file } = open(source as ModelSource, platform)
    if (file.kind === 'pushed') throw expected()
    if (file.kind === 'hub' || file.kind === 'stored') throw invalid(`"${source}" has all parts: give it alone`)
    return file
  })
}

function fromBytes(bytes: Uint8Array) {
  let offset = 0
  return {
    next: async () => {
      const chunk = new Uint8Array(bytes.subarray(offset, (offset += chunkBytes)))
      return chunk.length > 0 ? chunk : undefined
    },
  }
}

function fromStream(stream: ReadableStream<Uint8Array>) {
  if (stream.locked) throw invalid('the stream is locked')
  const reader = stream.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done ? undefined : chunkOf(value)
    },
    cancel: (reason?: unknown) => {
      reader.cancel(reason).catch(() => {})
    },
  }
}

/** Streams of Node, generators, and anything else that yields bytes. */
function fromIterator(source: AsyncIterable<unknown> & { destroy?(): void }) {
  const chunks = source[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { done, value } = await chunks.next()
      return done ? undefined : chunkOf(value)
    },
    async cancel() {
      try {
        source.destroy?.() // in Node, a stream that has not been read does not end with its iterator
        await chunks.return?.()
      } catch {}
    },
  }
}

/** A copy, because its buffer is transferred and the caller's may contain other data. */
function chunkOf(value: unknown): Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(value)) throw invalid('the stream has no bytes')
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice() as Uint8Array<ArrayBuffer>
}

/** Where the files of a model came from. */
export interface ModelFiles {
  readonly model: OpenedSource
  readonly projector?: OpenedSource
}
