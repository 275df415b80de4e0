// Tiny rerankers, and a decoder that embeds. Their weights are random.
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { decoders } from '../golden/make/decoders.mjs'
import { encoders } from '../golden/make/encoders.mjs'
import { matrix } from '../golden/make/parts.mjs'
import { randomFloats } from '../golden/make/random.mjs'

/** Adds keys and tensors to a model. Returns {bytes, weights}: its file, and the values of its tensors by name. */
function extended({ keys, tensors }, moreKeys, more = []) {
  const weights = new Map()
  const all = [...tensors, ...more].map(tensor => {
    const values = randomFloats(
      `reranker ${tensor.name}`,
      tensor.shape.reduce((a, b) => a * b),
      tensor,
    )
    weights.set(tensor.name, values)
    return { name: tensor.name, shape: tensor.shape, values }
  })
  return { bytes: ggufFile({ ...keys, ...moreKeys }, all), weights }
}

const width = 32

/** A BERT with a classification head: tanh(cls x), then one score. */
export const reranker = () =>
  extended(encoders.bert, { 'bert.pooling_type': ['u32', 4] }, [
    ...matrix('cls', width, width, { biased: true }),
    ...matrix('cls.output', 1, width, { biased: true }),
  ])

/** A Qwen3 that classifies its last vector as yes or no; `template`: the file's template for pairs. */
export const decidingReranker = template =>
  extended(
    decoders.qwen3,
    {
      'qwen3.pooling_type': ['u32', 4],
      'qwen3.classifier.output_labels': ['string', ['yes', 'no']],
      ...(template === undefined ? {} : { 'tokenizer.chat_template.rerank': ['string', template] }),
    },
    matrix('cls.output', 2, width),
  )

/** A Qwen3 whose embedding is the vector of the last token. */
export const embeddingDecoder = () => extended(decoders.qwen3, { 'qwen3.pooling_type': ['u32', 3] })
