// The public types of the store.
import type { KvCacheKind, ModelSource } from './loading.js'
import type {
  DownloadOptions,
  FitsOptions,
  HubStoreOptions,
  ImportOptions,
  PruneOptions,
  StoreOptions,
} from './options.generated.js'
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
  /** In hexadecimal, for a complete file; absent for a split model as a whole. */
  readonly sha256?: string
  readonly etag?: string
}

/** A stored model, complete or partial. */
export interface StoredModel extends StoredPart {
  /** The source to pass to `loadModel` and to the store's functions. */
  readonly source: string
  /** Present if not the default: pass it along with `source`, as `hub: { revision }`. */
  readonly revision?: string
  /** Present if not the default: pass it along with `source`, as `hub: { endpoint }`. */
  readonly endpoint?: string
  readonly lastUsed?: Date
  /** More than one if the model is split. */
  readonly parts: readonly StoredPart[]
}

export interface StoreEstimate {
  /** Total bytes of the stored models. */
  readonly models: number
  /** Total bytes of what models loaded with `keep` have kept. */
  readonly kept: number
  /** Bytes that this site uses in total, if the browser reports them. */
  readonly usage?: number
  /** Bytes that this site may use, if the browser reports them. */
  readonly quota?: number
  /** Whether the browser keeps the models even when it is short of space. */
  readonly persisted: boolean
}

/** What a model would need on this machine, and how fast it would be. Values are in bytes unless stated otherwise. */
export interface Fit {
  /** Whether the model fits into memory with a text that fills the context. */
  readonly fits: boolean
  readonly architecture: string
  readonly name: string
  /** The type of most weights, such as `Q4_0`. */
  readonly weights: string
  readonly parameters: number
  readonly fileBytes: number
  /** The context of a load with these options, in tokens; of a model that transcribes, that of the text of half a minute. */
  readonly contextLength: number
  /** The longest context that the model was trained for, in tokens. */
  readonly trainedContext: number
  /** The longest context that fits into memory, in tokens; 0 if none does. */
  readonly longestContext: number
  readonly kvCache: KvCacheKind
  readonly parallel: number
  readonly threads: number
  /** Whether it needs the module with 64-bit memory. */
  readonly memory64: boolean
  /**
   * `bytes`: weights and workspace; `cache`: keys and values of a text that fills the context, on top of `bytes`; `limit`: the most
   * that the model may take.
   */
  readonly memory: {
    /** What `Model.memory` reports once the model is loaded: weights and workspace. */
    readonly bytes: number
    readonly weights: number
    readonly workspace: number
    /** Keys and values of a text that fills the context, on top of `bytes`. */
    readonly cache: number
    /** The most that the model may take. */
    readonly limit: number
  }
  /** Estimated from this machine's speed with such weights; 0 for what the model does not do. Both are 0 if it transcribes. */
  readonly tokensPerSecond: { readonly reading: number; readonly writing: number }
  /**
   * Absent if nothing can be stored here. `stored`: what the store has of the model; `needed`: what storing the rest takes;
   * `free`: absent if the browser does not report it.
   */
  readonly storage?: { readonly stored: number; readonly needed: number; readonly free?: number }
}

/** A value of a file's metadata. An integer is a bigint where a number would not be exact. */
export type MetadataValue = string | number | bigint | boolean | readonly MetadataValue[]

/** `type`: such as `u32`, `string`, or `f32[]` for an array. */
export interface MetadataEntry {
  readonly type: string
  readonly value: MetadataValue
}

/** The metadata of a GGUF file, by key. */
export type Metadata = Readonly<Record<string, MetadataEntry>>

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
   * What a model would take with these options of `loadModel`, and how fast it would be: bytes of memory, the longest context that
   * fits, tokens per second, and the room in the store. Only the header of the file is read; for a file on a server, by range
   * requests. It takes about a fifth of a second to measure the machine. The source is one of `loadModel`, except a Response or a
   * stream. Fails as `loadModel` does, but resolves for a model that does not fit.
   *
   * @example
   * const { fits, memory, longestContext } = await modelStore.fits('hf:OWNER/REPOSITORY:Q8_0', { contextLength: 1024 })
   * if (!fits) console.log(`needs ${memory.bytes + memory.cache} bytes; a context of ${longestContext} would fit`)
   */
  fits(source?: ModelSource, options?: FitsOptions): Promise<Fit>
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
   * Deletes what models loaded with `keep` have kept: texts that they have read, and unfinished answers.
   *
   * @example
   * await modelStore.clearKept()
   */
  clearKept(options?: StoreOptions): Promise<void>
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
