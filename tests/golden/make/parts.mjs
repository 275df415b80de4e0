// The parts of models: functions from (prefix, shape) to tensors {name, shape, center, spread}, whose values are uniformly
// distributed within `spread` of `center`. Shapes have rows first.

/** The spread of a matrix that preserves the size of its input, times `gain`. */
const spreadOf = (columns, gain) => gain * Math.sqrt(3 / columns)

const vector = (name, size, center, spread) => ({ name, shape: [size], center, spread })
export const bias = (name, size) => vector(`${name}.bias`, size, 0, 0.5)

/** A matrix of rows x columns, or `count` of them. */
export const matrix = (name, rows, columns, { count, gain = 1, biased = false } = {}) => {
  const of = count ? [count] : []
  return [
    { name: `${name}.weight`, shape: [...of, rows, columns], center: 0, spread: spreadOf(columns, gain) },
    ...(biased ? [{ name: `${name}.bias`, shape: [...of, rows], center: 0, spread: 0.5 }] : []),
  ]
}

/** Weights far from one, so that a missing or misplaced norm changes the result. */
const normOf = (name, size, { biased = false } = {}) => [
  vector(`${name}.weight`, size, 1, 0.6),
  ...(biased ? [bias(name, size)] : []),
]

export const table = (name, rows, columns, size = 1) => ({
  name: `${name}.weight`,
  shape: [rows, columns],
  center: 0,
  spread: size * Math.sqrt(3),
})
export const factors = (name, size) => vector(`${name}.weight`, size, 2.5, 1.5)

export const norm =
  (name, options) =>
  (at, { width }) =>
    normOf(at + name, width, options)

/** Makes queries and keys large enough for attention to prefer some positions. */
const scores = { gain: 1.6 }

/** biased: 'qkv', 'all' or undefined. Without keys, attention uses those of another layer. */
export const attention =
  ({ biased, fused = false, keys = true, values = keys, name = 'attn', output = 'output' } = {}) =>
  (at, { width, heads, kvHeads, dim }) => {
    const full = at + name
    const inputs = { biased: biased !== undefined }
    const projections = fused
      ? matrix(`${full}_qkv`, (heads + 2 * kvHeads) * dim, width, { ...scores, ...inputs })
      : [
          ...matrix(`${full}_q`, heads * dim, width, { ...scores, ...inputs }),
          ...(keys ? matrix(`${full}_k`, kvHeads * dim, width, { ...scores, ...inputs }) : []),
          ...(values ? matrix(`${full}_v`, kvHeads * dim, width, inputs) : []),
        ]
    return [...projections, ...matrix(`${full}_${output}`, width, heads * dim, { biased: biased === 'all' })]
  }

/** Norms of queries and keys: per head with the same weights, per head with separate weights, or over all heads. */
export const headNorms =
  ({ keys = true } = {}) =>
  (at, { dim }) => [...normOf(`${at}attn_q_norm`, dim), ...(keys ? normOf(`${at}attn_k_norm`, dim) : [])]
export const eachHeadNorms =
  () =>
  (at, { heads, kvHeads, dim }) =>
    [
      ['q', heads],
      ['k', kvHeads],
    ].map(([name, count]) => ({ name: `${at}attn_${name}_norm.weight`, shape: [count, dim], center: 1, spread: 0.6 }))
export const allHeadsNorms =
  () =>
  (at, { heads, kvHeads, dim }) => [...normOf(`${at}attn_q_norm`, heads * dim), ...normOf(`${at}attn_k_norm`, kvHeads * dim)]

export const sinks =
  () =>
  (at, { heads }) => [vector(`${at}attn_sinks.weight`, heads, 1, 1.5)]
export const relativeBias =
  () =>
  (at, { heads, buckets }) => [table(`${at}attn_rel_b`, buckets, heads)]

export const gatedMlp =
  () =>
  (at, { width, feedForward }) => [
    ...matrix(`${at}ffn_gate`, feedForward, width),
    ...matrix(`${at}ffn_up`, feedForward, width),
    ...matrix(`${at}ffn_down`, width, feedForward),
  ]
export const plainMlp =
  ({ biased = true } = {}) =>
  (at, { width, feedForward }) => [
    ...matrix(`${at}ffn_up`, feedForward, width, { biased }),
    ...matrix(`${at}ffn_down`, width, feedForward, { biased }),
  ]
/** Gate and up are one matrix. */
export const fusedMlp =
  () =>
  (at, { width, feedForward }) => [...matrix(`${at}ffn_up`, 2 * feedForward, width), ...matrix(`${at}ffn_down`, width, feedForward)]

/** A router with clear preferences, and its experts. */
export const experts =
  ({ biased = false } = {}) =>
  (at, { width, experts: count, expertFeedForward: f }) => [
    ...matrix(`${at}ffn_gate_inp`, count, width, { gain: 2, biased }),
    ...matrix(`${at}ffn_gate_exps`, f, width, { count, biased }),
    ...matrix(`${at}ffn_up_exps`, f, width, { count, biased }),
    ...matrix(`${at}ffn_down_exps`, width, f, { count, biased }),
  ]
export const sharedExperts =
  () =>
  (at, { width, sharedFeedForward: f }) => [
    ...matrix(`${at}ffn_gate_shexp`, f, width),
    ...matrix(`${at}ffn_up_shexp`, f, width),
    ...matrix(`${at}ffn_down_shexp`, width, f),
  ]
export const fusedSharedExperts =
  () =>
  (at, { width, sharedFeedForward: f }) => [
    ...matrix(`${at}ffn_up_shexp`, 2 * f, width),
    ...matrix(`${at}ffn_down_shexp`, width, f),
  ]
export const sharedGate =
  () =>
  (at, { width }) => [vector(`${at}ffn_gate_inp_shexp.weight`, width, 0, spreadOf(width, 2))]
export const selectionBias =
  () =>
  (at, { experts: count }) => [bias(`${at}exp_probs_b`, count)]
/**
 * Experts in parallel with an MLP, with their own norms: gate and up are one matrix, and the norm before the router has a scale.
 */
export const expertsBeside =
  () =>
  (at, { width, experts: count, expertFeedForward: f }) => [
    ...matrix(`${at}ffn_gate_inp`, count, width, { gain: 2 }),
    vector(`${at}ffn_gate_inp.scale`, width, 6, 3),
    ...matrix(`${at}ffn_gate_up_exps`, 2 * f, width, { count }),
    ...matrix(`${at}ffn_down_exps`, width, f, { count }),
    vector(`${at}ffn_down_exps.scale`, count, 1, 0.6),
    ...['pre_ffw_norm_2', 'post_ffw_norm_1', 'post_ffw_norm_2'].flatMap(name => normOf(at + name, width)),
  ]

/** Gemma's per-layer embeddings: the table and the projection, and their use in a layer. */
export const perLayerEmbedding =
  () =>
  (at, { width, layers, told, tokens }) => [
    table('per_layer_token_embd', tokens, layers * told, 0.3),
    ...matrix('per_layer_model_proj', layers * told, width),
    ...normOf('per_layer_proj_norm', told),
  ]
export const perLayerInput =
  () =>
  (at, { width, told }) => [
    ...matrix(`${at}inp_gate`, told, width),
    ...matrix(`${at}proj`, width, told),
    ...normOf(`${at}post_norm`, width),
  ]
export const outputScale = () => at => [vector(`${at}layer_output_scale.weight`, 1, 1, 0.5)]

/** Queries have the rank queryRank, if there is one; keys and values are separate if absorbed. */
export const latentAttention =
  ({ absorbed }) =>
  (at, shape) =>
    latentTensors(at, shape, absorbed)
const latentTensors = (at, { width, heads, queryRank, latent, plain, rotary, value }, absorbed) => [
  ...(queryRank
    ? [
        ...matrix(`${at}attn_q_a`, queryRank, width),
        ...normOf(`${at}attn_q_a_norm`, queryRank),
        ...matrix(`${at}attn_q_b`, heads * (plain + rotary), queryRank, scores),
      ]
    : matrix(`${at}attn_q`, heads * (plain + rotary), width, scores)),
  ...matrix(`${at}attn_kv_a_mqa`, latent + rotary, width, scores),
  ...normOf(`${at}attn_kv_a_norm`, latent),
  ...(absorbed
    ? [
        ...matrix(`${at}attn_k_b`, latent, plain, { count: heads, ...scores }),
        ...matrix(`${at}attn_v_b`, value, latent, { count: heads }),
      ]
    : matrix(`${at}attn_kv_b`, heads * (plain + value), latent)),
  ...matrix(`${at}attn_output`, width, heads * value),
]

export const shortConvolution =
  () =>
  (at, { width, taps }) => [
    ...matrix(`${at}shortconv.in_proj`, 3 * width, width),
    ...matrix(`${at}shortconv.conv`, width, taps),
    ...matrix(`${at}shortconv.out_proj`, width, width),
  ]
