// The public types of loading: where models and the package's files come from, the options and the progress.
import type { WebAbortSignal, WebBlob, WebFileHandle, WebResponse, WebStream, WebUrl } from './web.js'

/**
 * Where a model comes from: a URL, `hf:OWNER/REPOSITORY/FILE.gguf` or `hf:OWNER/REPOSITORY:Q4_K_M`, `store:NAME` for an
 * imported model, a file that the user picked or the page stores, the files of a split model, bytes, a Response, a stream of bytes
 * (of the web or of Node, or any async iterable) or, in Node, a path. For a split model, the URL or path of any part loads all parts. In the origin private file system, a file
 * handle is faster than its File.
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

/** Options for models on a hub: sources that start with `hf:`. */
export interface HubOptions {
  /** A branch, a tag or a commit. Default: `main`. */
  revision?: string
  /** The URL of the hub or of a mirror. Default: https://huggingface.co */
  endpoint?: string
  /** A user's access token, for models that need one. It is sent only to the endpoint and never stored. */
  token?: string
}

/** The SIMD kernels. Both give the same bits; `relaxed` is faster. */
export type Simd = 'relaxed' | 'simd128'

/** The type of cached keys and values. `int16` changes results by about 7e-5 relative, `f16` by 3e-4, `int8` by 1.5e-2. */
export type KvCache = 'f32' | 'f16' | 'int16' | 'int8'

/** A file that the package fetches at run time; all are in its folder `dist`. */
export type AssetName =
  | 'heed-worker.js'
  | 'heed-store.js'
  | 'heed-template.js'
  | 'heed-relaxed.js'
  | 'heed-relaxed.wasm'
  | 'heed-simd128.js'
  | 'heed-simd128.wasm'
  | 'heed-memory64.js'
  | 'heed-memory64.wasm'
  | 'heed-constraints.js'
  | 'heed-constraints.wasm'
  | 'heed-lab.js'
  | 'heed-stories.gguf'

/** The URL of a folder with these files, or the URLs of some of them by name. */
export type Assets = string | WebUrl | Readonly<Partial<Record<AssetName, string | WebUrl>>>

export interface LoadOptions {
  /** Number of threads. Default: one per core, at most 8. Always 1 without SharedArrayBuffer. */
  threads?: number
  /**
   * Context length, in tokens; an error if above `info.trainedContext`. Default: `info.trainedContext`, or less if memory is
   * short.
   */
  contextLength?: number
  /** Default: `f32` for models with F32, F16 or BF16 weights, `int16` for others. */
  kvCache?: KvCache
  /**
   * Maximum bytes for weights and caches together. Default: 3 GiB; for a model that needs more, 16 GiB or, if known and smaller,
   * the machine's memory.
   */
  memoryLimit?: number
  /**
   * How many texts to generate at once, from 1 to 32; further ones wait. With 1, calls run one after the other, in the order in
   * which they were made. Default: 8, or fewer if memory is short.
   */
  parallel?: number
  /**
   * Bytes of cached keys and values to keep, once unused, for later prompts with the same prefix; 0 for none. Default: enough for
   * one text that fills the context, if memory allows.
   */
  prefixCache?: number
  /**
   * Forces these kernels; an error if they cannot run. Default: `relaxed` if a probe shows that it works.
   */
  simd?: Simd
  /**
   * Whether to run the WebAssembly module with 64-bit memory. It gives the same bits, generates a few per cent slower, reads
   * prompts up to a third slower, and needs relaxed SIMD. Default: only if the model needs more memory than 32 bits can address.
   */
  memory64?: boolean
  /**
   * Where the package's own files are, as URLs relative to the page or, in Node, as paths. Default: beside its script, or where
   * the bundler put them. Needed if the bundler does not detect them (esbuild, Rollup) and they are elsewhere.
   */
  assets?: Assets
  /**
   * Stores the download for the next load, and resumes an earlier, interrupted download. If the model cannot be stored, it is
   * loaded anyway, and `onProgress` gets a notice. `reload` does the same, but asks first whether the server still has the file that is
   * stored: by what it says of it, which is an ETag, a length and a date, or a hub's checksum. If not, the new one replaces it; if the server
   * cannot be asked, the stored one is loaded, with a notice. Default: false: only a model that is stored completely, as by
   * `modelStore.download`, is read from the store.
   */
  cache?: boolean | 'reload'
  /**
   * `sha256-` and the checksum that the file must have, in hexadecimal or Base64; for a split model, one per part. A checksum
   * that a hub lists is always verified.
   */
  integrity?: string | readonly string[]
  /** Adapters (LoRA) to load after the model, by name, as `Model.loadAdapter` does with `hub` and `stallTimeout`. Default: none. */
  adapters?: Readonly<Record<string, ModelSource>>
  /**
   * The projector of a vision-language model, for images in prompts: its second file, whose name has `mmproj`. Its weights are part of
   * `memory().bytes`. `hub`, `cache` and `stallTimeout` are for both files. Default: none.
   */
  projector?: ModelSource
  /** Options for sources that start with `hf:`. */
  hub?: HubOptions
  /** Milliseconds without data before a download is requested again. Default: 30000. */
  stallTimeout?: number
  /** Aborts loading at once: the promise rejects with an `AbortError` whose `cause` is the signal's reason. */
  signal?: WebAbortSignal
  /** Called repeatedly while the file is read, and once at its end; then the same for the projector's. */
  onProgress?: (progress: LoadProgress) => void
}

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
  /** Which file, unless it is the model's own. */
  file?: 'projector'
  /** Bytes read so far. */
  loaded: number
  /** Size of the file in bytes; known once its header is read or the server reports it. */
  total?: number
  /** How many of the bytes read were not downloaded. */
  cached: number
  /** The recent rate in this phase. */
  bytesPerSecond?: number
  /** A message about something unexpected, reported once: the model cannot be stored, or the download starts over. */
  notice?: string
}
