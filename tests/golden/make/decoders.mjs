// The table of decoders: a minimal file for each family and its features. Every key that llama.cpp or Heed reads has a value
// that affects the result.
import { base, f32, file, layerNorm, rms, shapeKeys, stack } from './files.mjs'
import {
  allHeadsNorms,
  attention,
  eachHeadNorms,
  experts,
  expertsBeside,
  factors,
  fusedMlp,
  fusedSharedExperts,
  gatedMlp,
  headNorms,
  latentAttention,
  matrix,
  norm,
  outputScale,
  perLayerEmbedding,
  perLayerInput,
  plainMlp,
  selectionBias,
  sharedExperts,
  sharedGate,
  shortConvolution,
  sinks,
  table,
} from './parts.mjs'
import { vocabularies } from './vocabularies.mjs'

const expertKeys = shape =>
  shape.experts === undefined
    ? {}
    : {
        expert_count: shape.experts,
        expert_used_count: shape.expertsUsed,
        expert_feed_forward_length: shape.expertFeedForward,
        ...(shape.sharedFeedForward ? { expert_shared_feed_forward_length: shape.sharedFeedForward } : {}),
      }
const headKeys = ({ width, heads, kvHeads, dim }) => ({
  'attention.head_count_kv': kvHeads,
  ...(dim * heads === width ? {} : { 'rope.dimension_count': dim }),
})

/**
 * layer: see stack(). ends: tensors outside the layers, including the final norm. tied: the output head is the embedding.
 * size: the standard deviation of the embedding's values.
 */
function decoder(
  architecture,
  {
    vocabulary = 'bytePair',
    shape: changes,
    keys,
    bareKeys,
    layer,
    ends = [norm('output_norm')],
    tied = false,
    size = 1,
    headBiased = false,
  },
) {
  const shape = { ...base, ...changes }
  const tokens = vocabularies[vocabulary].size
  const allKeys = { ...shapeKeys(shape), ...headKeys(shape), ...expertKeys(shape), ...keys }
  return file(
    architecture,
    vocabulary,
    allKeys,
    [
      table('token_embd', tokens, shape.width, size),
      ...ends.flatMap(part => part('', shape)),
      ...stack(shape, layer),
      ...(tied ? [] : matrix('output', tokens, shape.width, { biased: headBiased })),
    ],
    bareKeys,
  )
}

const biased = { biased: true }
const window = { 'attention.sliding_window': 8 }
const yarn = factor => ({
  'rope.scaling.type': 'yarn',
  'rope.scaling.factor': f32(factor),
  'rope.scaling.original_context_length': 64,
})
const linear = factor => ({ 'rope.scaling.type': 'linear', 'rope.scaling.factor': f32(factor) })
const mixture = { experts: 5, expertsUsed: 2, expertFeedForward: 24 }

/** x += mix(norm(x)), for attention and for the MLP. */
const preNorm = (mix, mlp) => [norm('attn_norm'), ...mix, norm('ffn_norm'), ...mlp]
const biasedPreNorm = (mix, mlp) => [norm('attn_norm', biased), mix, norm('ffn_norm', biased), mlp]
const biasedEnds = [norm('output_norm', biased)]
const llamaLayer = preNorm([attention()], [gatedMlp()])
const mixtralLayer = preNorm([attention()], [experts()])

const graniteKeys = {
  ...rms,
  embedding_scale: f32(3),
  residual_scale: f32(0.6),
  logit_scale: f32(1.7),
  'attention.scale': f32(0.2),
}
const llama = {
  'llama-gqa': decoder('llama', {
    vocabulary: 'sentencePiece',
    shape: { dim: 12 },
    keys: rms,
    layer: llamaLayer,
  }),
  'llama-rope-freqs': decoder('llama', {
    shape: { kvHeads: 4, feedForward: 44 },
    keys: { ...rms, 'rope.freq_base': f32(500000) },
    layer: llamaLayer,
    tied: true,
    ends: [norm('output_norm'), (at, { dim }) => [factors('rope_freqs', dim / 2)]],
  }),
  'llama-yarn': decoder('llama', {
    shape: { width: 48, dim: 12 },
    keys: { ...rms, ...yarn(4) },
    layer: llamaLayer,
  }),
  'llama-linear': decoder('llama', { keys: { ...rms, ...linear(3) }, layer: llamaLayer }),
  'llama-experts': decoder('llama', {
    vocabulary: 'sentencePiece',
    shape: { experts: 4, expertsUsed: 2, expertFeedForward: 40 },
    keys: rms,
    layer: mixtralLayer,
  }),
  granite: decoder('granite', { keys: graniteKeys, layer: llamaLayer, tied: true }),
  granitemoe: decoder('granitemoe', {
    shape: { ...mixture, expertFeedForward: 40, sharedFeedForward: 20 },
    keys: graniteKeys,
    layer: [...mixtralLayer, sharedExperts()],
    tied: true,
  }),
  smollm3: decoder('smollm3', { shape: { layers: 4 }, keys: rms, layer: llamaLayer, tied: true }),
}

const qwen = {
  qwen2: decoder('qwen2', {
    keys: { ...rms, 'rope.freq_base': f32(1e6) },
    layer: preNorm([attention({ biased: 'qkv' })], [gatedMlp()]),
    tied: true,
  }),
  qwen2moe: decoder('qwen2moe', {
    shape: { ...mixture, sharedFeedForward: 28 },
    keys: rms,
    layer: preNorm([attention({ biased: 'qkv' })], [experts(), sharedExperts(), sharedGate()]),
  }),
  qwen3: decoder('qwen3', {
    shape: { dim: 12 },
    keys: { ...rms, 'rope.freq_base': f32(1e6) },
    layer: preNorm([attention(), headNorms()], [gatedMlp()]),
    tied: true,
  }),
  'qwen3-embedding': decoder('qwen3', {
    shape: { dim: 12 },
    keys: { ...rms, 'rope.freq_base': f32(1e6), pooling_type: 3 },
    layer: preNorm([attention(), headNorms()], [gatedMlp()]),
    tied: true,
  }),
  qwen3moe: decoder('qwen3moe', {
    shape: { ...mixture, dim: 12 },
    keys: rms,
    layer: preNorm([attention(), headNorms()], [experts()]),
  }),
}

/** Gemma multiplies the embedding by the square root of its width. */
const gemmaEmbedding = { vocabulary: 'sentencePiece', tied: true, size: 0.3 }
const sandwich = preNorm([attention(), norm('post_attention_norm')], [gatedMlp(), norm('post_ffw_norm')])
const gemma = {
  gemma: decoder('gemma', {
    ...gemmaEmbedding,
    shape: { kvHeads: 1, dim: 16 },
    keys: rms,
    layer: llamaLayer,
  }),
  gemma2: decoder('gemma2', {
    ...gemmaEmbedding,
    shape: { layers: 3, dim: 12 },
    layer: sandwich,
    keys: { ...rms, ...window, attn_logit_softcapping: f32(2), final_logit_softcapping: f32(2) },
  }),
  gemma3: decoder('gemma3', {
    ...gemmaEmbedding,
    shape: { layers: 7, kvHeads: 1, dim: 12 },
    layer: [...sandwich, headNorms()],
    keys: { ...rms, ...window, ...linear(3), 'rope.freq_base': f32(500), 'rope.freq_base_swa': f32(5000) },
  }),
}

/** Gemma 4: local layers, and global layers with larger heads, whose values are the keys. */
const gemma4 = (local, { shape, keys, parts, sharing = 0 }) =>
  decoder('gemma4', {
    ...gemmaEmbedding,
    shape: { layers: local.length, dim: 16, ...shape, tokens: vocabularies.sentencePiece.size },
    keys: {
      ...rms,
      ...window,
      'attention.sliding_window_pattern': ['bool', local],
      'attention.shared_kv_layers': sharing,
      'attention.key_length_swa': 8,
      'attention.value_length_swa': 8,
      'rope.dimension_count_swa': 8,
      'rope.freq_base': f32(5000),
      'rope.freq_base_swa': f32(500),
      embedding_length_per_layer_input: shape.told ?? 0,
      ...keys,
    },
    ends: [norm('output_norm'), (at, { dim }) => [factors('rope_freqs', dim / 2)], ...(shape.told ? [perLayerEmbedding()] : [])],
    layer: i => {
      const own = { keys: i < local.length - sharing }
      const attends = [attention({ ...own, values: own.keys && local[i] }), headNorms(own)]
      const sized = attends.map(part => (at, all) => part(at, local[i] ? { ...all, dim: 8 } : all))
      return [...preNorm([...sized, norm('post_attention_norm')], [norm('post_ffw_norm')]), outputScale(), ...parts(i)]
    },
  })
const widths = [40, 40, 40, 48, 48]
const gemma4s = {
  'gemma4-e': gemma4([true, true, false, true, false], {
    shape: { told: 12, feedForward: ['i32', widths] },
    sharing: 2,
    keys: { final_logit_softcapping: f32(2) },
    parts: i => [(at, all) => gatedMlp()(at, { ...all, feedForward: widths[i] }), perLayerInput()],
  }),
  'gemma4-experts': gemma4([true, false], { shape: mixture, parts: () => [gatedMlp(), expertsBeside()] }),
}

const gptLayer = biasedPreNorm(attention({ biased: 'all', fused: true }), plainMlp())
const phi3Layer = preNorm([attention({ fused: true })], [fusedMlp()])
const falconKeys = { ...layerNorm, tensor_data_layout: 'jploski' }
const falconMix = [attention({ fused: true }), plainMlp({ biased: false })]
const gpt = {
  gpt2: decoder('gpt2', {
    shape: { kvHeads: 4, context: 64 },
    keys: layerNorm,
    layer: gptLayer,
    tied: true,
    ends: [...biasedEnds, (at, { context, width }) => [table('position_embd', context, width)]],
  }),
  'gptneox-parallel': decoder('gptneox', {
    shape: { kvHeads: 4 },
    keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: true },
    layer: gptLayer,
    ends: biasedEnds,
  }),
  'gptneox-sequential': decoder('gptneox', {
    shape: { kvHeads: 4 },
    keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: false },
    layer: gptLayer,
    ends: biasedEnds,
  }),
  phi2: decoder('phi2', {
    shape: { kvHeads: 4 },
    keys: { ...layerNorm, 'rope.dimension_count': 4 },
    headBiased: true,
    layer: [norm('attn_norm', biased), attention({ biased: 'all' }), plainMlp()],
    ends: biasedEnds,
  }),
  phi3: decoder('phi3', {
    vocabulary: 'sentencePiece',
    shape: { kvHeads: 4 },
    keys: { ...rms, 'rope.dimension_count': 8 },
    layer: phi3Layer,
  }),
  'phi3-longrope': decoder('phi3', {
    vocabulary: 'sentencePiece',
    layer: phi3Layer,
    tied: true,
    keys: {
      ...rms,
      'rope.dimension_count': 8,
      'rope.scaling.attn_factor': f32(1.19),
      'rope.scaling.original_context_length': 256,
    },
    ends: [norm('output_norm'), (at, { dim }) => [factors('rope_factors_long', dim / 2), factors('rope_factors_short', dim / 2)]],
  }),
  starcoder2: decoder('starcoder2', {
    keys: layerNorm,
    layer: biasedPreNorm(attention({ biased: 'all' }), plainMlp()),
    ends: biasedEnds,
    tied: true,
  }),
  stablelm: decoder('stablelm', {
    keys: { ...layerNorm, 'rope.dimension_count': 2, use_parallel_residual: false },
    layer: biasedPreNorm(attention({ biased: 'qkv' }), gatedMlp()),
    ends: biasedEnds,
  }),
  'stablelm-parallel': decoder('stablelm', {
    keys: { ...layerNorm, 'rope.dimension_count': 4, use_parallel_residual: true },
    layer: [norm('attn_norm', biased), attention(), eachHeadNorms(), gatedMlp()],
    ends: biasedEnds,
  }),
  'falcon-mqa': decoder('falcon', {
    shape: { kvHeads: 1 },
    keys: falconKeys,
    layer: [norm('attn_norm', biased), ...falconMix],
    ends: biasedEnds,
  }),
  'falcon-new': decoder('falcon', {
    keys: falconKeys,
    layer: [norm('attn_norm', biased), norm('attn_norm_2', biased), ...falconMix],
    ends: biasedEnds,
  }),
  bloom: decoder('bloom', {
    // six heads: ALiBi treats numbers that are not a power of two differently
    shape: { width: 48, heads: 6, kvHeads: 6 },
    keys: layerNorm,
    layer: gptLayer,
    ends: [...biasedEnds, norm('token_embd_norm', biased)],
  }),
}

const postNorm = [attention(), allHeadsNorms(), norm('post_attention_norm'), gatedMlp(), norm('post_ffw_norm')]
const cohereLayer = [norm('attn_norm'), attention(), gatedMlp()]
const others = {
  olmo2: decoder('olmo2', { shape: { kvHeads: 4 }, keys: rms, layer: postNorm }),
  'olmo2-window': decoder('olmo2', {
    shape: { layers: 4 },
    keys: { ...rms, ...window, ...yarn(4) },
    layer: postNorm,
  }),
  olmoe: decoder('olmoe', {
    shape: { ...mixture, feedForward: 24, kvHeads: 4 },
    keys: rms,
    layer: preNorm([attention(), allHeadsNorms()], [experts()]),
  }),
  'command-r': decoder('command-r', {
    keys: { ...layerNorm, logit_scale: f32(0.7) },
    layer: cohereLayer,
    tied: true,
  }),
  cohere2: decoder('cohere2', {
    shape: { layers: 5 },
    keys: { ...layerNorm, ...window, logit_scale: f32(0.4) },
    layer: cohereLayer,
    tied: true,
  }),
  'gpt-oss': decoder('gpt-oss', {
    shape: { ...mixture, layers: 3, dim: 12 },
    keys: { ...rms, ...window, ...yarn(32), 'rope.freq_base': f32(150000) },
    layer: [norm('attn_norm'), attention({ biased: 'all' }), sinks(), norm('post_attention_norm'), experts(biased)],
  }),
  lfm2: decoder('lfm2', {
    shape: { layers: 3, taps: 3 },
    keys: {
      ...rms,
      'rope.freq_base': f32(1e6),
      'shortconv.l_cache': 3,
      'attention.head_count_kv': ['i32', [0, 2, 0]],
    },
    layer: i => preNorm(i === 1 ? [attention(), headNorms()] : [shortConvolution()], [gatedMlp()]),
    ends: [norm('token_embd_norm')],
    tied: true,
  }),
}

const flags = (...values) => ['bool', values]
const ofLayers = (...values) => ['f32', values]
const later = {
  // families of 2025 and 2026
  apertus: decoder('apertus', {
    keys: { ...rms, 'rope.freq_base': f32(12e6) },
    bareKeys: {
      'xielu.alpha_p': ofLayers(0.9, -0.6),
      'xielu.alpha_n': ofLayers(0.4, 1.1),
      'xielu.beta': ofLayers(0.5, 0.3),
      'xielu.eps': ofLayers(-1e-6, -1e-6),
    },
    layer: preNorm([attention(), headNorms()], [plainMlp({ biased: false })]),
  }),
  'ernie4_5-moe': decoder('ernie4_5-moe', {
    shape: { ...mixture, layers: 3, sharedFeedForward: 20 },
    keys: { ...rms, 'rope.freq_base': f32(5e5), interleave_moe_layer_step: 1, leading_dense_block_count: 1 },
    layer: i => preNorm([attention()], i === 0 ? [gatedMlp()] : [experts(), selectionBias(), sharedExperts()]),
    tied: true,
  }),
  granite_swa: decoder('granite_swa', {
    shape: { ...mixture, expertFeedForward: 40, layers: 3, sharedFeedForward: 20 },
    keys: {
      ...graniteKeys,
      ...window,
      'attention.sliding_window_pattern': flags(true, false, true),
      'attention.rope_pattern': flags(true, true, false),
    },
    layer: preNorm([attention(), sinks()], [experts(), fusedSharedExperts()]),
    tied: true,
  }),
  mistral3: decoder('mistral3', {
    shape: { dim: 12 },
    keys: {
      ...rms,
      ...yarn(4),
      'rope.scaling.original_context_length': 7,
      'rope.scaling.yarn_beta_fast': f32(0.5),
      'rope.scaling.yarn_beta_slow': f32(0.1),
      'rope.scaling.yarn_log_multiplier': f32(0.6),
      'attention.temperature_scale': f32(0.3),
    },
    layer: llamaLayer,
  }),
  smallthinker: decoder('smallthinker', {
    shape: { ...mixture, layers: 3, feedForward: 24 },
    keys: { ...rms, ...window, expert_gating_func: 2 },
    layer: mixtralLayer,
    tied: true,
  }),
}

/** DeepSeek: `dense` dense layers, then experts. llama.cpp expects 26 or 27 layers if there is no queryRank. */
function deepseek(shape, { absorbed, dense, keys }) {
  const { plain, rotary, value, latent, queryRank, shared, expertFeedForward } = shape
  const withShared = (at, given) => sharedExperts()(at, { ...given, sharedFeedForward: shared })
  const mlps = i => (i < dense ? [gatedMlp()] : [experts(), withShared, ...(queryRank ? [selectionBias()] : [])])
  return decoder('deepseek2', {
    shape: { ...shape, kvHeads: absorbed ? 1 : shape.heads, dim: (shape.width ?? base.width) / shape.heads },
    layer: i => preNorm([latentAttention({ absorbed })], mlps(i)),
    keys: {
      ...rms,
      'attention.key_length': absorbed ? latent + rotary : plain + rotary,
      'attention.value_length': absorbed ? latent : value,
      ...(absorbed ? { 'attention.key_length_mla': plain + rotary, 'attention.value_length_mla': value } : {}),
      ...(queryRank ? { 'attention.q_lora_rank': queryRank } : {}),
      'attention.kv_lora_rank': latent,
      'rope.dimension_count': rotary,
      leading_dense_block_count: dense,
      expert_shared_count: shared / expertFeedForward,
      ...keys,
    },
  })
}
const lite = {
  width: 16,
  heads: 2,
  feedForward: 16,
  latent: 8,
  plain: 6,
  rotary: 4,
  value: 6,
  experts: 4,
  expertsUsed: 2,
  expertFeedForward: 8,
  shared: 16,
}
const liteKeys = { expert_weights_scale: f32(1), expert_weights_norm: false, expert_gating_func: 1 }
const deepseeks = {
  'deepseek2-lite': deepseek({ ...lite, layers: 27 }, { absorbed: false, dense: 24, keys: liteKeys }),
  'deepseek2-lite-mla': deepseek({ ...lite, layers: 26 }, { absorbed: true, dense: 23, keys: liteKeys }),
  'deepseek2-v3': deepseek(
    {
      heads: 4,
      latent: 16,
      plain: 6,
      rotary: 8,
      value: 10,
      queryRank: 20,
      experts: 8,
      expertsUsed: 3,
      expertFeedForward: 16,
      shared: 16,
    },
    {
      absorbed: true,
      dense: 1,
      keys: {
        expert_weights_scale: f32(2.5),
        expert_weights_norm: true,
        expert_gating_func: 2,
        expert_group_count: 4,
        expert_group_used_count: 2,
        ...yarn(8),
        'rope.scaling.yarn_log_multiplier': f32(0.1),
      },
    },
  ),
}

export const decoders = { ...llama, ...qwen, ...gemma, ...gemma4s, ...gpt, ...others, ...deepseeks, ...later }
