// Small files that change a model: an adapter, and a control vector.
import { ggufFile } from '../../tools/bench/models/gguf.mjs'

/** Numbers around 0 of about this size. */
const wave = (count, size) => Float32Array.from({ length: count }, (_, index) => size * Math.sin(7 * index + 1))

/** An adapter of rank 2 for a matrix of a model. */
const matrixAdapter = (architecture, name, rows, columns, size, metadata = {}) =>
  ggufFile(
    {
      'general.architecture': ['string', architecture],
      'general.type': ['string', 'adapter'],
      'adapter.type': ['string', 'lora'],
      ...metadata,
    },
    [
      { name: `${name}.lora_a`, shape: [2, columns], values: wave(2 * columns, size) },
      { name: `${name}.lora_b`, shape: [rows, 2], values: wave(2 * rows, size) },
    ],
  )

/** An adapter for the queries of the first layer of a model. */
export const adapterFile = ({ architecture, width, heads, headDim }, size = 0.3) =>
  matrixAdapter(architecture, 'blk.0.attn_q.weight', heads * headDim, width, size)

/** An adapter for the output matrix, which is not tied to the embedding. */
export const headAdapterFile = ({ architecture, width, vocabulary }, metadata) =>
  matrixAdapter(architecture, 'output.weight', vocabulary, width, 0.3, metadata)

/** A control vector with a direction for each of these layers. */
export const controlVectorFile = ({ width }, layers) =>
  ggufFile(
    { 'general.architecture': ['string', 'controlvector'] },
    layers.map(layer => ({ name: `direction.${layer}`, shape: [width], values: wave(width, layer) })),
  )
