// Small files that change a model: an adapter, and a control vector.
import { ggufHeader, padded } from '../../tools/bench/models/gguf.mjs'

/** Numbers around 0 of about this size. */
const wave = (count, size) => Float32Array.from({ length: count }, (_, index) => size * Math.sin(7 * index + 1))

export function fileOf(metadata, tensors) {
  const described = tensors.map(({ name, shape, values }) => ({ name, shape, type: 'f32', bytes: values.byteLength }))
  return Buffer.concat([ggufHeader(metadata, described), ...tensors.map(({ values }) => padded(Buffer.from(values.buffer)))])
}

/** An adapter of rank 2 for the queries of the first layer of a model. */
export const adapterFile = ({ architecture, width, heads, headDim }, size = 0.3) => fileOf({
  'general.architecture': ['string', architecture],
  'general.type': ['string', 'adapter'],
  'adapter.type': ['string', 'lora'],
}, [
  { name: 'blk.0.attn_q.weight.lora_a', shape: [2, width], values: wave(2 * width, size) },
  { name: 'blk.0.attn_q.weight.lora_b', shape: [heads * headDim, 2], values: wave(2 * heads * headDim, size) },
])

/** A control vector with a direction for each of these layers. */
export const controlVectorFile = ({ width }, layers) => fileOf({ 'general.architecture': ['string', 'controlvector'] },
  layers.map(layer => ({ name: `direction.${layer}`, shape: [width], values: wave(width, layer) })))
