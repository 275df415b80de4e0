// heed in Node: the same exports as in a page.
import type * as page from './index.js'
import { decodeImageOn } from './page/image.js'
import { lab } from './page/lab/lab.js'
import { loadModelOn } from './page/load-model.js'
import { modelStoreOn } from './page/model-store.js'
import { node } from './platform/node.js'

export const loadModel: typeof page.loadModel = (source, options) => loadModelOn(node, source, options)
export const decodeImage: typeof page.decodeImage = decodeImageOn(node)
export const compareModels: typeof page.compareModels = async (...given) => (await lab()).compareModels(...given)
export const modelStore: typeof page.modelStore = modelStoreOn(node)
export { HeedError } from './wire/errors.js'
export { similarity } from './page/similarity.js'
