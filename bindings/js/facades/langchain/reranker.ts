// HeedReranker: a document compressor of LangChain.
import type { DocumentInterface } from '@langchain/core/documents'
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors'
import type { Model } from '../../page/model.js'
import { refuse } from '../../wire/errors.js'

export interface HeedRerankerFields {
  /** A loaded model that reranks. */
  model: Model
  /** Number of documents to keep. Default: all. */
  topN?: number
}

/**
 * The documents that fit a query best, best first; their metadata have `relevanceScore`.
 *
 * @example
 * const best = await new HeedReranker({ model: await loadModel('/reranker.gguf'), topN: 3 }).compressDocuments(documents, query)
 */
export class HeedReranker extends BaseDocumentCompressor {
  readonly model: Model
  readonly topN: number

  constructor({ model, topN = Infinity }: HeedRerankerFields) {
    super()
    if (typeof model?.rerank !== 'function') throw refuse('HeedReranker: model: expected a model that is loaded')
    this.model = model
    this.topN = topN
  }

  override async compressDocuments(documents: DocumentInterface[], query: string): Promise<DocumentInterface[]> {
    if (documents.length === 0) return []
    const scores = await this.model.rerank(
      query,
      documents.map(({ pageContent }) => pageContent),
    )
    return documents
      .map((document, at) => ({ ...document, metadata: { ...document.metadata, relevanceScore: scores[at]! } }))
      .sort((a, b) => b.metadata.relevanceScore - a.metadata.relevanceScore)
      .slice(0, this.topN)
  }
}
