// The table of families: the smallest file of each, as {keys, vocabulary, tensors}. Every key that llama.cpp or Heed reads
// is there for a value that matters: an epsilon that shows, windows shorter than the tokens, and so on.
import {
  allHeadsNorms, attention, bias, eachHeadNorms, experts, factors, fusedMlp, gatedMlp, headNorms, latentAttention, matrix, norm,
  plainMlp, relativeBias, selectionBias, sharedExperts, sharedGate, shortConvolution, sinks, table,
} from './parts.mjs'
import { vocabularies } from './vocabularies.mjs'

const f32 = value => ['f32', value]
const window = 8

const base = { width: 32, layers: 2, heads: 4, kvHeads: 2, dim: 8, feedForward: 40, context: 512 }

/** JavaScript's values as GGUF's: whole numbers are u32 unless f32() says otherwise. */
function typed(value) {
  if (typeof value === 'boolean') return ['bool', value]
  if (typeof value === 'string') return ['string', value]
  if (typeof value === 'number') return ['u32', value]
  return value
}

const shapeKeys = shape => ({
  context_length: shape.context,
  embedding_length: shape.width,
  block_count: shape.layers,
  feed_forward_length: shape.feedForward,
  'attention.head_count': shape.heads,
  'attention.head_count_kv': shape.kvHeads,
  ...shape.dim * shape.heads === shape.width ? {} : {
    'attention.key_length': shape.dim, 'attention.value_length': shape.dim, 'rope.dimension_count': shape.dim,
  },
})
const expertKeys = ({ experts, expertsUsed, expertFeedForward, sharedFeedForward }) => experts === undefined ? {} : {
  expert_count: experts,
  expert_used_count: expertsUsed,
  expert_feed_forward_length: expertFeedForward,
  ...sharedFeedForward ? { expert_shared_feed_forward_length: sharedFeedForward } : {},
}
const rms = { 'attention.layer_norm_rms_epsilon': f32(0.02) }
const layerNorm = { 'attention.layer_norm_epsilon': f32(0.02) }

const stack = (shape, layer, prefix = '') => Array.from({ length: shape.layers }, (_, i) => {
  const parts = typeof layer === 'function' ? layer(i) : layer
  return parts.flatMap(part => part(`${prefix}blk.${i}.`, shape))
}).flat()

const file = (architecture, vocabulary, keys, tensors) => ({
  keys: {
    'general.architecture': ['string', architecture],
    ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`${architecture}.${key}`, typed(value)])),
    ...vocabularies[vocabulary]?.metadata,
  },
  vocabularySize: vocabularies[vocabulary]?.size,
  tensors,
})

/**
 * layer: the parts of one, or a function from the layer's number to them. ends: tensors beside the layers, the final norm
 * among them. tied: the head is the embedding, of `size`.
 */
function decoder(architecture, {
  vocabulary = 'bytePair', shape: changes, keys, layer, ends = [norm('output_norm')], tied = false, size = 1, headBiased = false,
}) {
  const shape = { ...base, ...changes }
  const tokens = vocabularies[vocabulary].size
  return file(architecture, vocabulary, { ...shapeKeys(shape), ...expertKeys(shape), ...keys }, [
    table('token_embd', tokens, shape.width, size),
    ...ends.flatMap(part => part('', shape)),
    ...stack(shape, layer),
    ...tied ? [] : matrix('output', tokens, shape.width, { biased: headBiased }),
  ])
}

const biased = { biased: true }
const rmsLayer = [norm('attn_norm'), attention(), norm('ffn_norm'), gatedMlp()]
const expertLayer = [norm('attn_norm'), attention(), norm('ffn_norm'), experts()]
const biasedEnds = [norm('output_norm', biased)]
const mixture = { experts: 5, expertsUsed: 2, expertFeedForward: 24 }

const llama = {
  'llama-gqa': decoder('llama', { vocabulary: 'sentencePiece', shape: { dim: 12 }, keys: rms, layer: rmsLayer }),
  'llama-rope-freqs': decoder('llama', {
    shape: { kvHeads: 4, feedForward: 44 }, keys: { ...rms, 'rope.freq_base': f32(500000) }, layer: rmsLayer, tied: true,
    ends: [norm('output_norm'), (at, { dim }) => [factors('rope_freqs', dim / 2)]],
  }),
  'llama-yarn': decoder('llama', {
    keys: {
      ...rms, 'rope.scaling.type': 'yarn', 'rope.scaling.factor': f32(4), 'rope.scaling.original_context_length': 64,
    },
    shape: { width: 48, dim: 12 }, layer: rmsLayer,
  }),
  'llama-linear': decoder('llama', {
    keys: { ...rms, 'rope.scaling.type': 'linear', 'rope.scaling.factor': f32(3) }, layer: rmsLayer,
  }),
  'llama-experts': decoder('llama', {
    vocabulary: 'sentencePiece', shape: { experts: 4, expertsUsed: 2, expertFeedForward: 40 }, keys: rms, layer: expertLayer,
  }),
  'granite': decoder('granite', {
    keys: {
      ...rms, 'attention.scale': f32(0.2), embedding_scale: f32(3), residual_scale: f32(0.6), logit_scale: f32(1.7),
    },
    layer: rmsLayer, tied: true,
  }),
  'granitemoe': decoder('granitemoe', {
    shape: { ...mixture, expertFeedForward: 40, sharedFeedForward: 20 },
    keys: {
      ...rms, 'attention.scale': f32(0.2), embedding_scale: f32(3), residual_scale: f32(0.6), logit_scale: f32(1.7),
    },
    layer: [...expertLayer, sharedExperts()], tied: true,
  }),
  'smollm3': decoder('smollm3', { shape: { layers: 4 }, keys: rms, layer: rmsLayer, tied: true }),
}

const qwen = {
  'qwen2': decoder('qwen2', {
    keys: { ...rms, 'rope.freq_base': f32(1e6) }, tied: true,
    layer: [norm('attn_norm'), attention({ biased: 'qkv' }), norm('ffn_norm'), gatedMlp()],
  }),
  'qwen2moe': decoder('qwen2moe', {
    shape: { ...mixture, sharedFeedForward: 28 }, keys: rms,
    layer: [norm('attn_norm'), attention({ biased: 'qkv' }), norm('ffn_norm'), experts(), sharedExperts(), sharedGate()],
  }),
  'qwen3': decoder('qwen3', {
    shape: { dim: 12 }, keys: { ...rms, 'rope.freq_base': f32(1e6) }, tied: true,
    layer: [norm('attn_norm'), attention(), headNorms(), norm('ffn_norm'), gatedMlp()],
  }),
  'qwen3moe': decoder('qwen3moe', {
    shape: { ...mixture, dim: 12 }, keys: rms, layer: [norm('attn_norm'), attention(), headNorms(), norm('ffn_norm'), experts()],
  }),
}

const sandwich = [norm('attn_norm'), attention(), norm('post_attention_norm'), norm('ffn_norm'), gatedMlp(), norm('post_ffw_norm')]
const gemma = {
  'gemma': decoder('gemma', {
    vocabulary: 'sentencePiece', shape: { kvHeads: 1, dim: 16 }, keys: rms, layer: rmsLayer, tied: true, size: 0.3,
  }),
  'gemma2': decoder('gemma2', {
    vocabulary: 'sentencePiece', shape: { layers: 3, dim: 12 },
    keys: { ...rms, attn_logit_softcapping: f32(2), final_logit_softcapping: f32(2), 'attention.sliding_window': window },
    layer: sandwich, tied: true, size: 0.3,
  }),
  'gemma3': decoder('gemma3', {
    vocabulary: 'sentencePiece', shape: { layers: 7, kvHeads: 1, dim: 12 },
    keys: {
      ...rms, 'attention.sliding_window': window, 'rope.freq_base': f32(500), 'rope.freq_base_swa': f32(5000),
      'rope.scaling.type': 'linear', 'rope.scaling.factor': f32(3),
    },
    layer: [...sandwich, headNorms()], tied: true, size: 0.3,
  }),
}

const layerNormed = (attentionPart, mlp) => [norm('attn_norm', biased), attentionPart, norm('ffn_norm', biased), mlp]
const longrope = decoder('phi3', {
  vocabulary: 'sentencePiece', tied: true,
  keys: {
    ...rms, 'rope.dimension_count': 8, 'rope.scaling.type': 'longrope', 'rope.scaling.attn_factor': f32(1.19),
    'rope.scaling.original_context_length': 256,
  },
  layer: [norm('attn_norm'), attention({ fused: true }), norm('ffn_norm'), fusedMlp()],
  ends: [norm('output_norm'), (at, { dim }) => [factors('rope_factors_long', dim / 2), factors('rope_factors_short', dim / 2)]],
})
const gpt = {
  'gpt2': decoder('gpt2', {
    shape: { kvHeads: 4, context: 64 }, keys: layerNorm, tied: true,
    layer: layerNormed(attention({ biased: 'all', fused: true }), plainMlp()),
    ends: [...biasedEnds, (at, { context, width }) => [table('position_embd', context, width)]],
  }),
  'gptneox-parallel': decoder('gptneox', {
    shape: { kvHeads: 4 }, keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: true },
    layer: layerNormed(attention({ biased: 'all', fused: true }), plainMlp()), ends: biasedEnds,
  }),
  'gptneox-sequential': decoder('gptneox', {
    shape: { kvHeads: 4 }, keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: false },
    layer: layerNormed(attention({ biased: 'all', fused: true }), plainMlp()), ends: biasedEnds,
  }),
  'phi2': decoder('phi2', {
    shape: { kvHeads: 4 }, keys: { ...layerNorm, 'rope.dimension_count': 4 }, headBiased: true,
    layer: [norm('attn_norm', biased), attention({ biased: 'all' }), plainMlp()], ends: biasedEnds,
  }),
  'phi3': decoder('phi3', {
    vocabulary: 'sentencePiece', shape: { kvHeads: 4 }, keys: { ...rms, 'rope.dimension_count': 8 },
    layer: [norm('attn_norm'), attention({ fused: true }), norm('ffn_norm'), fusedMlp()],
  }),
  'phi3-longrope': longrope,
  'starcoder2': decoder('starcoder2', {
    keys: layerNorm, tied: true, layer: layerNormed(attention({ biased: 'all' }), plainMlp()), ends: biasedEnds,
  }),
  'stablelm': decoder('stablelm', {
    keys: { ...layerNorm, 'rope.dimension_count': 2, use_parallel_residual: false },
    layer: layerNormed(attention({ biased: 'qkv' }), gatedMlp()), ends: biasedEnds,
  }),
  'stablelm-parallel': decoder('stablelm', {
    keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: true },
    layer: [norm('attn_norm', biased), attention(), eachHeadNorms(), gatedMlp()], ends: biasedEnds,
  }),
  'falcon-mqa': decoder('falcon', {
    shape: { kvHeads: 1 }, keys: { ...layerNorm, tensor_data_layout: 'jploski' },
    layer: [norm('attn_norm', biased), attention({ fused: true }), plainMlp({ biased: false })], ends: biasedEnds,
  }),
  'falcon-new': decoder('falcon', {
    keys: { ...layerNorm, tensor_data_layout: 'jploski' },
    layer: [norm('attn_norm', biased), norm('attn_norm_2', biased), attention({ fused: true }), plainMlp({ biased: false })],
    ends: biasedEnds,
  }),
  'bloom': decoder('bloom', {
    shape: { width: 48, heads: 6, kvHeads: 6 }, keys: layerNorm,
    layer: layerNormed(attention({ biased: 'all', fused: true }), plainMlp()),
    ends: [...biasedEnds, norm('token_embd_norm', biased)],
  }),
}

const others = {
  'olmo2': decoder('olmo2', {
    shape: { kvHeads: 4 }, keys: rms,
    layer: [attention(), allHeadsNorms(), norm('post_attention_norm'), gatedMlp(), norm('post_ffw_norm')],
  }),
  'olmo2-window': decoder('olmo2', {
    shape: { layers: 4 },
    keys: {
      ...rms, 'attention.sliding_window': window, 'rope.scaling.type': 'yarn', 'rope.scaling.factor': f32(4),
      'rope.scaling.original_context_length': 64,
    },
    layer: [attention(), allHeadsNorms(), norm('post_attention_norm'), gatedMlp(), norm('post_ffw_norm')],
  }),
  'olmoe': decoder('olmoe', {
    shape: { ...mixture, feedForward: 24, kvHeads: 4 }, keys: rms,
    layer: [norm('attn_norm'), attention(), allHeadsNorms(), norm('ffn_norm'), experts()],
  }),
  'command-r': decoder('command-r', {
    keys: { ...layerNorm, logit_scale: f32(0.7) }, tied: true, layer: [norm('attn_norm'), attention(), gatedMlp()],
  }),
  'cohere2': decoder('cohere2', {
    shape: { layers: 5 }, keys: { ...layerNorm, logit_scale: f32(0.4), 'attention.sliding_window': window }, tied: true,
    layer: [norm('attn_norm'), attention(), gatedMlp()],
  }),
  'gpt-oss': decoder('gpt-oss', {
    shape: { ...mixture, layers: 3, dim: 12 },
    keys: {
      ...rms, 'rope.freq_base': f32(150000), 'rope.scaling.type': 'yarn', 'rope.scaling.factor': f32(32),
      'rope.scaling.original_context_length': 64, 'attention.sliding_window': window,
    },
    layer: [norm('attn_norm'), attention({ biased: 'all' }), sinks(), norm('post_attention_norm'), experts(biased)],
  }),
  'lfm2': decoder('lfm2', {
    shape: { layers: 3, taps: 3 },
    keys: { ...rms, 'attention.head_count_kv': ['i32', [0, 2, 0]], 'shortconv.l_cache': 3, 'rope.freq_base': f32(1e6) },
    tied: true, ends: [norm('token_embd_norm')],
    layer: i => i === 1 ? [norm('attn_norm'), attention(), headNorms(), norm('ffn_norm'), gatedMlp()]
      : [norm('attn_norm'), shortConvolution(), norm('ffn_norm'), gatedMlp()],
  }),
}

/** DeepSeek's: `dense` layers, then experts. Files of 26 and 27 layers alone may have no queryRank. */
function deepseek(shape, { absorbed, dense, keys }) {
  const { plain, rotary, value, latent, queryRank } = shape
  const size = { ...base, kvHeads: absorbed ? 1 : shape.heads, ...shape }
  const layer = i => [norm('attn_norm'), latentAttention({ absorbed }), norm('ffn_norm'),
    ...i < dense ? [gatedMlp()] : [experts(), sharedExperts(), ...queryRank ? [selectionBias()] : []]]
  const decoded = decoder('deepseek2', {
    shape: { ...size, dim: size.width / size.heads, sharedFeedForward: undefined }, keys: {
      ...rms,
      'attention.key_length': absorbed ? latent + rotary : plain + rotary,
      'attention.value_length': absorbed ? latent : value,
      ...absorbed ? { 'attention.key_length_mla': plain + rotary, 'attention.value_length_mla': value } : {},
      ...queryRank ? { 'attention.q_lora_rank': queryRank } : {},
      'attention.kv_lora_rank': latent,
      'rope.dimension_count': rotary,
      leading_dense_block_count: dense,
      expert_shared_count: size.sharedFeedForward / size.expertFeedForward,
      ...keys,
    },
    layer: i => layer(i).map(part => (at, given) => part(at, { ...given, sharedFeedForward: size.sharedFeedForward })),
  })
  return decoded
}
const lite = {
  width: 16, heads: 2, feedForward: 16, latent: 8, plain: 6, rotary: 4, value: 6, experts: 4, expertsUsed: 2,
  expertFeedForward: 8, sharedFeedForward: 16,
}
const liteKeys = { expert_weights_scale: f32(1), expert_weights_norm: false, expert_gating_func: 1 }
const deepseeks = {
  'deepseek2-lite': deepseek({ ...lite, layers: 27 }, { absorbed: false, dense: 24, keys: liteKeys }),
  'deepseek2-lite-mla': deepseek({ ...lite, layers: 26 }, { absorbed: true, dense: 23, keys: liteKeys }),
  'deepseek2-v3': deepseek({
    heads: 4, latent: 16, plain: 6, rotary: 8, value: 10, queryRank: 20, experts: 8, expertsUsed: 3, expertFeedForward: 16,
    sharedFeedForward: 16,
  }, {
    absorbed: true, dense: 1, keys: {
      expert_weights_scale: f32(2.5), expert_weights_norm: true, expert_gating_func: 2, 'rope.scaling.type': 'yarn',
      'rope.scaling.factor': f32(8), 'rope.scaling.original_context_length': 64, 'rope.scaling.yarn_log_multiplier': f32(0.1),
    },
  }),
}

const postNormed = (attentionPart, mlp) =>
  [attentionPart, norm('attn_output_norm', biased), mlp, norm('layer_output_norm', biased)]
function encoder(architecture, { keys, layer, ends = [] }) {
  const shape = { ...base, kvHeads: base.heads, context: 64 }
  const { size } = vocabularies.wordPiece
  return file(architecture, 'wordPiece', { ...shapeKeys(shape), ...layerNorm, 'attention.causal': false, pooling_type: 1, ...keys }, [
    table('token_embd', size, shape.width), table('token_types', 2, shape.width),
    ...[norm('token_embd_norm', biased), ...ends].flatMap(part => part('', shape)),
    ...stack(shape, layer),
  ])
}
const encoders = {
  'bert': encoder('bert', {
    layer: postNormed(attention({ biased: 'all' }), plainMlp()),
    ends: [(at, { context, width }) => [table('position_embd', context, width)]],
  }),
  'nomic-bert': encoder('nomic-bert', {
    keys: { 'rope.freq_base': f32(1000) }, layer: postNormed(attention({ fused: true }), gatedMlp()),
  }),
}

const t5Shape = { ...base, kvHeads: base.heads, dim: 12, buckets: 12 }
const { 'attention.head_count_kv': _, 'rope.dimension_count': __, ...t5ShapeKeys } = shapeKeys(t5Shape)
const t5Keys = { ...t5ShapeKeys, ...rms, 'attention.relative_buckets_count': t5Shape.buckets }
const onlyFirst = part => (at, shape) => at.includes('blk.0.') ? part(at, shape) : []
const t5Attention = options => attention({ output: 'o', ...options })
const t5Encoder = mlp => [
  ...stack(t5Shape, [norm('attn_norm'), t5Attention(), onlyFirst(relativeBias()), norm('ffn_norm'), mlp], 'enc.'),
  ...norm('output_norm')('enc.', t5Shape)]
const t5Decoder = (mlp, layers) => [
  ...stack({ ...t5Shape, layers }, [
    norm('attn_norm'), t5Attention(), onlyFirst(relativeBias()), norm('cross_attn_norm'), t5Attention({ name: 'cross_attn' }),
    norm('ffn_norm'), mlp], 'dec.'),
  ...norm('output_norm')('dec.', t5Shape)]
const t5Table = table('token_embd', vocabularies.unigram.size, t5Shape.width)
const t5Head = matrix('output', vocabularies.unigram.size, t5Shape.width)
const t5 = {
  't5': file('t5', 'unigram', { ...t5Keys, decoder_block_count: 1, decoder_start_token_id: 0 },
    [t5Table, ...t5Head, ...t5Encoder(gatedMlp()), ...t5Decoder(gatedMlp(), 1)]),
  't5-relu': file('t5', 'unigram', { ...t5Keys, decoder_start_token_id: 0 },
    [t5Table, ...t5Head, ...t5Encoder(plainMlp({ biased: false })), ...t5Decoder(plainMlp({ biased: false }), 2)]),
  't5encoder': file('t5encoder', 'unigram', t5Keys, [t5Table, ...t5Encoder(gatedMlp())]),
}

// What llama.cpp does not know, and float64.mjs does.

/** The Transformer of 2017. */
export const transformerShape = { ...base, kvHeads: base.heads, epsilon: 0.02 }
const { 'attention.head_count_kv': ___, ...transformerKeys } = shapeKeys(transformerShape)
const transformer = {
  'transformer': file('transformer', 'bytePair', { ...transformerKeys, ...layerNorm, decoder_start_token_id: 0 }, [
    table('token_embd', vocabularies.bytePair.size, base.width, 0.3),
    ...stack(transformerShape, postNormed(t5Attention({ biased: 'all' }), plainMlp()), 'enc.'),
    ...stack(transformerShape, [
      t5Attention({ biased: 'all' }), norm('attn_output_norm', biased), t5Attention({ biased: 'all', name: 'cross_attn' }),
      norm('cross_attn_output_norm', biased), plainMlp(), norm('layer_output_norm', biased)], 'dec.'),
  ]),
}

export const visionShape = {
  ...base, layers: 2, kvHeads: base.heads, epsilon: 0.02, image: 12, patch: 4, projection: 20, labels: ['fox', 'hen', 'owl'],
  mean: [0.5, 0.4, 0.3], deviation: [0.3, 0.25, 0.2],
}
export const textShape = { ...visionShape, width: 24, heads: 3, kvHeads: 3, feedForward: 36, context: 32 }

const towerKeys = (prefix, { width, layers, feedForward, heads }) => ({
  [`${prefix}embedding_length`]: width, [`${prefix}block_count`]: layers, [`${prefix}feed_forward_length`]: feedForward,
  [`${prefix}attention.head_count`]: heads, [`${prefix}attention.layer_norm_epsilon`]: f32(0.02),
})
const imageKeys = (prefix, { image, patch, mean, deviation }) => ({
  [`${prefix}image_size`]: image, [`${prefix}patch_size`]: patch, [`${prefix}image_mean`]: f32(mean), [`${prefix}image_std`]: f32(deviation),
})
const tower = (shape, prefix) => [
  ...stack(shape, [
    norm('ln1', biased), attention({ biased: 'all', output: 'out' }), norm('ln2', biased), plainMlp()], prefix),
  ...norm('post_ln', biased)(prefix, shape)]
const eyes = ({ width, image, patch }, biased) => [
  { name: 'v.patch_embd.weight', shape: [width, 3, patch, patch], centre: 0, spread: 0.25 },
  ...biased ? [bias('v.patch_embd', width)] : [],
  { name: 'v.class_embd', shape: [width], centre: 0, spread: 1 },
  table('v.position_embd', 1 + (image / patch) ** 2, width)]

const vision = {
  'vit': file('vit', undefined, {
    ...towerKeys('', visionShape), ...imageKeys('', visionShape), labels: ['string', visionShape.labels],
  }, [...eyes(visionShape, true), ...tower(visionShape, 'v.'),
    ...matrix('v.head', visionShape.labels.length, visionShape.width, biased)]),
  'clip': file('clip', 'clip', {
    ...towerKeys('vision.', visionShape), ...imageKeys('vision.', visionShape), 'vision.projection_dim': visionShape.projection,
    ...towerKeys('text.', textShape), 'text.context_length': textShape.context, 'text.projection_dim': textShape.projection,
  }, [
    ...eyes(visionShape, false), ...norm('pre_ln', biased)('v.', visionShape), ...tower(visionShape, 'v.'),
    ...matrix('visual_projection', visionShape.projection, visionShape.width),
    table('t.token_embd', vocabularies.clip.size, textShape.width), table('t.position_embd', textShape.context, textShape.width),
    ...tower(textShape, 't.'), ...matrix('text_projection', textShape.projection, textShape.width),
  ]),
}

export const families = {
  ...llama, ...qwen, ...gemma, ...gpt, ...others, ...deepseeks, ...encoders, ...t5, ...transformer, ...vision,
}
