// A model of Qwen 3.5's architecture with random weights, a recurrent layer and a head for drafts, whose tokens are bytes.
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { random } from '../package/support.mjs'

const [width, heads, dim, states] = [32, 2, 16, 4]
const channels = 2 * 2 * 8 + states * 8 // queries, keys and values of the delta rule

/** Tensors of a layer: [name, shape]. */
const attention = [
  ['attn_q', [heads * 2 * dim, width]], // with gates
  ['attn_k', [dim, width]],
  ['attn_v', [dim, width]],
  ['attn_output', [width, heads * dim]],
  ['attn_q_norm', [dim]],
  ['attn_k_norm', [dim]],
]
const deltaRule = [
  ['attn_qkv', [channels, width]],
  ['attn_gate', [states * 8, width]],
  ['ssm_beta', [states, width]],
  ['ssm_alpha', [states, width]],
  ['ssm_conv1d', [channels, 4]],
  ['ssm_norm', [8]],
  ['ssm_out', [width, states * 8]],
]
const feedForward = [
  ['attn_norm', [width]],
  ['post_attention_norm', [width]],
  ['ffn_gate', [24, width]],
  ['ffn_up', [24, width]],
  ['ffn_down', [width, 24]],
]
const head = [
  ['nextn.eh_proj', [width, 2 * width]],
  ['nextn.enorm', [width]],
  ['nextn.hnorm', [width]],
]

/** The bytes of a file; `withHead: false` leaves the head out. */
export function draftingModel({ withHead = true, seed = 1 } = {}) {
  const below = random(seed)
  const real = scale => ((below(2001) - 1000) / 1000) * scale
  const tokens = [
    '<unk>',
    '<s>',
    '</s>',
    ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  ]
  const tensor = (name, shape, fill = () => real(shape.length === 1 ? 0.2 : 0.5) + (shape.length === 1 ? 1 : 0)) => ({
    name,
    shape,
    values: Float32Array.from({ length: shape.reduce((product, n) => product * n, 1) }, fill),
  })
  const layer = (index, parts) => [...parts, ...feedForward].map(([name, shape]) => tensor(`blk.${index}.${name}.weight`, shape))
  const tensors = [
    tensor('token_embd.weight', [tokens.length, width]),
    tensor('output_norm.weight', [width]),
    ...layer(0, deltaRule),
    tensor('blk.0.ssm_dt.bias', [states]),
    tensor('blk.0.ssm_a', [states], () => -0.5 - Math.abs(real(0.4))),
    ...layer(1, attention),
    ...(withHead ? layer(2, [...attention, ...head]) : []),
  ]
  const u32 = { block_count: withHead ? 3 : 2, nextn_predict_layers: withHead ? 1 : 0 }
  const keys = {
    ...u32,
    context_length: 256,
    embedding_length: width,
    feed_forward_length: 24,
    'attention.head_count': heads,
    'attention.head_count_kv': 1,
    'attention.key_length': dim,
    'attention.value_length': dim,
    'rope.dimension_count': 8,
    'ssm.conv_kernel': 4,
    'ssm.state_size': 8,
    'ssm.group_count': 2,
    'ssm.time_step_rank': states,
    'ssm.inner_size': states * 8,
    full_attention_interval: 2,
  }
  return ggufFile(
    {
      'general.architecture': ['string', 'qwen35'],
      ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`qwen35.${key}`, ['u32', value]])),
      'qwen35.attention.layer_norm_rms_epsilon': ['f32', 1e-6],
      'tokenizer.ggml.model': ['string', 'llama'],
      'tokenizer.ggml.tokens': ['string', tokens],
      'tokenizer.ggml.scores': ['f32', tokens.map(() => 0)],
      'tokenizer.ggml.token_type': ['i32', tokens.map((_, id) => (id < 3 ? 3 : 6))],
      'tokenizer.ggml.unknown_token_id': ['u32', 0],
      'tokenizer.ggml.bos_token_id': ['u32', 1],
      'tokenizer.ggml.eos_token_id': ['u32', 2],
    },
    tensors,
  )
}
