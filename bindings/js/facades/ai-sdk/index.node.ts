// heed/ai-sdk in Node: the same exports as in a page.
import type * as page from './index.js'
import { createProvider } from './provider.js'

export const createHeed: typeof page.createHeed = settings =>
  createProvider(async (source, options) => (await import('../../index.node.js')).loadModel(source, options), settings)
export const heed: typeof page.heed = /* @__PURE__ */ createHeed()
