// `loadModel` for all platforms: starts an engine that loads a model.
import type { Endpoint, Platform } from '../platform/platform.js'
import { chooseModules, type ModuleChoice } from '../platform/simd.js'
import type { Assets, LoadOptions, LoadProgress, ModelSource } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import { onAbort } from './on-abort.js'
import type { KeptRange } from '../wire/model-request.js'
import type { ModuleFiles, WasmFile } from '../wire/protocol.js'
import { withCompiled } from './compiled-modules.js'
import { type Connection, leaseEngine } from './connection.js'
import { readFile } from './files.js'
import { Model } from './model.js'
import { readOptions } from './options.js'
import { type OpenedSource, openSource } from './source.js'
import { supervise } from './supervise.js'

export async function loadModelOn(
  platform: Platform, source?: ModelSource, options?: LoadOptions,
): Promise<Model> {
  const read = readOptions('loadModel', options)
  const { contextLength, kvCache, memoryLimit, parallel, prefixCache, assets, signal } = read
  const { threads = Math.min(platform.cores, 8) } = read
  if (signal?.aborted) throw HeedError.aborted(signal)
  const choice = chooseModules(read.simd, read.memory64)
  const opened = openSource('loadModel', source, platform, read)
  const { modules, lack } = locateModules(choice, platform, assets)
  const endpoint = await abortable(platform.startEngine(assets), signal)
  const engine = leaseEngine(endpoint, platform.decodeImage, platform.startTemplates && (() => platform.startTemplates!(assets)))
  const { connection } = engine
  let isLoading = true
  const { report, settled } = supervise('loadModel', connection, read)
  try {
    const { info, interruptFlag } = await connection.call(
      {
        type: 'load', request: opened.request, modules, lack, store: platform.storeScript(assets), constraints: locateConstraints(platform, assets),
        options: { threads, contextLength, kvCache, memoryLimit, parallel, prefixCache },
      },
      {
        onEvent: event => {
          report(event)
          if (event.type === 'pull') push(opened, connection, () => isLoading, event)
        },
      })
    connection.ready({ interruptFlag, inOrder: info.parallel === 1 })
    const { adapters = [], projector, cache, hub, stallTimeout } = read
    const place = { platform, assets }
    if (projector !== undefined) {
      const onProgress = (progress: LoadProgress) => report({ type: 'progress', progress: { ...progress, file: 'projector' } })
      await readFile('loadModel: projector', projector, { cache, hub, stallTimeout, onProgress }, connection, place, (file, asked) =>
        connection.call({ type: 'loadProjector', ...file }, asked))
    }
    const model = new Model(engine, { ...info, simd: choice.simd, readsImages: projector !== undefined }, place)
    for (const [name, file] of adapters) await model.loadAdapter(name, file, { hub, stallTimeout })
    return model
  } catch (error) {
    connection.close(HeedError.from(error))
    opened.cancel?.(error)
    throw error
  } finally {
    isLoading = false
    opened.cancel?.()
    settled()
  }
}

/** Locates the modules. The larger one is optional: if it cannot be located, only models that need it fail. */
function locateModules(
  { names: [first, larger], lack }: ModuleChoice, platform: Platform, assets?: Assets,
): { modules: ModuleFiles[], lack?: string } {
  const modules = [withCompiled(platform.engineFiles(first!, assets))]
  try {
    if (larger) modules.push(withCompiled(platform.engineFiles(larger, assets)))
    return { modules, lack }
  } catch (error) {
    return { modules, lack: (error as Error).message }
  }
}

/** A bundle in which it cannot be located lacks only this. */
function locateConstraints(platform: Platform, assets?: Assets): WasmFile | undefined {
  try {
    return withCompiled({ wasm: platform.constraintsModule(assets) })
  } catch {
    return undefined
  }
}

/** Resolves to a starting engine; an abort rejects, and terminates the engine once it has started. */
function abortable(starting: Promise<Endpoint>, signal?: AbortSignal): Promise<Endpoint> {
  return new Promise((resolve, reject) => {
    const settled = onAbort(signal, () => {
      reject(HeedError.aborted(signal))
      starting.then(endpoint => endpoint.terminate(), () => {})
    })
    starting.then(endpoint => { if (!signal?.aborted) resolve(endpoint) }, reject).finally(settled)
  })
}

/** Sends the next chunk, or a range. If the source fails, so does the load. */
async function push(
  opened: OpenedSource, connection: Connection, isLoading: () => boolean, { pull, range }: { pull: number, range?: KeptRange },
): Promise<void> {
  try {
    const bytes = await opened.next!(range)
    connection.post({ type: 'chunk', pull, bytes }, bytes && [bytes.buffer])
  } catch (error) {
    if (!isLoading()) return  // the model was already complete
    const message = `The stream of the model failed: ${(error as Error)?.message ?? error}`
    connection.close(error instanceof HeedError ? error : new HeedError('io', message, { cause: error }))
  }
}
