// An embedding model of the AI SDK.
import type { EmbeddingModelV4, EmbeddingModelV4CallOptions, EmbeddingModelV4Result } from '@ai-sdk/provider'
import type { Model } from '../model.js'
import type { LazyModel, OnProgress } from './lazy-model.js'
import { ownOptions, unsupportedWarning } from './options.js'

/** `providerOptions.heed` of embedding models. */
export type HeedEmbeddingModelOptions = {
  /** Default: what the file asks for. */
  pooling?: 'mean' | 'cls' | 'last'
  /** Scale vectors to length 1. Default: false. */
  normalize?: boolean
}

/** A model that embeds texts, for `embed` and `embedMany`. */
export class HeedEmbeddingModel implements EmbeddingModelV4 {
  readonly specificationVersion = 'v4'
  readonly provider = 'heed.embedding'
  readonly modelId: string
  readonly maxEmbeddingsPerCall = Infinity
  readonly supportsParallelCalls = true
  readonly #lazy: LazyModel

  /** @internal Made by a provider. */
  constructor(lazy: LazyModel) {
    this.#lazy = lazy
    this.modelId = lazy.id
  }

  /** Loads the model, unless it is there: to do so ahead of the first call, or to show the download's progress. */
  load(onProgress?: OnProgress): Promise<Model> {
    return this.#lazy.load(onProgress)
  }

  async doEmbed({ values, dimensions, abortSignal: signal, providerOptions }: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> {
    const options = ownOptions<HeedEmbeddingModelOptions>({ pooling: true, normalize: true }, providerOptions)
    const model = await this.#lazy.ready(signal)
    return this.#lazy.use((async () => {
      const texts = await Promise.all(values.map(value => model.tokenize(value)))
      const vectors = await model.embed(texts, { ...options, signal })
      const width = vectors[0]?.length
      return {
        embeddings: vectors.map(vector => Array.from(vector)),
        usage: { tokens: texts.reduce((sum, { length }) => sum + length, 0) },
        warnings: dimensions === undefined || dimensions === width ? []
          : [unsupportedWarning('dimensions', `The model's vectors have ${width} numbers.`)],
      }
    })(), signal)
  }
}
