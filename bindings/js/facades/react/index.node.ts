// heed/react in Node, for servers that render and for tests: the same exports as in a page.
import type * as page from './index.js'
import { modelHook } from './use-model.js'

export const useModel: typeof page.useModel = /* @__PURE__ */ modelHook(async (source, options) =>
  (await import('../../index.node.js')).loadModel(source, options),
)

export { useChat } from './use-chat.js'
export { useCompletion } from './use-completion.js'
export { useEmbedding } from './use-embedding.js'
