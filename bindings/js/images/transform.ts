// The inverse cosine transform of JPEG's blocks, with the bits of libjpeg's accurate one: Loeffler, Ligtenberg and Moschytz, "Practical
// fast 1-D DCT algorithms with 11 multiplications", ICASSP 1989, in integers of 13 bits.

/** The row-major index of each coefficient of a block, in the order of the file. */
export const zigzag = Uint8Array.of(
  0,
  1,
  8,
  16,
  9,
  2,
  3,
  10,
  17,
  24,
  32,
  25,
  18,
  11,
  4,
  5,
  12,
  19,
  26,
  33,
  40,
  48,
  41,
  34,
  27,
  20,
  13,
  6,
  7,
  14,
  21,
  28,
  35,
  42,
  49,
  56,
  57,
  50,
  43,
  36,
  29,
  22,
  15,
  23,
  30,
  37,
  44,
  51,
  58,
  59,
  52,
  45,
  38,
  31,
  39,
  46,
  53,
  60,
  61,
  54,
  47,
  55,
  62,
  63,
)

const bits = 13
/** Bits of extra precision between the two passes. */
const passBits = 2
const fixed = (value: number) => Math.round(value * (1 << bits))

const [c0298, c0390, c0541, c0765, c0899, c1175] = [0.298631336, 0.390180644, 0.5411961, 0.765366865, 0.899976223, 1.175875602].map(
  fixed,
) as Six
const [c1501, c1847, c1961, c2053, c2562, c3072] = [1.50132111, 1.847759065, 1.96157056, 2.053119869, 2.562915447, 3.072711026].map(
  fixed,
) as Six
type Six = [number, number, number, number, number, number]

const work = new Int32Array(64)

/** Transforms eight values of `work`, `step` apart, in place; the result is scaled by 2^13, then shifted right by `shift` bits. */
function pass(at: number, step: number, shift: number): void {
  const place = (index: number) => at + index * step
  const even = (work[place(2)]! + work[place(6)]!) * c0541
  const [even2, even3] = [even - work[place(6)]! * c1847, even + work[place(2)]! * c0765]
  const [even0, even1] = [(work[place(0)]! + work[place(4)]!) << bits, (work[place(0)]! - work[place(4)]!) << bits]
  const [sum0, sum3, sum1, sum2] = [even0 + even3, even0 - even3, even1 + even2, even1 - even2]
  const [odd0, odd1, odd2, odd3] = [work[place(7)]!, work[place(5)]!, work[place(3)]!, work[place(1)]!]
  const odd = (odd0 + odd2 + odd1 + odd3) * c1175
  const [z1, z2] = [-(odd0 + odd3) * c0899, -(odd1 + odd2) * c2562]
  const [z3, z4] = [odd - (odd0 + odd2) * c1961, odd - (odd1 + odd3) * c0390]
  const [d0, d1, d2, d3] = [odd0 * c0298 + z1 + z3, odd1 * c2053 + z2 + z4, odd2 * c3072 + z2 + z3, odd3 * c1501 + z1 + z4]
  const half = 1 << (shift - 1)
  work[place(0)] = (sum0 + d3 + half) >> shift
  work[place(7)] = (sum0 - d3 + half) >> shift
  work[place(1)] = (sum1 + d2 + half) >> shift
  work[place(6)] = (sum1 - d2 + half) >> shift
  work[place(2)] = (sum2 + d1 + half) >> shift
  work[place(5)] = (sum2 - d1 + half) >> shift
  work[place(3)] = (sum3 + d0 + half) >> shift
  work[place(4)] = (sum3 - d0 + half) >> shift
}

/**
 * Writes the samples of the block at `from` to its place in rows of `columns` blocks. `rowStart`: the index of the first block in
 * its row. `quantization` is in the order of the file.
 */
export function toSamples(
  coefficients: Int16Array,
  from: number,
  quantization: Uint16Array,
  samples: Uint8Array,
  rowStart: number,
  column: number,
  columns: number,
): void {
  let isFlat = true
  for (let k = 0; k < 64; k++) {
    const place = zigzag[k]!
    const value = coefficients[from + place]!
    work[place] = value * quantization[k]!
    if (value !== 0 && k > 0) isFlat = false
  }
  const stride = columns * 8
  let to = rowStart * 64 + column * 8
  if (isFlat) {
    const level = (((work[0]! << passBits) + (1 << (passBits + 2))) >> (passBits + 3)) + 128
    const value = level < 0 ? 0 : level > 255 ? 255 : level
    for (let row = 0; row < 8; row++, to += stride) samples.fill(value, to, to + 8)
    return
  }
  for (let column = 0; column < 8; column++) pass(column, 8, bits - passBits)
  for (let row = 0; row < 8; row++, to += stride) {
    pass(row * 8, 1, bits + passBits + 3)
    for (let x = 0; x < 8; x++) {
      const level = work[row * 8 + x]! + 128
      samples[to + x] = level < 0 ? 0 : level > 255 ? 255 : level
    }
  }
}
