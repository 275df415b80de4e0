// `loadModel` for all platforms: starts an engine that loads a model.
import type { Endpoint, Platform } from '../platform/platform.js'
import { chooseModules } from '../platform/simd.js'
import type { Assets, LoadOptions, LoadProgress, ModelSource } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import { onAbort } from './on-abort.js'
import type { ConstraintFiles } from '../wire/protocol.js'
import { withCompiled } from './compiled-modules.js'
import { connectEngine } from './connection.js'
import { openFile, readFile } from './files.js'
import { Model } from './model.js'
import { defaultThreads, locateModules } from './modules.js'
import { oneThread } from './one-thread.js'
import { readOptions } from './options.js'
import { shared } from './shared/shared.js'
import { type OpenedSource, openSource, storesOnlyDownloads } from './source.js'
import { supervise } from './supervise.js'

export async function loadModelOn(platform: Platform, source?: ModelSource, options?: LoadOptions): Promise<Model> {
  const read = readOptions('loadModel', options)
  const { contextLength, kvCache, memoryLimit, parallel, prefixCache, assets, signal } = read
  const { threads = defaultThreads(platform) } = read
  if (signal?.aborted) throw HeedError.aborted(signal)
  const choice = chooseModules(read.simd, read.memory64)
  const { adapters = [], projector, draft = { own: 'auto' }, cache, crossOriginStorage, hub, stallTimeout, keep, keepBytes } = read
  if (keepBytes !== undefined && !keep) throw refuse('loadModel: keepBytes is an option of `keep`')
  const place = { platform, assets }
  const sources = [openSource('loadModel', source, platform, { ...read, perhaps: true })]
  let failure: unknown
  try {
    // Opens the files beside the model before the model is read, so that an invalid source fails at once.
    const beside = (name: string, file?: ModelSource) => {
      if (file === undefined) return undefined
      const opened = openFile(`loadModel: ${name}`, file, { cache, crossOriginStorage, perhaps: true, hub, stallTimeout }, place)
      sources.push(opened)
      return opened
    }
    const pictures = beside('projector', projector)
    const drafts = beside('draft', draft.file)
    if (cache && source !== undefined && !sources.some(({ request }) => request.cache)) throw storesOnlyDownloads('loadModel: ')
    const [opened] = sources as [OpenedSource]
    const { modules, lack } = locateModules(choice, platform, assets)
    const start = () => platform.startEngine(assets)
    const chosen = { threads, contextLength, kvCache, memoryLimit, parallel, prefixCache, draft: draft.own }
    const endpoint = await abortable(read.shared ? shareEngine(sources, { ...chosen, keep }, start) : start(), signal)
    const engine = connectEngine(endpoint, platform, assets)
    const { connection } = engine
    const { report, settled } = supervise('loadModel', connection, read)
    const notice = oneThread(threads)
    if (notice) report({ type: 'progress', progress: { phase: 'resolve', loaded: 0, cached: 0, notice } })
    try {
      const progressOf = (file?: LoadProgress['file']) => ({
        onProgress: (progress: LoadProgress) => report({ type: 'progress', progress: file ? { ...progress, file } : progress }),
      })
      const { info, interruptFlag } = await readFile('loadModel', opened, progressOf(), connection, place, (file, asked) =>
        connection.call(
          {
            type: 'load',
            ...file,
            modules,
            lack,
            constraints: constraintFiles(platform, assets),
            lab: platform.workerScript('heed-lab.js', assets),
            keep: keep ? { script: platform.workerScript('heed-kept.js', assets), bytes: keepBytes } : undefined,
            options: chosen,
          },
          asked,
        ),
      )
      connection.ready({ interruptFlag, inOrder: info.parallel === 1 })
      let reads = { images: false, audio: false }
      for (const [what, file] of [['projector', pictures] as const, ['draft', drafts] as const]) {
        if (!file) continue
        const read = await readFile(`loadModel: ${what}`, file, progressOf(what), connection, place, (read, asked) =>
          connection.call({ type: 'loadBeside', what, ...read }, asked),
        )
        reads = read ?? reads
      }
      const { images: acceptsImages, audio: acceptsAudio } = reads
      const names = { embedsImages: info.sees, acceptsImages, acceptsAudio, readsImages: acceptsImages }
      const files = { model: again(opened), projector: pictures && again(pictures) }
      const model = new Model(engine, { ...info, ...names, simd: choice.simd }, place, files)
      for (const [name, file] of adapters) await model.loadAdapter(name, file, { hub, stallTimeout })
      return model
    } catch (error) {
      connection.close(HeedError.from(error))
      throw error
    } finally {
      settled()
    }
  } catch (error) {
    failure = error
    throw error
  } finally {
    for (const { cancel } of sources) cancel?.(failure)
  }
}

const shareEngine: Share = async (...how) => (await shared()).shareEngine(...how)
type Share = Awaited<ReturnType<typeof shared>>['shareEngine']

/** What is needed to open a file again. Pushed data can be read only once, so only its request is kept. */
const again = ({ request, next }: OpenedSource): OpenedSource =>
  request.source.kind === 'pushed' ? { request } : { request, next }

const constraintFiles = (platform: Platform, assets?: Assets): ConstraintFiles =>
  withCompiled({ wasm: platform.constraintsModule(assets), script: platform.workerScript('heed-constraints.js', assets) })

/** Resolves to a starting engine; an abort rejects, and terminates the engine once it has started. */
function abortable(starting: Promise<Endpoint>, signal?: AbortSignal): Promise<Endpoint> {
  return new Promise((resolve, reject) => {
    const settled = onAbort(signal, () => {
      reject(HeedError.aborted(signal))
      starting.then(
        endpoint => endpoint.terminate(),
        () => {},
      )
    })
    starting
      .then(endpoint => {
        if (!signal?.aborted) resolve(endpoint)
      }, reject)
      .finally(settled)
  })
}
