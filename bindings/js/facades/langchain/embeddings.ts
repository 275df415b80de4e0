// HeedEmbeddings: embeddings of LangChain.
import { Embeddings, type EmbeddingsParams } from '@langchain/core/embeddings'
import type { Model } from '../../page/model.js'
import type { EmbedOptions } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'

export interface HeedEmbeddingsFields extends EmbeddingsParams, Pick<EmbedOptions, 'dimensions' | 'normalize' | 'truncate'> {
  /** A loaded model that embeds. */
  model: Model
  pooling?: 'mean' | 'cls' | 'last'
  /** A prefix for each document, as the model's card gives it, such as `passage: `. */
  documentPrefix?: string
  /** A prefix for each query, such as `query: `. */
  queryPrefix?: string
}

/**
 * Embeddings of LangChain over a model that is loaded, for its vector stores.
 *
 * @example
 * const store = await MemoryVectorStore.fromDocuments(documents, new HeedEmbeddings({ model: await loadModel('/embedder.gguf') }))
 */
export class HeedEmbeddings extends Embeddings<number[]> {
  readonly model: Model
  readonly #options: EmbedOptions
  readonly #prefixes: { readonly document: string; readonly query: string }

  constructor(fields: HeedEmbeddingsFields) {
    const { model, pooling, dimensions, normalize, truncate, documentPrefix = '', queryPrefix = '', ...rest } = fields
    super(rest)
    if (typeof model?.embed !== 'function') throw refuse('HeedEmbeddings: model: expected a model that is loaded')
    this.model = model
    this.#options = { pooling, dimensions, normalize, truncate }
    this.#prefixes = { document: documentPrefix, query: queryPrefix }
  }

  override embedDocuments(documents: string[]): Promise<number[][]> {
    return this.#embed(documents.map(text => this.#prefixes.document + text))
  }

  override async embedQuery(query: string): Promise<number[]> {
    return (await this.#embed([this.#prefixes.query + query]))[0]!
  }

  async #embed(texts: string[]): Promise<number[][]> {
    const vectors = (await this.model.embed(texts, this.#options)) as Float32Array[]
    return vectors.map(vector => Array.from(vector))
  }
}
