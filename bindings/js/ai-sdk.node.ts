// heed/ai-sdk in Node: the same exports as in a page.
import type * as page from './ai-sdk.js'
import { createProvider } from './ai-sdk/provider.js'

export const createHeed: typeof page.createHeed = settings =>
  createProvider(async (source, options) => (await import('./index.node.js')).loadModel(source, options), settings)
export const heed: typeof page.heed = /* @__PURE__ */ createHeed()
