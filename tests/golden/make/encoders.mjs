// The table of encoders, with and without a decoder, and of vision models.
import { base, epsilon, f32, file, layerNorm, rms, shapeKeys, stack } from './files.mjs'
import { attention, bias, fusedMlp, gatedMlp, matrix, norm, plainMlp, relativeBias, table } from './parts.mjs'
import { vocabularies } from './vocabularies.mjs'

const biased = { biased: true }
/** x = norm(x + mix(x)) */
const postNorm = (mix, mlp) => [mix, norm('attn_output_norm', biased), mlp, norm('layer_output_norm', biased)]
const positions = (at, { context, width }) => [table('position_embd', context, width)]

function bert(architecture, { keys, layer, ends = [] }) {
  const shape = { ...base, kvHeads: base.heads, context: 64 }
  const fixed = { 'attention.head_count_kv': shape.kvHeads, 'attention.causal': false, pooling_type: 1 }
  return file(architecture, 'wordPiece', { ...shapeKeys(shape), ...layerNorm, ...fixed, ...keys }, [
    table('token_embd', vocabularies.wordPiece.size, shape.width),
    table('token_types', 2, shape.width),
    ...[norm('token_embd_norm', biased), ...ends].flatMap(part => part('', shape)),
    ...stack(shape, layer),
  ])
}
const berts = {
  bert: bert('bert', { layer: postNorm(attention({ biased: 'all' }), plainMlp()), ends: [positions] }),
  'nomic-bert': bert('nomic-bert', {
    keys: { 'rope.freq_base': f32(1000) },
    layer: postNorm(attention({ fused: true }), gatedMlp()),
  }),
}

/** Layers 1 and 2 attend to a window, 0 and 3 to everything. */
const modernShape = { ...base, kvHeads: base.heads, layers: 4 }
const modernBert = {
  'modern-bert': file(
    'modern-bert',
    'bytePair',
    {
      ...shapeKeys(modernShape),
      ...layerNorm,
      'attention.causal': false,
      pooling_type: 2,
      'attention.sliding_window': 6,
      'attention.sliding_window_pattern': 3,
      'rope.freq_base': f32(1e5),
      'rope.freq_base_swa': f32(1e3),
    },
    [
      table('token_embd', vocabularies.bytePair.size, modernShape.width),
      ...['token_embd_norm', 'output_norm'].flatMap(name => norm(name)('', modernShape)),
      ...stack(modernShape, i => [
        ...(i === 0 ? [] : [norm('attn_norm')]),
        attention({ fused: true }),
        norm('ffn_norm'),
        fusedMlp(),
      ]),
    ],
  ),
}

const t5Shape = { ...base, kvHeads: base.heads, dim: 12, buckets: 12 }
const t5Keys = { ...shapeKeys(t5Shape), ...rms, 'attention.relative_buckets_count': t5Shape.buckets }
const inFirst = part => (at, shape) => (at.includes('blk.0.') ? part(at, shape) : [])
const t5Attention = options => attention({ output: 'o', ...options })
const t5Encoder = mlp => [
  ...stack(t5Shape, [norm('attn_norm'), t5Attention(), inFirst(relativeBias()), norm('ffn_norm'), mlp], 'enc.'),
  ...norm('output_norm')('enc.', t5Shape),
]
const t5Decoder = (mlp, layers) => [
  ...stack(
    { ...t5Shape, layers },
    [
      norm('attn_norm'),
      t5Attention(),
      inFirst(relativeBias()),
      norm('cross_attn_norm'),
      t5Attention({ name: 'cross_attn' }),
      norm('ffn_norm'),
      mlp,
    ],
    'dec.',
  ),
  ...norm('output_norm')('dec.', t5Shape),
]
const reluMlp = plainMlp({ biased: false })
const t5Table = table('token_embd', vocabularies.unigram.size, t5Shape.width)
const t5Head = matrix('output', vocabularies.unigram.size, t5Shape.width)
const t5s = {
  t5: file('t5', 'unigram', { ...t5Keys, decoder_block_count: 1, decoder_start_token_id: 0 }, [
    t5Table,
    ...t5Head,
    ...t5Encoder(gatedMlp()),
    ...t5Decoder(gatedMlp(), 1),
  ]),
  't5-relu': file('t5', 'unigram', { ...t5Keys, decoder_start_token_id: 0 }, [
    t5Table,
    ...t5Head,
    ...t5Encoder(reluMlp),
    ...t5Decoder(reluMlp, 2),
  ]),
  t5encoder: file('t5encoder', 'unigram', t5Keys, [t5Table, ...t5Encoder(gatedMlp())]),
}

// Models that llama.cpp does not support, but float64.mjs does.

/** The original Transformer (2017). */
export const transformerShape = { ...base, kvHeads: base.heads, epsilon }
const biasedAttention = options => t5Attention({ biased: 'all', ...options })
const transformer = {
  transformer: file(
    'transformer',
    'bytePair',
    {
      ...shapeKeys(transformerShape),
      ...layerNorm,
      decoder_start_token_id: 0,
    },
    [
      table('token_embd', vocabularies.bytePair.size, base.width, 0.3),
      ...stack(transformerShape, postNorm(biasedAttention(), plainMlp()), 'enc.'),
      ...stack(
        transformerShape,
        [
          biasedAttention(),
          norm('attn_output_norm', biased),
          biasedAttention({ name: 'cross_attn' }),
          norm('cross_attn_output_norm', biased),
          plainMlp(),
          norm('layer_output_norm', biased),
        ],
        'dec.',
      ),
    ],
  ),
}

export const visionShape = {
  ...base,
  kvHeads: base.heads,
  epsilon,
  image: 12,
  patch: 4,
  projection: 20,
  labels: ['fox', 'hen', 'owl'],
  mean: [0.5, 0.4, 0.3],
  deviation: [0.3, 0.25, 0.2],
}
export const textShape = { ...visionShape, width: 24, heads: 3, kvHeads: 3, feedForward: 36, context: 32 }

const towerKeys = (prefix, { width, layers, feedForward, heads }) => ({
  [`${prefix}embedding_length`]: width,
  [`${prefix}block_count`]: layers,
  [`${prefix}feed_forward_length`]: feedForward,
  [`${prefix}attention.head_count`]: heads,
  [`${prefix}attention.layer_norm_epsilon`]: f32(epsilon),
})
const imageKeys = (prefix, { image, patch, mean, deviation }) => ({
  [`${prefix}image_size`]: image,
  [`${prefix}patch_size`]: patch,
  [`${prefix}image_mean`]: f32(mean),
  [`${prefix}image_std`]: f32(deviation),
})
const tower = (shape, prefix) => [
  ...stack(shape, [norm('ln1', biased), attention({ biased: 'all', output: 'out' }), norm('ln2', biased), plainMlp()], prefix),
  ...norm('post_ln', biased)(prefix, shape),
]
const eyes = ({ width, image, patch }, withBias) => [
  { name: 'v.patch_embd.weight', shape: [width, 3, patch, patch], center: 0, spread: 0.25 },
  ...(withBias ? [bias('v.patch_embd', width)] : []),
  { name: 'v.class_embd', shape: [width], center: 0, spread: 1 },
  table('v.position_embd', 1 + (image / patch) ** 2, width),
]

const towers = {
  vit: file(
    'vit',
    undefined,
    {
      ...towerKeys('', visionShape),
      ...imageKeys('', visionShape),
      labels: ['string', visionShape.labels],
    },
    [
      ...eyes(visionShape, true),
      ...tower(visionShape, 'v.'),
      ...matrix('v.head', visionShape.labels.length, visionShape.width, biased),
    ],
  ),
  clip: file(
    'clip',
    'clip',
    {
      ...towerKeys('vision.', visionShape),
      ...imageKeys('vision.', visionShape),
      'vision.projection_dim': visionShape.projection,
      ...towerKeys('text.', textShape),
      'text.context_length': textShape.context,
      'text.projection_dim': textShape.projection,
    },
    [
      ...eyes(visionShape, false),
      ...norm('pre_ln', biased)('v.', visionShape),
      ...tower(visionShape, 'v.'),
      ...matrix('visual_projection', visionShape.projection, visionShape.width),
      table('t.token_embd', vocabularies.clip.size, textShape.width),
      table('t.position_embd', textShape.context, textShape.width),
      ...tower(textShape, 't.'),
      ...matrix('text_projection', textShape.projection, textShape.width),
    ],
  ),
}

export const encoders = { ...berts, ...modernBert, ...t5s, ...transformer, ...towers }
