// Shapes of real models, and the tensors of a GGUF file of such a shape.
import { families } from './families.mjs'
import { typeOf } from './formats.mjs'
import { storedBytes } from './types.mjs'

const trainedContext = 8192

const shape = (width, layers, heads, kvHeads, feedForward, vocabulary, more) => ({
  family: 'llama',
  width,
  layers,
  heads,
  kvHeads,
  headDim: width / heads,
  feedForward,
  vocabulary,
  ...more,
})

/** A gated delta rule with 16 heads in most layers, attention in every fourth. */
const qwen35 = { family: 'qwen35', headDim: 256, ropeDims: 64, delta: { heads: 16, keyHeads: 16, dim: 128, taps: 4 }, tied: true }

/**
 * Width, layers, heads, KV heads, feed-forward width and vocabulary size; `tied`: the output head is the token embedding; the
 * rest is specific to the family.
 */
export const shapes = {
  tiny: shape(256, 2, 4, 2, 512, 320, { tied: false }),
  '135m': shape(576, 30, 9, 3, 1536, 32000, { tied: false }),
  '0.5b': shape(896, 24, 14, 2, 4864, 151936, { tied: true }),
  '1.1b': shape(2048, 16, 32, 8, 8192, 32000, { tied: false }),
  '1.24b': shape(2048, 16, 32, 8, 8192, 128256, { tied: true }),

  'bonsai-1.7b': shape(2048, 28, 16, 8, 6144, 151936, { family: 'qwen3', tied: true }),
  'deepseek-v2-lite': shape(2048, 27, 16, 16, 10944, 102400, {
    family: 'deepseek2',
    tied: false,
    latent: { rank: 512, plain: 128, rotated: 64, value: 128 },
    experts: { count: 64, used: 6, feedForward: 1408, shared: 2, denseLayers: 1 },
  }),
  'gemma-4-e2b': shape(1536, 35, 8, 1, 6144, 262144, {
    family: 'gemma4',
    tied: true,
    headDim: 512,
    localDim: 256,
    window: 512,
    period: 5,
    sharing: 20,
    perLayer: 256,
  }),
  'granite-4-h-1b': shape(1536, 40, 12, 4, 4096, 100352, {
    family: 'granitehybrid',
    tied: true,
    attending: [5, 15, 25, 35],
    mamba: { heads: 48, dim: 64, groups: 1, state: 128, taps: 4 },
  }),
  'lfm2-8b-a1b': shape(2048, 24, 32, 8, 7168, 65536, {
    family: 'lfm2moe',
    tied: true,
    attending: [2, 6, 10, 14, 18, 21],
    taps: 3,
    experts: { count: 32, used: 4, feedForward: 1792, denseLayers: 2 },
  }),
  'olmoe-1b-7b': shape(2048, 16, 16, 16, 1024, 50304, {
    family: 'olmoe',
    tied: false,
    experts: { count: 64, used: 8, feedForward: 1024, denseLayers: 0 },
  }),
  'qwen3-0.6b': shape(1024, 28, 16, 8, 3072, 151936, { family: 'qwen3', tied: true, headDim: 128 }),
  'qwen3.5-0.8b': shape(1024, 24, 8, 2, 3584, 248320, qwen35),
  'qwen3.5-2b': shape(2048, 24, 8, 2, 6144, 248320, qwen35),
}

/** GGUF metadata of a shape, without the tokenizer's: {key: [kind, value]}. */
export function hyperparameters(shape) {
  const { family, width, layers, heads, kvHeads, headDim, ropeDims = headDim, feedForward, vocabulary } = shape
  const all = {
    context_length: ['u32', trainedContext],
    embedding_length: ['u32', width],
    block_count: ['u32', layers],
    feed_forward_length: ['u32', feedForward],
    'attention.head_count': ['u32', heads],
    'attention.head_count_kv': ['u32', kvHeads],
    'rope.dimension_count': ['u32', ropeDims],
    vocab_size: ['u32', vocabulary],
    'attention.layer_norm_rms_epsilon': ['f32', 1e-5],
    ...families[family].hyperparameters(shape),
  }
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [`${family}.${key}`, value]))
}

/**
 * The tensors of a file, in order: {name, shape, type, bytes, share, value}; `shape` as in PyTorch, rows first. `share`: the
 * fraction of the experts that a token uses. `value`: the value of all elements, which are random if it is absent.
 */
export function tensorsOf(shape, format) {
  const { family, width, layers, vocabulary, tied } = shape
  const { finalNorm = 'output_norm', layer, beside } = families[family]
  const tensors = []
  const add = (name, shape, type, more) =>
    tensors.push({
      name,
      shape,
      type,
      bytes: storedBytes(
        type,
        shape.reduce((a, b) => a * b),
      ),
      ...more,
    })
  /** Functions that add tensors to a layer or outside the layers. */
  const adder = (prefix, place) => ({
    matrix: (role, rows, columns, head = false) =>
      add(`${prefix}${role}.weight`, [rows, columns], typeOf(format, { role, ...place, layers, columns, head })),
    experts: (role, { count, used }, rows, columns) =>
      add(`${prefix}${role}.weight`, [count, rows, columns], typeOf(format, { role, ...place, layers, columns, head: false }), {
        share: used / count,
      }),
    norm: (role, ...shape) => add(`${prefix}${role}.weight`, shape, 'f32', { value: 1 }),
    floats: (role, ...shape) => add(`${prefix}${role}.weight`, shape, 'f32'),
    constant: (name, value, ...shape) => add(`${prefix}${name}`, shape, 'f32', { value }),
  })

  const whole = adder('', {})
  whole.matrix('token_embd', vocabulary, width, tied)
  beside?.(shape, whole)
  for (let index = 0; index < layers; index++) layer(shape, index, adder(`blk.${index}.`, { layer: index }))
  whole.norm(finalNorm, width)
  if (!tied) whole.matrix('output', vocabulary, width, true)
  return tensors
}
