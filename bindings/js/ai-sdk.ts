// dist/ai-sdk.js: heed/ai-sdk, whose models are loaded by heed, once one is needed.
import { createProvider, type HeedProvider, type HeedProviderSettings, type LoadModel } from './ai-sdk/provider.js'

const load: LoadModel = async (source, options) => (await import('./index.js')).loadModel(source, options)

/** A provider of its own: with options for every model that it loads, or with another `loadModel`. */
export const createHeed = (settings?: HeedProviderSettings): HeedProvider => createProvider(load, settings)

/**
 * Heed's models for the AI SDK.
 *
 *     const { textStream } = streamText({ model: heed(await loadModel('model.gguf')), prompt: 'Hello!' })
 *
 * A source is loaded at the first call: `heed('model.gguf')`.
 */
export const heed: HeedProvider = /* @__PURE__ */ createHeed()

export type { HeedModel, HeedProvider, HeedProviderSettings, LoadModel } from './ai-sdk/provider.js'
export type { HeedLanguageModel } from './ai-sdk/language-model.js'
export type { HeedLanguageModelOptions } from './ai-sdk/options.js'
export type { HeedEmbeddingModel, HeedEmbeddingModelOptions } from './ai-sdk/embedding-model.js'
export type { HeedRerankingModel } from './ai-sdk/reranking-model.js'
