// dist/ai-sdk.js: heed/ai-sdk; heed loads its models on first use.
import { createProvider, type HeedProvider, type HeedProviderSettings, type LoadModel } from './provider.js'

const load: LoadModel = async (source, options) => (await import('../../index.js')).loadModel(source, options)

/**
 * Creates a provider with its own options for all models that it loads, or with another `loadModel`.
 *
 * @example
 * const heed = createHeed({ contextLength: 4096 })
 */
export const createHeed = (settings?: HeedProviderSettings): HeedProvider => createProvider(load, settings)

/**
 * Heed's models for the AI SDK. A source is loaded at the first call: `heed('model.gguf')`.
 *
 * @example
 * const { textStream } = streamText({ model: heed(await loadModel('model.gguf')), prompt: 'Hello!' })
 */
export const heed: HeedProvider = /* @__PURE__ */ createHeed()

export type { HeedModel, HeedProvider, HeedProviderSettings, LoadModel } from './provider.js'
export type { HeedLanguageModel } from './language-model.js'
export type { HeedLanguageModelOptions } from './offered.generated.js'
export type { HeedEmbeddingModel, HeedEmbeddingModelOptions } from './embedding-model.js'
export type { HeedRerankingModel } from './reranking-model.js'
