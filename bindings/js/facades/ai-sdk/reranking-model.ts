// A reranking model of the AI SDK.
import type { RerankingModelV4, RerankingModelV4CallOptions, RerankingModelV4Result } from '@ai-sdk/provider'
import { ownOptions } from './options.js'
import { SdkModel } from './sdk-model.js'

/** A model that scores texts against a query, for `rerank`. */
export class HeedRerankingModel extends SdkModel implements RerankingModelV4 {
  readonly provider = 'heed.reranking'

  async doRerank({
    documents,
    query,
    topN,
    abortSignal: signal,
    providerOptions,
  }: RerankingModelV4CallOptions): Promise<RerankingModelV4Result> {
    ownOptions<Record<never, never>>({}, providerOptions)
    const texts = documents.type === 'text' ? documents.values : documents.values.map(value => JSON.stringify(value))
    const model = await this.lazy.ready(signal)
    const scores = await this.lazy.use(model, model.rerank(query, texts, { signal }), signal)
    return {
      ranking: scores
        .map((relevanceScore, index) => ({ index, relevanceScore }))
        .sort((a, b) => b.relevanceScore - a.relevanceScore)
        .slice(0, topN),
      response: { timestamp: new Date(), modelId: model.info.name || this.modelId },
      warnings:
        documents.type === 'text'
          ? []
          : [{ type: 'compatibility', feature: 'object documents', details: 'They are read as JSON.' }],
    }
  }
}
