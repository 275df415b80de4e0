// The public `modelStore`: each call runs in its own worker, which can write files.
import type { Platform } from '../platform/platform.js'
import { chooseModules } from '../platform/simd.js'
import type { Assets, HubStoreOptions, LoadProgress, ModelStore, RemoteSource, StoredModel, StoreOptions } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { FileSource } from '../wire/model-request.js'
import type { CallEvent } from '../wire/protocol.js'
import type { StoreResults, StoreTask } from '../wire/store-tasks.js'
import { connectEngine } from './connection.js'
import { KeptBlobs } from './kept-blobs.js'
import { defaultThreads, locateModules } from './modules.js'
import { readOptions } from './options.js'
import { locateModel, type OpenedSource, openSource } from './source.js'
import { supervise } from './supervise.js'

interface Job {
  assets?: Assets
  signal?: AbortSignal
  onProgress?: (progress: LoadProgress) => void
}

const invalid = (message: string) => refuse(`modelStore.${message}`)

export function modelStoreOn(platform: Platform): ModelStore {
  /** An abort terminates the worker; what it has written stays. */
  async function run<Name extends keyof StoreResults>(
    task: StoreTask & { task: Name },
    { assets, ...job }: Job,
    next?: OpenedSource['next'],
  ): Promise<StoreResults[Name]> {
    if (job.signal?.aborted) throw HeedError.aborted(job.signal)
    const { connection } = connectEngine(await platform.startEngine(assets), platform, assets)
    const { report, settled } = supervise(task.task, connection, job)
    const onEvent = (event: CallEvent) => {
      report(event)
      if (event.type === 'pull')
        void next!(event.range).then(
          bytes => connection.post({ type: 'chunk', pull: event.pull, bytes }, bytes && [bytes.buffer]),
          (error: Error) => connection.close(new HeedError('io', `The file cannot be read: ${error.message}`, { cause: error })),
        )
    }
    try {
      return (await connection.call(
        { type: 'store', store: platform.workerScript('heed-store.js', assets), ...task },
        { onEvent },
      )) as StoreResults[Name]
    } finally {
      settled()
      connection.close(new HeedError('disposed', 'Done'))
    }
  }

  /** A source that can be downloaded or stored. Throws `invalid-argument`. */
  function located(call: string, source: unknown, hub?: object): FileSource {
    const file = typeof source === 'string' || source instanceof URL ? locateModel(source, platform, hub) : undefined
    if (file?.kind === 'url' || file?.kind === 'hub' || file?.kind === 'stored') return file
    throw invalid(`${call}: source: expected a URL, hf:OWNER/REPOSITORY:Q4_K_M or a source from the list`)
  }

  /** A task that only needs its options. */
  const simple =
    <Task extends 'list' | 'clear' | 'clearKept' | 'estimate'>(task: Task) =>
    async (options?: StoreOptions) =>
      run({ task } as StoreTask & { task: Task }, readOptions(task, options) as Job)

  /** A task about one model, given by its source or as an entry of the list. */
  const about = (task: 'has' | 'delete') => async (source: RemoteSource | StoredModel, options?: HubStoreOptions) => {
    const { hub, ...job } = readOptions(task, options)
    const { parts, source: text, revision, endpoint } = (source ?? {}) as StoredModel
    return run({ task, source: parts ? { kind: 'stored', source: text, revision, endpoint } : located(task, source, hub) }, job)
  }

  return {
    async download(source, options) {
      const { hub, integrity, cache = true, stallTimeout: stallMs, ...job } = readOptions('download', options)
      const file = located('download', source, hub)
      if (file.kind === 'stored') throw invalid(`download: "${file.source}" cannot be downloaded`)
      return run({ task: 'download', request: { source: file, cache, integrity, stallMs } }, job)
    },

    list: simple('list'),
    has: about('has'),
    delete: about('delete'),
    clear: simple('clear'),
    clearKept: simple('clearKept'),
    estimate: simple('estimate'),

    async import(file, options) {
      const { name, ...job } = readOptions('import', options)
      const files: unknown[] = Array.isArray(file) ? Array.from(file) : [file]
      if (files.length === 0 || !files.every(one => one instanceof Blob)) throw invalid('import: expected one or more Files')
      const kept = new KeptBlobs(platform)
      const parts = (files as Blob[]).map(blob => kept.source(blob, name))
      const [first] = files as (Blob & { name?: string })[]
      const title = name ?? first!.name
      if (!title) throw invalid('import: name: needed for a Blob')
      return run({ task: 'import', source: { kind: 'set', parts }, name: String(title) }, job, range => kept.read(range!))
    },

    async fits(source, options) {
      const {
        simd,
        memory64,
        hub,
        stallTimeout,
        assets,
        signal,
        threads = defaultThreads(platform),
        draft = { own: 'auto' },
        ...chosen
      } = readOptions('fits', options)
      if (isStream(source)) throw invalid('fits: source: a stream would be used up; give its URL, or its bytes')
      const choice = chooseModules(simd, memory64)
      const { request, next } = openSource('modelStore.fits', source, platform, { assets, hub, stallTimeout })
      const { modules, lack } = locateModules(choice, platform, assets)
      return run(
        { task: 'fits', request, modules, lack, options: { threads, draft: draft.own, ...chosen } },
        { assets, signal },
        next,
      )
    },

    async prune(options) {
      const { keepBytes, ...job } = readOptions('prune', options)
      return run({ task: 'prune', keepBytes }, job)
    },
  }
}

/** Whether a source can be read only once. */
const isStream = (source: unknown) =>
  typeof source === 'object' &&
  source !== null &&
  !(source instanceof Blob) &&
  (Symbol.asyncIterator in source || 'getReader' in source || 'body' in source) &&
  !Array.isArray(source)

let hasAsked = false

/** Asks the browser, only once, to keep the stored models even when space is short. */
export function askToPersist(): void {
  if (hasAsked) return
  hasAsked = true
  globalThis.navigator?.storage?.persist?.().catch(() => {})
}
