// The types in which weights are stored, and random blocks of them. Layouts: ggml's ggml-common.h.
import { createCipheriv, createHash } from 'node:crypto'
import { readTypes } from '../../tensor-types.mjs'

/** Floats: their bytes are random only in the sign. */
const floats = ['f32', 'f16', 'bf16']
/**
 * Bytes that keep random blocks in a sensible range: pairs of an offset and the byte to store there, the high byte of a scale
 * (sign, exponent, two bits of mantissa), so that the weights' standard deviation is about 0.02.
 */
const fixedBytes = {
  f32: [[3, 0x3c]],
  f16: [[1, 0x24]],
  bf16: [[1, 0x3c]],
  q8_0: [[1, 0x0c]],
  q4_0: [[1, 0x1c]],
  q4_1: [
    [1, 0x1c],
    [3, 0xa8],
  ],
  q5_0: [[1, 0x18]],
  q5_1: [
    [1, 0x18],
    [3, 0xa8],
  ],
  q2_k: [
    [81, 0x14],
    [83, 0x16],
  ],
  q3_k: [[109, 0x0c]],
  q4_k: [
    [1, 0x06],
    [3, 0x12],
  ],
  q5_k: [
    [1, 0x03],
    [3, 0x12],
  ],
  q6_k: [[209, 0x01]],
  iq4_nl: [[1, 0x0c]],
  iq4_xs: [[1, 0x01]],
  mxfp4: [[0, 0x77]],
  tq1_0: [[53, 0x26]],
  tq2_0: [[65, 0x26]],
  iq2_xxs: [[1, 0x0e]],
  iq2_xs: [[1, 0x0e]],
  iq2_s: [[1, 0x0e]],
  iq3_xxs: [[1, 0x0a]],
  iq3_s: [[1, 0x0a]],
  iq1_s: [[1, 0x1c]],
  iq1_m: [
    [53, 0xc4],
    [55, 0x14],
  ],
  q1_0: [[1, 0x25]],
  q2_0: [[1, 0x24]],
  nvfp4: [
    [0, 4],
    [1, 4],
    [2, 4],
    [3, 4],
  ],
}

/** By name: the number in GGUF, the values and bytes of a block, and the function that makes random ones. */
export const types = Object.fromEntries(
  readTypes().map(({ name: upperCase, ...sizes }) => {
    const name = upperCase.toLowerCase()
    return [name, { ...sizes, fixed: fixedBytes[name], signed: floats.includes(name) }]
  }),
)

/** Bytes of `values` weights stored as `name`. */
export const storedBytes = (name, values) => (values / types[name].values) * types[name].bytes

const chunkBytes = 16 * 2 ** 20

/** Random bytes, the same on every machine for the same `seed`, a string: a function that returns the next `count` of them. */
export function randomBytes(seed) {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16))
  return count => stream.update(Buffer.alloc(count))
}

/** `count` random blocks of a type, as buffers; the same on every machine for the same `seed`, a string. */
export function* randomBlocks(name, count, seed) {
  const { bytes, fixed, signed } = types[name]
  const next = randomBytes(seed)
  const atOnce = Math.floor(chunkBytes / bytes)
  const kept = signed ? 0x80 : 0
  for (let done = 0; done < count; done += atOnce) {
    const blocks = next(Math.min(count - done, atOnce) * bytes)
    for (const [offset, byte] of fixed) {
      for (let at = offset; at < blocks.length; at += bytes) blocks[at] = (blocks[at] & kept) | byte
    }
    yield blocks
  }
}
