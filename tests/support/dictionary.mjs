// A small dictionary of features with random weights, in the files of SAELens.
import { random } from '../package/support.mjs'

/** A safetensors file. `change` may spoil its header. */
export function safetensors(all, change = header => header) {
  let end = 0
  const header = {}
  const parts = Object.entries(all).map(([name, [shape, data]]) => {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, (end += data.byteLength)] }
    return Buffer.from(data.buffer)
  })
  const json = Buffer.from(JSON.stringify(change(header)))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, ...parts])
}

/** Tensors of a JumpReLU autoencoder of `count` features for values of `width` numbers. */
export function dictionaryTensors(width, count) {
  const below = random(7)
  const numbers = (length, size) => Float32Array.from({ length }, () => (below(2001) / 1000 - 1) * size)
  return {
    W_enc: [[width, count], numbers(width * count, 0.3)],
    W_dec: [[count, width], numbers(width * count, 0.3)],
    b_enc: [[count], numbers(count, 0.2)],
    b_dec: [[width], numbers(width, 0.1)],
    threshold: [[count], numbers(count, 0.2).map(Math.abs)],
  }
}

/** The configuration of a dictionary for the state after layer 1. */
export const dictionaryConfig = (width, count, more) => ({
  architecture: 'jumprelu',
  d_in: width,
  d_sae: count,
  apply_b_dec_to_input: true,
  normalize_activations: 'none',
  metadata: { hook_name: 'blocks.1.hook_resid_post' },
  ...more,
})

/** Its files. */
export const dictionaryFiles = (config, weights) => [
  new File([JSON.stringify(config)], 'cfg.json'),
  new File([weights], 'sae_weights.safetensors'),
]
