// How a family's file is described: {keys, vocabularySize, tensors}, from a shape and the parts of a layer.
import { vocabularies } from './vocabularies.mjs'

export const f32 = value => ['f32', value]

/** What is not said otherwise of a model. */
export const base = { width: 32, layers: 2, heads: 4, kvHeads: 2, dim: 8, feedForward: 40, context: 512 }

/** Epsilons that show where they are left out. */
export const epsilon = 0.02
export const rms = { 'attention.layer_norm_rms_epsilon': f32(epsilon) }
export const layerNorm = { 'attention.layer_norm_epsilon': f32(epsilon) }

/** JavaScript's values as GGUF's: whole numbers are u32 unless f32() says otherwise. */
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
  ...shape.dim * shape.heads === shape.width ? {} : {
    'attention.key_length': shape.dim, 'attention.value_length': shape.dim,
  },
})

/** The tensors of all layers. `layer`: the parts of one, or a function from a layer's number to them. */
export const stack = (shape, layer, prefix = '') => Array.from({ length: shape.layers }, (_, i) => {
  const parts = typeof layer === 'function' ? layer(i) : layer
  return parts.flatMap(part => part(`${prefix}blk.${i}.`, shape))
}).flat()

/** keys: without the architecture before them, which `bareKeys` do not have. */
export function file(architecture, vocabulary, keys, tensors, bareKeys = {}) {
  const own = Object.entries(keys).map(([key, value]) => [`${architecture}.${key}`, typed(value)])
  const { metadata, size } = vocabularies[vocabulary] ?? {}
  return {
    keys: {
      'general.architecture': ['string', architecture], ...Object.fromEntries(own), ...bareKeys, ...metadata,
    },
    vocabularySize: size,
    tensors,
  }
}
