// heed/in-thread: the same API as heed, for contexts without workers, such as the service worker of an extension. The engine runs in
// the thread that uses it, between its other work.
import memory64 from '#glue/memory64'
import relaxed from '#glue/relaxed'
import simd128 from '#glue/simd128'
import type * as page from './index.js'
import { decodeImageOn } from './page/image.js'
import { lab } from './page/lab/lab.js'
import { loadModelOn } from './page/load-model.js'
import { modelStoreOn } from './page/model-store.js'
import type { Model } from './page/model.js'
import { browser } from './platform/browser.js'
import type { Endpoint, Platform } from './platform/platform.js'
import type { ToTemplates } from './prompting/asked.js'
import { serveTemplates } from './prompting/tasks.js'
import { browserStore } from './store/place-browser.js'
import { sha256 } from './store/sha256.js'
import { openStore } from './store/store.js'
import type { DecodeImageOptions, Image, LoadOptions, ModelSource, ModelStore, Pixels } from './types/index.js'
import { HeedError } from './wire/errors.js'
import { readLater } from './worker/all-scripts.js'
import { compile, memoryBytes, yieldToMessages } from './worker/browser.js'
import { serve } from './worker/serve.js'

const glues: Record<string, typeof relaxed> = { memory64, relaxed, simd128 }

/** Node cannot fetch files; Deno and Bun can. */
const isNode = globalThis.location === undefined && !('Deno' in globalThis || 'Bun' in globalThis)

/** Writing files would block this thread, but it can list and delete them. */
const store = openStore({ sha256, store: async () => undefined }, browserStore)

const inThread: Platform = {
  ...browser,
  cores: 1,
  engineFiles(name, assets) {
    const files = browser.engineFiles(name, assets)
    if (isNode && files.wasm.startsWith('file:'))
      throw new HeedError('unsupported', 'heed/in-thread is for browsers: in Node, import heed')
    return { ...files, glue: name }
  },
  workerScript: () => undefined,
  /** A running template cannot be stopped: it ends when its budget is spent. */
  async startTemplates() {
    let answer: (answered: unknown) => void
    const receive = serveTemplates(message => answer(message))
    return {
      post: message => receive(message as ToTemplates),
      listen(onMessage) {
        answer = onMessage
      },
      terminate() {},
      setBusy() {},
    }
  },

  async startEngine(): Promise<Endpoint> {
    const { port1: user, port2: engine } = new MessageChannel()
    let hasEnded = false
    let end: () => void | Promise<void>
    serve({
      post: (message, transfer = []) => engine.postMessage(message, transfer),
      listen(onMessage, onEnd) {
        engine.onmessage = ({ data }) => onMessage(data)
        end = onEnd
      },
      memoryBytes,
      yieldToMessages,
      readGlue: async name => async options => {
        const module = await glues[name]!(options)
        if (hasEnded) throw new HeedError('disposed', 'The engine was ended while it started')
        return module
      },
      compile,
      readStore: async () => store,
      readLater,
    })
    return {
      post: (message, transfer = []) => user.postMessage(message, transfer),
      listen(onMessage) {
        user.onmessage = ({ data }) => onMessage(data)
      },
      /** There is no thread to end. Running calls end because the engine is freed: whatever they use of it next throws. */
      terminate() {
        hasEnded = true
        user.close()
        return end()
      },
      setBusy() {},
    }
  },
}

/** Loads a model as heed's `loadModel` does. The model runs on the current thread and yields after each token. */
export const loadModel = (source?: ModelSource, options?: LoadOptions): Promise<Model> => loadModelOn(inThread, source, options)

/** The pixels of an image, as heed's `decodeImage`. */
export const decodeImage: (image: Image, options?: DecodeImageOptions) => Promise<Pixels> = decodeImageOn(inThread)

/** Measures how far a second model is from a first one, as heed's `compareModels` does. */
export const compareModels: typeof page.compareModels = async (...given) => (await lab()).compareModels(...given)

/** The models stored on this machine; this thread can list and delete them. */
export const modelStore: ModelStore = modelStoreOn(inThread)

export { HeedError, type HeedErrorCode } from './wire/errors.js'
export { similarity } from './page/similarity.js'
export type { Generation } from './page/generation.js'
export type { Model } from './page/model.js'
export type { Session } from './page/session.js'
export type { Unfinished } from './page/unfinished.js'
export type * from './types/index.js'
