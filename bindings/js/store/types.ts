// The public types of sources, and of the store.
import type { WebAbortSignal, WebBlob, WebUrl } from '../web-types.js'
import type { Assets, LoadProgress } from '../types.js'

/** How models on a hub are asked for: sources that start with hf: */
export interface HubOptions {
  /** A branch, a tag or a commit. Default: `main`. */
  revision?: string
  /** The hub's address, or that of a mirror. Default: https://huggingface.co */
  endpoint?: string
  /** Of a user, for models that need one. It is sent to the endpoint only, and kept nowhere. */
  token?: string
}

/** Where a download comes from: an address, `hf:OWNER/REPOSITORY/FILE.gguf` or `hf:OWNER/REPOSITORY:Q4_K_M`. */
export type RemoteSource = string | WebUrl

export interface StoreOptions {
  /** As for `loadModel`. */
  assets?: Assets
}

export interface HubStoreOptions extends StoreOptions {
  hub?: HubOptions
}

export interface PruneOptions extends StoreOptions {
  /** Bytes that may stay. */
  keepBytes: number
}

export interface DownloadOptions extends HubStoreOptions {
  /** As for `loadModel`. */
  integrity?: string | readonly string[]
  /** As for `loadModel`. */
  stallTimeout?: number
  /** Pauses: the promise rejects with an `AbortError`, and the next call goes on from there. */
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
}

export interface ImportOptions extends StoreOptions {
  /** What it is called; then `loadModel('store:NAME')` loads it. Default: the file's own name. */
  name?: string
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
}

export interface StoredPart {
  readonly name: string
  /** Bytes that are there. */
  readonly bytes: number
  /** Bytes that there will be, where that is known. */
  readonly total?: number
  readonly complete: boolean
  /** In hexadecimal, of a part that is complete. */
  readonly sha256?: string
  readonly etag?: string
}

/** A model that the store has, as a whole or in part. */
export interface StoredModel {
  /** What `loadModel` and the store's functions take. */
  readonly source: string
  /** Where they differ from the usual: needed beside `source`, as the option `hub`. */
  readonly revision?: string
  readonly endpoint?: string
  readonly name: string
  /** Bytes that are there. */
  readonly bytes: number
  /** Bytes that there will be, where that is known. */
  readonly total?: number
  readonly complete: boolean
  /** In hexadecimal, of a model in one file that is complete. */
  readonly sha256?: string
  readonly etag?: string
  readonly lastUsed?: Date
  /** More than one where the model is split. */
  readonly parts: readonly StoredPart[]
}

export interface StoreEstimate {
  /** Bytes of the models in the store. */
  readonly models: number
  /** Bytes that this site uses in all, and may use, where the browser tells. */
  readonly usage?: number
  readonly quota?: number
  /** Whether the browser keeps them even when it is short of space. */
  readonly persisted: boolean
}

/**
 * The models that are kept: in a page in its origin private file system, in Node in the folder HEED_MODELS, or in the user's
 * cache. Where a browser keeps no files (private windows), there are none.
 */
export interface ModelStore {
  /**
   * Downloads a model ahead of time. What an earlier call has left is gone on with, and what another tab downloads is waited
   * for. Fails with `network`, `invalid-file`, `out-of-space`, `unsupported` where nothing can be kept, or `aborted`.
   */
  download(source: RemoteSource, options?: DownloadOptions): Promise<StoredModel>
  /** All models, the last used first. */
  list(options?: StoreOptions): Promise<StoredModel[]>
  /** Whether a model is there as a whole. */
  has(source: RemoteSource, options?: HubStoreOptions): Promise<boolean>
  /** Deletes a model; resolves to whether there was one. Fails with `io` while it is being downloaded. */
  delete(source: RemoteSource | StoredModel, options?: HubStoreOptions): Promise<boolean>
  /** Deletes all models. */
  clear(options?: StoreOptions): Promise<void>
  estimate(options?: StoreOptions): Promise<StoreEstimate>
  /** Copies a file that the user has, or the files of a split model. The same name replaces. */
  import(file: WebBlob | readonly WebBlob[], options?: ImportOptions): Promise<StoredModel>
  /** Deletes what was not used for longest, until no more than `keepBytes` are left; resolves to what was deleted. */
  prune(options: PruneOptions): Promise<StoredModel[]>
}
