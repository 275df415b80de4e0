// heed/react: models, chats, completions and embeddings as React hooks.
import { modelHook, type UseModelHook } from './use-model.js'

/**
 * A model, loaded while a component uses it. Components that ask for the same source and options share one, and StrictMode loads it
 * once; after the last of them has unmounted, it is disposed of. On a server, it stays `loading`. Options are those of `loadModel`.
 *
 * @example
 * const { model, status, progress, error, retry } = useModel('/model.gguf', { cache: true })
 */
export const useModel: UseModelHook = /* @__PURE__ */ modelHook(async (source, options) =>
  (await import('../../index.js')).loadModel(source, options),
)

export { useChat, type UseChat, type UseChatOptions } from './use-chat.js'
export { useCompletion, type UseCompletion, type UseCompletionOptions } from './use-completion.js'
export { useEmbedding, type UseEmbedding, type UseEmbeddingOptions } from './use-embedding.js'
export type { UseModel, UseModelHook } from './use-model.js'
export type { ModelState, UseModelOptions } from '../shared-models.js'
export type { RunStatus } from './running.js'
