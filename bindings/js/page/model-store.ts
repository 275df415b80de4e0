// The public `modelStore`: each call runs in its own worker, which can write files.
import type { Platform } from '../platform/platform.js'
import type { Assets, LoadProgress } from '../types/index.js'
import type { ModelStore, StoredModel } from '../types/store.js'
import { HeedError } from '../wire/errors.js'
import type { FileSource } from '../wire/model-request.js'
import type { StoreResults, StoreTask } from '../wire/store-tasks.js'
import { leaseEngine } from './connection.js'
import { readOptions } from './options.js'
import { locateModel } from './source.js'

interface Job {
  assets?: Assets
  signal?: AbortSignal
  onProgress?: (progress: LoadProgress) => void
}

const invalid = (message: string) => new HeedError('invalid-argument', `modelStore.${message}`)

export function modelStoreOn(platform: Platform): ModelStore {
  /** An abort terminates the worker; what it has written stays. */
  async function run<Name extends keyof StoreResults>(
    task: StoreTask & { task: Name }, { assets, signal, onProgress }: Job,
  ): Promise<StoreResults[Name]> {
    if (signal?.aborted) throw HeedError.aborted(signal)
    const { connection } = leaseEngine(await platform.startEngine(assets))
    const abort = () => connection.close(HeedError.aborted(signal))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    try {
      return await connection.call({ type: 'store', store: platform.storeScript(assets), ...task }, {
        onEvent(event) {
          if (event.type !== 'progress') return
          try {
            onProgress?.(event.progress)
          } catch (error) {
            const message = `${task.task}: onProgress failed: ${(error as Error)?.message}`
            connection.close(new HeedError('invalid-argument', message, { cause: error }))
          }
        },
      }) as StoreResults[Name]
    } finally {
      signal?.removeEventListener('abort', abort)
      connection.close(new HeedError('disposed', 'The job is done'))
    }
  }

  /** A source that can be downloaded or stored. Throws `invalid-argument`. */
  function located(call: string, source: unknown, hub?: object): FileSource {
    const file = typeof source === 'string' || source instanceof URL ? locateModel(source, platform, hub) : undefined
    if (file?.kind === 'url' || file?.kind === 'hub' || file?.kind === 'stored') return file
    throw invalid(`${call}: source: expected a URL, hf:OWNER/REPOSITORY:Q4_K_M or a source from the list`)
  }

  return {
    async download(source, options = {}) {
      const { hub, integrity, stallTimeout: stallMs, ...job } = readOptions('download', options)
      const file = located('download', source, hub)
      if (file.kind === 'stored') throw invalid(`download: "${file.source}" cannot be downloaded`)
      return run({ task: 'download', request: { source: file, cache: true, integrity, stallMs } }, job)
    },

    list: async (options = {}) => run({ task: 'list' }, readOptions('list', options)),

    async has(source, options = {}) {
      const { hub, ...job } = readOptions('has', options)
      return run({ task: 'has', source: located('has', source, hub) }, job)
    },

    async delete(source, options = {}) {
      const { hub, ...job } = readOptions('delete', options)
      if (typeof source === 'object' && source && 'parts' in source) {
        const { source: text, revision, endpoint } = source as StoredModel
        return run({ task: 'delete', source: { kind: 'stored', source: text, revision, endpoint } }, job)
      }
      return run({ task: 'delete', source: located('delete', source, hub) }, job)
    },

    clear: async (options = {}) => run({ task: 'clear' }, readOptions('clear', options)),

    estimate: async (options = {}) => run({ task: 'estimate' }, readOptions('estimate', options)),

    async import(file, options = {}) {
      const { name, ...job } = readOptions('import', options)
      const files: unknown[] = Array.isArray(file) ? Array.from(file) : [file]
      if (files.length === 0 || !files.every(one => one instanceof Blob)) throw invalid('import: expected one or more Files')
      const parts = (files as Blob[]).map(blob => ({
        kind: 'blob' as const, blob, name: 'name' in blob ? String(blob.name) : name,
      }))
      if (!parts[0]!.name) throw invalid('import: name: needed for a Blob')
      return run({ task: 'import', source: { kind: 'set', parts }, name: name ?? parts[0]!.name }, job)
    },

    async prune(options) {
      const { keepBytes, ...job } = readOptions('prune', options)
      if (keepBytes === undefined) throw invalid('prune: keepBytes: give the number of bytes to keep')
      return run({ task: 'prune', keepBytes }, job)
    },
  }
}

let hasAsked = false

/** Asks the browser, only once, to keep the stored models even when space is short. */
export function askToPersist(): void {
  if (hasAsked) return
  hasAsked = true
  globalThis.navigator?.storage?.persist?.().catch(() => {})
}
