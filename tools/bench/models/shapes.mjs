// Shapes of real models, and the tensors that a file of such a shape has: those of the llama family, as GGUF
// names them.
import { typeOf } from './formats.mjs'
import { storedBytes } from './types.mjs'

const trainedContext = 8192

const shape = (width, layers, heads, kvHeads, feedForward, vocabulary, { tied }) =>
  ({ width, layers, heads, kvHeads, feedForward, vocabulary, tied })

/** D, layers, heads, kv heads, F and V; `tied`: the output head is the embedding. */
export const shapes = {
  'tiny': shape(256, 2, 4, 2, 512, 320, { tied: false }),
  '135m': shape(576, 30, 9, 3, 1536, 32000, { tied: false }),
  '0.5b': shape(896, 24, 14, 2, 4864, 151936, { tied: true }),
  '1.1b': shape(2048, 16, 32, 8, 8192, 32000, { tied: false }),
  '1.24b': shape(2048, 16, 32, 8, 8192, 128256, { tied: true }),
}

/** GGUF metadata of a shape, without the tokenizer's. */
export const hyperparameters = ({ width, layers, heads, kvHeads, feedForward, vocabulary }) => ({
  'llama.context_length': trainedContext,
  'llama.embedding_length': width,
  'llama.block_count': layers,
  'llama.feed_forward_length': feedForward,
  'llama.attention.head_count': heads,
  'llama.attention.head_count_kv': kvHeads,
  'llama.rope.dimension_count': width / heads,
  'llama.vocab_size': vocabulary,
})

/** The tensors of a file, in order: {name, shape, type, bytes}; shape as PyTorch has it, rows first. */
export function tensorsOf({ width, layers, heads, kvHeads, feedForward, vocabulary, tied }, format) {
  const tensors = []
  const add = (name, shape, type) =>
    tensors.push({ name, shape, type, bytes: storedBytes(type, shape.reduce((a, b) => a * b)) })
  const matrix = (name, rows, columns, { role = name, layer, head = false } = {}) =>
    add(`${name}.weight`, [rows, columns], typeOf(format, { role, layer, layers, columns, head }))
  const norm = name => add(`${name}.weight`, [width], 'f32')
  const kvWidth = kvHeads * width / heads

  matrix('token_embd', vocabulary, width, { head: tied })
  for (let layer = 0; layer < layers; layer++) {
    const inLayer = (role, rows, columns) => matrix(`blk.${layer}.${role}`, rows, columns, { role, layer })
    norm(`blk.${layer}.attn_norm`)
    inLayer('attn_q', width, width)
    inLayer('attn_k', kvWidth, width)
    inLayer('attn_v', kvWidth, width)
    inLayer('attn_output', width, width)
    norm(`blk.${layer}.ffn_norm`)
    inLayer('ffn_gate', feedForward, width)
    inLayer('ffn_up', feedForward, width)
    inLayer('ffn_down', width, feedForward)
  }
  norm('output_norm')
  if (!tied) matrix('output', vocabulary, width, { head: true })
  return tensors
}
