// The types in which weights are stored, and random blocks of them. Layouts: ggml's ggml-common.h.
import { createCipheriv, createHash } from 'node:crypto'

/**
 * A block of `values` values takes `bytes` bytes. `fixed` keeps random blocks in a sensible range: pairs of an offset and the
 * byte to store there, the high byte of a scale (sign, exponent, two bits of mantissa), so that the weights' standard
 * deviation is about 0.02. `signed`: the sign stays random, for plain floats.
 */
const type = (code, values, bytes, fixed, signed = false) => ({ code, values, bytes, fixed, signed })

export const types = {
  f32: type(0, 1, 4, [[3, 0x3c]], true),
  f16: type(1, 1, 2, [[1, 0x24]], true),
  bf16: type(30, 1, 2, [[1, 0x3c]], true),
  q8_0: type(8, 32, 34, [[1, 0x0c]]),
  q4_0: type(2, 32, 18, [[1, 0x1c]]),
  q4_1: type(3, 32, 20, [[1, 0x1c], [3, 0xa8]]),
  q5_0: type(6, 32, 22, [[1, 0x18]]),
  q5_1: type(7, 32, 24, [[1, 0x18], [3, 0xa8]]),
  q2_k: type(10, 256, 84, [[81, 0x14], [83, 0x16]]),
  q3_k: type(11, 256, 110, [[109, 0x0c]]),
  q4_k: type(12, 256, 144, [[1, 0x06], [3, 0x12]]),
  q5_k: type(13, 256, 176, [[1, 0x03], [3, 0x12]]),
  q6_k: type(14, 256, 210, [[209, 0x01]]),
  iq4_nl: type(20, 32, 18, [[1, 0x0c]]),
  iq4_xs: type(23, 256, 136, [[1, 0x01]]),
  mxfp4: type(39, 32, 17, [[0, 0x77]]),
  tq1_0: type(34, 256, 54, [[53, 0x26]]),
  tq2_0: type(35, 256, 66, [[65, 0x26]]),
  iq2_xxs: type(16, 256, 66, [[1, 0x0e]]),
  iq2_xs: type(17, 256, 74, [[1, 0x0e]]),
  iq2_s: type(22, 256, 82, [[1, 0x0e]]),
  iq3_xxs: type(18, 256, 98, [[1, 0x0a]]),
  iq3_s: type(21, 256, 110, [[1, 0x0a]]),
  iq1_s: type(19, 256, 50, [[1, 0x1c]]),
  iq1_m: type(29, 256, 56, [[53, 0xc4], [55, 0x14]]),
  q1_0: type(41, 128, 18, [[1, 0x25]]),
  q2_0: type(42, 64, 18, [[1, 0x24]]),
  nvfp4: type(40, 64, 36, [[0, 4], [1, 4], [2, 4], [3, 4]]),
}

/** Bytes of `values` weights stored as `name`. */
export const storedBytes = (name, values) => values / types[name].values * types[name].bytes

const chunkBytes = 16 * 2 ** 20

/** `count` random blocks of a type, as buffers; the same on every machine for the same `seed`, a string. */
export function* randomBlocks(name, count, seed) {
  const { bytes, fixed, signed } = types[name]
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16))
  const atOnce = Math.floor(chunkBytes / bytes)
  const zeros = Buffer.alloc(Math.min(count, atOnce) * bytes)
  const kept = signed ? 0x80 : 0
  for (let done = 0; done < count; done += atOnce) {
    const blocks = stream.update(zeros.subarray(0, Math.min(count - done, atOnce) * bytes))
    for (const [offset, byte] of fixed) {
      for (let at = offset; at < blocks.length; at += bytes) blocks[at] = blocks[at] & kept | byte
    }
    yield blocks
  }
}
