// The public types of loading: where models and the package's files come from, and the progress.
import type { WebBlob, WebFileHandle, WebResponse, WebStream, WebUrl } from './web.js'

/**
 * Where a model comes from: a URL, `hf:OWNER/REPOSITORY/FILE.gguf` or `hf:OWNER/REPOSITORY:Q4_K_M`, `store:NAME` for an
 * imported model, a file that the user picked or the page stores, the files of a split model, bytes, a Response, a stream of bytes
 * (of the web or of Node, or any async iterable) or, in Node, a path. For a split model, the URL or path of any part loads all
 * parts. In the origin private file system, a file handle is faster than its File.
 */
export type ModelSource =
  | string
  | WebUrl
  | WebBlob
  | WebFileHandle
  | ArrayBuffer
  | ArrayBufferView
  | WebResponse
  | WebStream
  | AsyncIterable<Uint8Array>
  | readonly (WebBlob | WebFileHandle | string | WebUrl)[]

/** The SIMD kernels. The results are identical, bit for bit; `relaxed` is faster. */
export type Simd = 'relaxed' | 'simd128'

/**
 * The type of cached keys and values. `int16` changes results by about 7e-5 relative, `f16` by 3e-4. `q8` and `q4` store rotated
 * vectors as codes of eight and four bits, with a scale per block.
 */
export type KvCacheKind = 'f32' | 'f16' | 'int16' | 'q8' | 'q4'

/** A type of cache, or `auto`: exact enough for the weights or, if that does not fit, smaller. `int8` is the old name of `q8`. */
export type KvCache = 'auto' | KvCacheKind | 'int8'

/** A file that the package fetches at run time; all are in its folder `dist`. */
export type AssetName =
  | 'heed-worker.js'
  | 'heed-store.js'
  | 'heed-template.js'
  | 'heed-relaxed.js'
  | 'heed-relaxed.wasm'
  | 'heed-relaxed-extra.wasm'
  | 'heed-simd128.js'
  | 'heed-simd128.wasm'
  | 'heed-simd128-extra.wasm'
  | 'heed-memory64.js'
  | 'heed-memory64.wasm'
  | 'heed-memory64-extra.wasm'
  | 'heed-constraints.js'
  | 'heed-constraints.wasm'
  | 'heed-lab.js'
  | 'heed-kept.js'
  | 'heed-microphone.js'
  | 'heed-stories.gguf'

/** The URL of a folder with these files, or the URLs of some of them by name. */
export type Assets = string | WebUrl | Readonly<Partial<Record<AssetName, string | WebUrl>>>

/**
 * - `resolve`: the hub is being queried, or nothing has started yet
 * - `wait`: another tab is downloading the model; `loaded` is its progress
 * - `check`: the bytes of an earlier download are read and verified
 * - `download`: bytes come from the network
 * - `load`: bytes come from a file, or from the store
 * - `import`: a file is copied into the store
 */
export type LoadPhase = 'resolve' | 'wait' | 'check' | 'download' | 'load' | 'import'

export interface LoadProgress {
  phase: LoadPhase
  /** The file that is loaded; absent for the model itself. */
  file?: 'projector' | 'draft'
  /** Bytes read so far. */
  loaded: number
  /** Size of the file in bytes; known once its header is read or the server reports it. */
  total?: number
  /** How many of the bytes read so far were not downloaded. */
  cached: number
  /** The recent rate in this phase. */
  bytesPerSecond?: number
  /** A message about something unexpected, reported once: the model cannot be stored, or the download starts over. */
  notice?: string
}
