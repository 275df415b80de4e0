// The smallest reranker: a BERT with a head, tanh(cls x), then one score; its weights are random.
import { ggufHeader, paddedTo } from '../../tools/bench/models/gguf.mjs'
import { encoders } from '../golden/make/encoders.mjs'
import { matrix } from '../golden/make/parts.mjs'
import { randomFloats } from '../golden/make/random.mjs'

/** {bytes, weights}: the file, and its tensors' values by name. */
export function reranker() {
  const weights = new Map()
  const { keys, tensors } = encoders.bert
  const width = 32
  const head = [...matrix('cls', width, width, { biased: true }), ...matrix('cls.output', 1, width, { biased: true })]
  const all = [...tensors, ...head].map(tensor => {
    const values = randomFloats(`reranker ${tensor.name}`, tensor.shape.reduce((a, b) => a * b), tensor)
    weights.set(tensor.name, values)
    return { name: tensor.name, shape: tensor.shape, type: 'f32', bytes: values.byteLength, values }
  })
  const stored = all.flatMap(({ bytes, values }) => [Buffer.from(values.buffer), Buffer.alloc(paddedTo(bytes) - bytes)])
  const bytes = Buffer.concat([ggufHeader({ ...keys, 'bert.pooling_type': ['u32', 4] }, all), ...stored])
  return { bytes, weights }
}
