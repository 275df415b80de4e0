// heed in Node: the same exports as in a page.
import type * as page from './index.js'
import { loadModelOn } from './load-model.js'
import { node } from './platform/node.js'
import { modelStoreOn } from './store/model-store.js'

export const loadModel: typeof page.loadModel = (source, options) => loadModelOn(node, source, options)
export const modelStore: typeof page.modelStore = modelStoreOn(node)
export { HeedError } from './errors.js'
export { similarity } from './similarity.js'
