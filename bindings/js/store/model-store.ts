// `modelStore`, as its user has it: what reads and deletes runs here, what writes in a worker of its own, which has the means.
import { leaseEngine } from '../connection.js'
import { HeedError } from '../errors.js'
import { readOptions } from '../options.js'
import type { Platform } from '../platform/platform.js'
import type { FileSource, ModelRequest } from '../protocol.js'
import { locateModel } from '../source.js'
import type { Assets, LoadProgress } from '../types.js'
import * as catalogue from './catalogue.js'
import type { StorePlace } from './folder.js'
import type { SourceRecord } from './journal.js'
import { recordOf } from './record.js'
import { splitName } from './split-name.js'
import type { ModelStore, StoredModel } from './types.js'

interface Job {
  assets?: Assets
  signal?: AbortSignal
  onProgress?: (progress: LoadProgress) => void
}

const invalid = (message: string) => new HeedError('invalid-argument', message)

export function modelStoreOn(platform: Platform): ModelStore {
  /** Runs a job in a worker; an abort ends that, and what was written stays. */
  async function run(call: string, request: ModelRequest, { assets, signal, onProgress }: Job): Promise<void> {
    if (signal?.aborted) throw HeedError.aborted(signal)
    const endpoint = await platform.startEngine(assets)
    const { connection } = leaseEngine(endpoint)
    const abort = () => connection.close(HeedError.aborted(signal))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    try {
      await connection.call({ type: 'keep', request }, {
        onEvent(event) {
          if (event.type !== 'progress') return
          try {
            onProgress?.(event.progress)
          } catch (error) {
            connection.close(new HeedError('invalid-argument', `${call}: onProgress failed: ${(error as Error)?.message}`, { cause: error }))
          }
        },
      })
    } finally {
      signal?.removeEventListener('abort', abort)
      connection.close(new HeedError('disposed', 'The job is done'))
    }
  }

  async function required(record: SourceRecord): Promise<StoredModel> {
    const place = await platform.store()
    const model = place && await catalogue.entryFor(place, record)
    if (!model) throw new HeedError('io', `The store has lost ${record.source}`)
    return model
  }

  const withPlace = async <Result>(body: (place: StorePlace) => Promise<Result>, otherwise: Result): Promise<Result> => {
    const place = await platform.store()
    return place ? body(place) : otherwise
  }

  /** What the store calls a model that was asked for, or listed. */
  function recordFor(call: string, source: unknown, options: unknown): SourceRecord {
    const { hub } = readOptions('modelStore', options)
    if (typeof source === 'object' && source && 'source' in source && 'parts' in source) {
      const { source: text, revision, endpoint } = source as StoredModel
      return { source: text, revision, endpoint }
    }
    return recordOf(remote(call, source, hub))
  }

  function remote(call: string, source: unknown, hub: object = {}): FileSource {
    const file = typeof source === 'string' || source instanceof URL ? locateModel(source, platform, hub) : undefined
    if (file?.kind === 'url' || file?.kind === 'hub' || file?.kind === 'stored') return file
    throw invalid(`modelStore.${call}: source: expected an address, hf:OWNER/REPOSITORY:Q4_K_M or what the list gives as source`)
  }

  return {
    async download(source, options = {}) {
      const { hub, integrity, stallTimeout: stallMs, ...job } = readOptions('download', options)
      const file = remote('download', source, hub)
      if (file.kind === 'stored') throw invalid(`modelStore.download: "${file.source}" is nowhere to be downloaded`)
      await run('download', { source: file, cache: true, integrity, stallMs }, job)
      return required(recordOf(file))
    },

    list: () => withPlace(async place => (await catalogue.entries(place)).map(({ model }) => model), []),

    async has(source, options = {}) {
      const record = recordFor('has', source, options)
      return withPlace(place => catalogue.has(place, record), false)
    },

    async delete(source, options = {}) {
      const record = recordFor('delete', source, options)
      return withPlace(place => catalogue.remove(place, record), false)
    },

    clear: () => withPlace(catalogue.clear, undefined),

    async estimate() {
      return catalogue.estimate(await platform.store())
    },

    async import(file, options = {}) {
      const { name, ...job } = readOptions('import', options)
      const files: unknown[] = Array.isArray(file) ? Array.from(file) : [file]
      if (files.length === 0 || !files.every(one => one instanceof Blob)) throw invalid('modelStore.import: expected a File, or several')
      const blobs = files as Blob[]
      const [first] = blobs
      const own = first && 'name' in first ? String(first.name) : undefined
      const importAs = name ?? (own && (splitName(own)?.title ?? own))
      if (!importAs) throw invalid('modelStore.import: name: a Blob has none; give one')
      const parts = blobs.map(blob => ({ kind: 'blob' as const, blob, name: 'name' in blob ? String(blob.name) : importAs }))
      const source: FileSource = { kind: 'set', parts }
      await run('import', { source, importAs }, job)
      return required({ source: `store:${importAs}` })
    },

    async prune(options) {
      const { keepBytes } = readOptions('prune', options)
      if (keepBytes === undefined) throw invalid('modelStore.prune: keepBytes: say how many may stay')
      return withPlace(place => catalogue.prune(place, keepBytes), [])
    },
  }
}

let hasAsked = false

/** Asks the browser to keep the models even when it is short of space; once, after the first that was kept. */
export function askToPersist(): void {
  if (hasAsked) return
  hasAsked = true
  globalThis.navigator?.storage?.persist?.().catch(() => {})
}
