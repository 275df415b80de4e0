// The type of each tensor of a model: one type for all matrices, or one of the mixes of llama.cpp's llama-quantize.
import { types } from './types.mjs'

/** The fallbacks of llama-quantize if the row length is not a multiple of the block size. */
const narrow = {
  q2_k: 'q4_0',
  q3_k: 'q4_0',
  q4_k: 'q5_0',
  q5_k: 'q5_1',
  q6_k: 'q8_0',
  iq4_xs: 'iq4_nl',
  tq1_0: 'q4_0',
  tq2_0: 'q4_0',
  iq2_xxs: 'iq4_nl',
  iq2_xs: 'iq4_nl',
  iq2_s: 'iq4_nl',
  iq3_xxs: 'iq4_nl',
  iq3_s: 'iq4_nl',
  iq1_s: 'iq4_nl',
  iq1_m: 'iq4_nl',
  q1_0: 'q4_0',
  q2_0: 'q4_0',
  nvfp4: 'q4_0',
}

/** The layers to which the _M mixes give more bits: the first eighth, the last eighth, and every third in between. */
const important = (layer, layers) => {
  const eighth = Math.floor(layers / 8)
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2
}
const early = share => (layer, layers) => layer < Math.floor(layers / share)
const always = () => true

/** For each role, a list of [condition, type]: the first whose condition holds applies, else `rest`. */
const mixes = {
  q3_k_s: { rest: 'q3_k' },
  q3_k_m: {
    rest: 'q3_k',
    attn_v: [
      [layer => layer < 2, 'q5_k'],
      [always, 'q4_k'],
    ],
    ffn_down: [
      [early(16), 'q5_k'],
      [always, 'q4_k'],
    ],
    attn_output: [[always, 'q4_k']],
  },
  q3_k_l: {
    rest: 'q3_k',
    attn_v: [[always, 'q5_k']],
    ffn_down: [[always, 'q5_k']],
    attn_output: [[always, 'q5_k']],
  },
  q4_k_s: { rest: 'q4_k', attn_v: [[layer => layer < 4, 'q5_k']], ffn_down: [[early(8), 'q5_k']] },
  q4_k_m: { rest: 'q4_k', attn_v: [[important, 'q6_k']], ffn_down: [[important, 'q6_k']] },
  q5_k_s: { rest: 'q5_k' },
  q5_k_m: { rest: 'q5_k', attn_v: [[important, 'q6_k']], ffn_down: [[important, 'q6_k']] },
}

export const formats = [...Object.keys(types), ...Object.keys(mixes)]

/**
 * The type of a matrix in a file of `format`. `role` is its name without layer and suffix: attn_v, output, ... `head` says
 * whether it is the output head, tied or not, which mixes keep in Q6_K.
 */
export function typeOf(format, { role, layer, layers, columns, head }) {
  const mix = mixes[format]
  const rule = mix?.[role]?.find(([condition]) => condition(layer, layers))
  const wanted = !mix ? format : head ? 'q6_k' : (rule?.[1] ?? mix.rest)
  return columns % types[wanted].values === 0 ? wanted : narrow[wanted]
}
