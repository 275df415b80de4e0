// An embedding model of the AI SDK.
import type { EmbeddingModelV4, EmbeddingModelV4CallOptions, EmbeddingModelV4Result } from '@ai-sdk/provider'
import { invalidArgument } from './errors.js'
import { ownOptions } from './options.js'
import { SdkModel } from './sdk-model.js'

/** `providerOptions.heed` of embedding models. */
export type HeedEmbeddingModelOptions = {
  /** Default: the pooling that the file specifies. */
  pooling?: 'mean' | 'cls' | 'last'
  /** Scale vectors to length 1. Default: false. */
  normalize?: boolean
}

/** A model that embeds texts, for `embed` and `embedMany`. */
export class HeedEmbeddingModel extends SdkModel implements EmbeddingModelV4 {
  readonly provider = 'heed.embedding'
  readonly maxEmbeddingsPerCall = Infinity
  readonly supportsParallelCalls = true

  async doEmbed({
    values,
    dimensions,
    abortSignal: signal,
    providerOptions,
  }: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> {
    const options = ownOptions<HeedEmbeddingModelOptions>({ pooling: true, normalize: true }, providerOptions)
    if ((options.pooling as string) === 'none')
      throw invalidArgument('providerOptions.heed.pooling', "expected 'mean', 'cls' or 'last'")
    const model = await this.lazy.ready(signal)
    return this.lazy.use(
      model,
      (async () => {
        const texts = await Promise.all(values.map(value => model.tokenize(value)))
        const vectors = await model.embed(texts, { ...options, dimensions, signal })
        return {
          embeddings: vectors.map(vector => Array.from(vector)),
          usage: { tokens: texts.reduce((sum, { length }) => sum + length, 0) },
          warnings: [],
        }
      })(),
      signal,
    )
  }
}
