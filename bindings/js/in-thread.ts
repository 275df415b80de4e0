// heed/in-thread: the same API as heed, for contexts without workers, such as the service worker of an extension.
import { loadModelOn } from './load-model.js'
import type { Model } from './model.js'
import { inThread } from './platform/in-thread.js'
import { modelStoreOn } from './store/model-store.js'
import type { LoadOptions, ModelSource, ModelStore } from './types.js'

/** Loads a model as heed's `loadModel` does. The model runs on the current thread and yields after each token. */
export const loadModel = (source?: ModelSource, options?: LoadOptions): Promise<Model> =>
  loadModelOn(inThread, source, options)

/** The models stored on this machine; this thread can list and delete them. */
export const modelStore: ModelStore = modelStoreOn(inThread)

export { HeedError, type HeedErrorCode } from './errors.js'
export { similarity } from './similarity.js'
export type { Generation } from './generation.js'
export type { Model } from './model.js'
export type { Session } from './session.js'
export type * from './types.js'
