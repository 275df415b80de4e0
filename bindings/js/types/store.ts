// The public types of the store.
import type { DownloadOptions, HubStoreOptions, ImportOptions, PruneOptions, StoreOptions } from './options.js'
import type { WebBlob, WebUrl } from './web.js'

/** The source of a download: a URL, `hf:OWNER/REPOSITORY/FILE.gguf` or `hf:OWNER/REPOSITORY:Q4_K_M`. */
export type RemoteSource = string | WebUrl

export interface StoredPart {
  readonly name: string
  /** Bytes stored so far. */
  readonly bytes: number
  /** Bytes of the complete file, if known. */
  readonly total?: number
  readonly complete: boolean
  /** In hexadecimal, for a complete part. */
  readonly sha256?: string
  readonly etag?: string
}

/** A stored model, complete or partial. */
export interface StoredModel {
  /** The source to pass to `loadModel` and to the store's functions. */
  readonly source: string
  /** Present if not the default: pass them along with `source`, as the option `hub`. */
  readonly revision?: string
  readonly endpoint?: string
  readonly name: string
  /** Bytes stored so far. */
  readonly bytes: number
  /** Bytes of the complete file, if known. */
  readonly total?: number
  readonly complete: boolean
  /** In hexadecimal, for a complete model in one file. */
  readonly sha256?: string
  readonly etag?: string
  readonly lastUsed?: Date
  /** More than one if the model is split. */
  readonly parts: readonly StoredPart[]
}

export interface StoreEstimate {
  /** Total bytes of the stored models. */
  readonly models: number
  /** Bytes that this site uses in total and may use, if the browser reports them. */
  readonly usage?: number
  readonly quota?: number
  /** Whether the browser keeps the models even when it is short of space. */
  readonly persisted: boolean
}

/**
 * The stored models: in a page, in its origin private file system; in Node, in the folder HEED_MODELS or the user's cache. If a
 * browser stores no files (private windows), there are none.
 */
export interface ModelStore {
  /**
   * Downloads a model ahead of time. It resumes an earlier download and waits for one in another tab. Fails with `network`,
   * `invalid-file`, `out-of-space`, `unsupported` if nothing can be stored, `io` if the other tab reports nothing for twenty times
   * `stallTimeout`, or `aborted`.
   *
   * @example
   * await modelStore.download('hf:OWNER/REPOSITORY:Q8_0', { onProgress: ({ loaded, total }) => console.log(loaded, total) })
   */
  download(source: RemoteSource, options?: DownloadOptions): Promise<StoredModel>
  /**
   * All models, most recently used first.
   *
   * @example
   * for (const { source, bytes, complete } of await modelStore.list()) console.log(source, bytes, complete)
   */
  list(options?: StoreOptions): Promise<StoredModel[]>
  /**
   * Whether a model is stored completely.
   *
   * @example
   * if (!(await modelStore.has('hf:OWNER/REPOSITORY:Q8_0'))) console.log('to be downloaded')
   */
  has(source: RemoteSource, options?: HubStoreOptions): Promise<boolean>
  /**
   * Deletes a model; resolves to whether it existed. Fails with `io` while it is being downloaded.
   *
   * @example
   * const existed = await modelStore.delete('store:mine')
   */
  delete(source: RemoteSource | StoredModel, options?: HubStoreOptions): Promise<boolean>
  /**
   * Deletes all models, and no other files of the folder. While one is being downloaded, deletes the others and then fails with
   * `io`.
   *
   * @example
   * await modelStore.clear()
   */
  clear(options?: StoreOptions): Promise<void>
  /**
   * The space that stored models use, and the space available.
   *
   * @example
   * const { models, quota } = await modelStore.estimate()
   */
  estimate(options?: StoreOptions): Promise<StoreEstimate>
  /**
   * Copies a user's file, or the files of a split model, into the store. Replaces a model of the same name once
   * the copy is complete, so there must be room for both.
   *
   * @example
   * await modelStore.import(file, { name: 'mine' })
   * const model = await loadModel('store:mine')
   */
  import(file: WebBlob | readonly WebBlob[], options?: ImportOptions): Promise<StoredModel>
  /**
   * Deletes the least recently used models until no more than `keepBytes` remain; resolves to the deleted models.
   *
   * @example
   * await modelStore.prune({ keepBytes: 4e9 })
   */
  prune(options: PruneOptions): Promise<StoredModel[]>
}
