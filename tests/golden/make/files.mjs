// Describes a family's file, {keys, vocabularySize, tensors}, by a shape and the parts of a layer.
import { vocabularies } from './vocabularies.mjs'

export const f32 = value => ['f32', value]

/** The default shape. */
export const base = { width: 32, layers: 2, heads: 4, kvHeads: 2, dim: 8, feedForward: 40, context: 512 }

/** A large epsilon, so that leaving it out changes the result. */
export const epsilon = 0.02
export const rms = { 'attention.layer_norm_rms_epsilon': f32(epsilon) }
export const layerNorm = { 'attention.layer_norm_epsilon': f32(epsilon) }

/** JavaScript's values as GGUF's: numbers are u32 unless wrapped in f32(). */
function typed(value) {
  if (typeof value === 'boolean') return ['bool', value]
  if (typeof value === 'string') return ['string', value]
  if (typeof value === 'number') return ['u32', value]
  return value
}

export const shapeKeys = shape => ({
  context_length: shape.context,
  embedding_length: shape.width,
  block_count: shape.layers,
  feed_forward_length: shape.feedForward,
  'attention.head_count': shape.heads,
  ...(shape.dim * shape.heads === shape.width
    ? {}
    : {
        'attention.key_length': shape.dim,
        'attention.value_length': shape.dim,
      }),
})

/** The tensors of all layers. `layer`: the parts of each layer, or a function from its index to them. */
export const stack = (shape, layer, prefix = '') =>
  Array.from({ length: shape.layers }, (_, i) => {
    const parts = typeof layer === 'function' ? layer(i) : layer
    return parts.flatMap(part => part(`${prefix}blk.${i}.`, shape))
  }).flat()

/** `keys` get the architecture as a prefix, `bareKeys` do not. */
export function file(architecture, vocabulary, keys, tensors, bareKeys = {}) {
  const own = Object.entries(keys).map(([key, value]) => [`${architecture}.${key}`, typed(value)])
  const { metadata, size } = vocabularies[vocabulary] ?? {}
  return {
    keys: {
      'general.architecture': ['string', architecture],
      ...Object.fromEntries(own),
      ...bareKeys,
      ...metadata,
    },
    vocabularySize: size,
    tensors,
  }
}
