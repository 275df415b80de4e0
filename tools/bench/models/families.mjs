// The model families of the benchmark: their metadata beyond that of a llama, and the tensors of a layer. `add` adds tensors
// to the file (tensorsOf in shapes.mjs).
const pick = (count, choose) => Array.from({ length: count }, (_, index) => choose(index))
const every = (period, layer) => (layer + 1) % period === 0

// Token mixers: attention and its alternatives.

/** `normed`: norms of queries and keys, per head or over all heads; `gated`: the attention output has a gate. */
function attention({ width, heads, kvHeads, headDim }, add, { normed, gated = false } = {}) {
  add.matrix('attn_q', heads * headDim * (gated ? 2 : 1), width)
  add.matrix('attn_k', kvHeads * headDim, width)
  add.matrix('attn_v', kvHeads * headDim, width)
  add.matrix('attn_output', width, heads * headDim)
  if (!normed) return
  add.norm('attn_q_norm', headDim * (normed === 'heads' ? 1 : heads))
  add.norm('attn_k_norm', headDim * (normed === 'heads' ? 1 : kvHeads))
}

function latentAttention({ width, heads, latent: { rank, plain, rotated, value } }, add) {
  add.matrix('attn_q', heads * (plain + rotated), width)
  add.matrix('attn_kv_a_mqa', rank + rotated, width)
  add.norm('attn_kv_a_norm', rank)
  add.matrix('attn_kv_b', heads * (plain + value), rank)
  add.matrix('attn_output', width, heads * value)
}

function deltaNet({ width, delta: { heads, keyHeads, dim, taps } }, add) {
  const mixed = (2 * keyHeads + heads) * dim
  add.matrix('attn_qkv', mixed, width)
  add.matrix('attn_gate', heads * dim, width)
  add.floats('ssm_conv1d', mixed, taps)
  add.constant('ssm_dt.bias', 0, heads)
  add.constant('ssm_a', -1, heads)
  add.matrix('ssm_beta', heads, width)
  add.matrix('ssm_alpha', heads, width)
  add.norm('ssm_norm', dim)
  add.matrix('ssm_out', width, heads * dim)
}

function mamba2({ width, mamba: { heads, dim, groups, state, taps } }, add) {
  const inner = heads * dim,
    mixed = inner + 2 * groups * state
  add.matrix('ssm_in', inner + mixed + heads, width)
  add.floats('ssm_conv1d', mixed, taps)
  add.constant('ssm_conv1d.bias', 0, mixed)
  add.constant('ssm_dt.bias', 0, heads)
  add.constant('ssm_a', -1, heads, 1)
  add.constant('ssm_d', 1, heads, 1)
  add.norm('ssm_norm', groups, inner / groups)
  add.matrix('ssm_out', width, inner)
}

function shortConvolution({ width, taps }, add) {
  add.floats('shortconv.conv', width, taps)
  add.matrix('shortconv.in_proj', 3 * width, width)
  add.matrix('shortconv.out_proj', width, width)
}

// Channel mixers: MLPs and mixtures of experts.

function mlp({ width, feedForward }, add) {
  add.matrix('ffn_gate', feedForward, width)
  add.matrix('ffn_up', feedForward, width)
  add.matrix('ffn_down', width, feedForward)
}

function mixture({ width, experts }, add, { bias = false } = {}) {
  const { count, feedForward, shared = 0 } = experts
  add.floats('ffn_gate_inp', count, width)
  add.experts('ffn_gate_exps', experts, feedForward, width)
  add.experts('ffn_up_exps', experts, feedForward, width)
  add.experts('ffn_down_exps', experts, width, feedForward)
  if (bias) add.constant('exp_probs_b.bias', 0, count)
  if (!shared) return
  add.matrix('ffn_gate_shexp', shared * feedForward, width)
  add.matrix('ffn_up_shexp', shared * feedForward, width)
  add.matrix('ffn_down_shexp', width, shared * feedForward)
}

const mixtureKeys = ({ experts: { count, used, feedForward, denseLayers } }) => ({
  expert_count: ['u32', count],
  expert_used_count: ['u32', used],
  expert_feed_forward_length: ['u32', feedForward],
  leading_dense_block_count: ['u32', denseLayers],
})

/** A pre-norm layer: a token mixer and a channel mixer, each preceded by a norm. */
const preNorm =
  (mixPositions, mixChannels, secondNorm = 'ffn_norm') =>
  (shape, index, add) => {
    add.norm('attn_norm', shape.width)
    mixPositions(shape, add, index)
    add.norm(secondNorm, shape.width)
    mixChannels(shape, add, index)
  }

const headKeys = ({ headDim }) => ({ 'attention.key_length': ['u32', headDim], 'attention.value_length': ['u32', headDim] })

/**
 * In gemma4, all but the last layer of each period use sliding-window attention with smaller heads; the last `sharing` layers
 * reuse the keys and values of earlier ones.
 */
const gemma4 = {
  local: ({ period }, index) => !every(period, index),
  shares: ({ layers, sharing }, index) => index >= layers - sharing,
  feedForward: ({ feedForward, ...shape }, index) => (gemma4.shares(shape, index) ? 2 * feedForward : feedForward),
}

/** The number of pairs of a head that are rotated by time, height and width (M-RoPE). */
const sections = ({ ropeDims }) => {
  const third = Math.ceil(ropeDims / 2 / 3)
  return [third, third, ropeDims / 2 - 2 * third, 0]
}

/** KV heads per layer; layers without attention have 0. */
const kvHeadsByLayer = ({ layers, kvHeads, attending }) => ['u32', pick(layers, layer => (attending.includes(layer) ? kvHeads : 0))]

export const families = {
  llama: { hyperparameters: () => ({}), layer: preNorm((shape, add) => attention(shape, add), mlp) },

  qwen3: { hyperparameters: headKeys, layer: preNorm((shape, add) => attention(shape, add, { normed: 'heads' }), mlp) },

  qwen35: {
    hyperparameters: shape => ({
      ...headKeys(shape),
      'rope.dimension_sections': ['i32', sections(shape)],
      'ssm.conv_kernel': ['u32', shape.delta.taps],
      'ssm.state_size': ['u32', shape.delta.dim],
      'ssm.group_count': ['u32', shape.delta.keyHeads],
      'ssm.time_step_rank': ['u32', shape.delta.heads],
      'ssm.inner_size': ['u32', shape.delta.heads * shape.delta.dim],
    }),
    layer: preNorm(
      (shape, add, index) => (every(4, index) ? attention(shape, add, { normed: 'heads', gated: true }) : deltaNet(shape, add)),
      mlp,
      'post_attention_norm',
    ),
  },

  gemma4: {
    hyperparameters: shape => ({
      ...headKeys(shape),
      'attention.key_length_swa': ['u32', shape.localDim],
      'attention.value_length_swa': ['u32', shape.localDim],
      'attention.sliding_window': ['u32', shape.window],
      'attention.sliding_window_pattern': ['bool', pick(shape.layers, index => gemma4.local(shape, index))],
      'attention.shared_kv_layers': ['u32', shape.sharing],
      embedding_length_per_layer_input: ['u32', shape.perLayer],
      feed_forward_length: ['u32', pick(shape.layers, index => gemma4.feedForward(shape, index))],
      final_logit_softcapping: ['f32', 30],
      'rope.dimension_count_swa': ['u32', shape.localDim],
      'rope.freq_base': ['f32', 1e6],
      'rope.freq_base_swa': ['f32', 1e4],
    }),
    beside({ layers, width, headDim, vocabulary, perLayer }, add) {
      add.constant('rope_freqs.weight', 1, headDim / 2)
      add.matrix('per_layer_token_embd', vocabulary, layers * perLayer)
      add.matrix('per_layer_model_proj', layers * perLayer, width)
      add.norm('per_layer_proj_norm', perLayer)
    },
    layer(shape, index, add) {
      const { width, heads, kvHeads, perLayer } = shape,
        headDim = gemma4.local(shape, index) ? shape.localDim : shape.headDim
      add.norm('attn_norm', width)
      add.matrix('attn_q', heads * headDim, width)
      add.norm('attn_q_norm', headDim)
      if (!gemma4.shares(shape, index)) {
        add.matrix('attn_k', kvHeads * headDim, width)
        add.norm('attn_k_norm', headDim)
        add.matrix('attn_v', kvHeads * headDim, width)
      }
      add.matrix('attn_output', width, heads * headDim)
      add.norm('post_attention_norm', width)
      add.norm('ffn_norm', width)
      mlp({ width, feedForward: gemma4.feedForward(shape, index) }, add)
      add.norm('post_ffw_norm', width)
      add.matrix('inp_gate', perLayer, width)
      add.matrix('proj', width, perLayer)
      add.norm('post_norm', width)
      add.constant('layer_output_scale.weight', 1, 1)
    },
  },

  granitehybrid: {
    hyperparameters: shape => ({
      'attention.head_count_kv': kvHeadsByLayer(shape),
      'ssm.conv_kernel': ['u32', shape.mamba.taps],
      'ssm.inner_size': ['u32', shape.mamba.heads * shape.mamba.dim],
      'ssm.state_size': ['u32', shape.mamba.state],
      'ssm.time_step_rank': ['u32', shape.mamba.heads],
      'ssm.group_count': ['u32', shape.mamba.groups],
    }),
    layer: preNorm((shape, add, index) => (shape.attending.includes(index) ? attention(shape, add) : mamba2(shape, add)), mlp),
  },

  lfm2moe: {
    finalNorm: 'token_embd_norm',
    hyperparameters: shape => ({
      ...mixtureKeys(shape),
      'attention.head_count_kv': kvHeadsByLayer(shape),
      'shortconv.l_cache': ['u32', shape.taps],
      expert_gating_func: ['u32', 2],
    }),
    layer: preNorm(
      (shape, add, index) =>
        shape.attending.includes(index) ? attention(shape, add, { normed: 'heads' }) : shortConvolution(shape, add),
      (shape, add, index) => (index < shape.experts.denseLayers ? mlp(shape, add) : mixture(shape, add, { bias: true })),
    ),
  },

  olmoe: {
    hyperparameters: mixtureKeys,
    layer: preNorm(
      (shape, add) => attention(shape, add, { normed: 'all' }),
      (shape, add) => mixture(shape, add),
    ),
  },

  deepseek2: {
    hyperparameters: shape => ({
      ...mixtureKeys(shape),
      'attention.key_length': ['u32', shape.latent.plain + shape.latent.rotated],
      'attention.value_length': ['u32', shape.latent.value],
      'attention.kv_lora_rank': ['u32', shape.latent.rank],
      'rope.dimension_count': ['u32', shape.latent.rotated],
      expert_shared_count: ['u32', shape.experts.shared],
      expert_weights_scale: ['f32', 1],
      expert_gating_func: ['u32', 1],
    }),
    layer: preNorm(
      (shape, add) => latentAttention(shape, add),
      (shape, add, index) => (index < shape.experts.denseLayers ? mlp(shape, add) : mixture(shape, add)),
    ),
  },
}
