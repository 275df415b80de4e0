// A WebAssembly module that takes blocks of 64 bytes into a SHA-256 sum, written out here: its 64 rounds follow each other
// without a loop, all that they compute with stays in locals, and the message schedule is in vectors. https://csrc.nist.gov/pubs/fips/180-4/upd1/final
// Export `memory`: the state at 0, eight words; what is to be read anywhere behind. Export `blocks(start, end)`.

/** The first 32 bits of the fractional parts of the roots of primes. */
function fractions(count: number, degree: bigint): number[] {
  const found: number[] = []
  const isPrime = (value: number) => Array.from({ length: value - 2 }, (_, i) => i + 2).every(divisor => value % divisor > 0)
  for (let value = 2; found.length < count; value++) if (isPrime(value)) found.push(Number(BigInt.asUintN(32, root(BigInt(value), degree))))
  return found
}

/** The root, times 2^32, rounded down. */
function root(value: bigint, degree: bigint): bigint {
  let found = 0n
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((found + bit) ** degree <= value << 32n * degree) found += bit
  return found
}

export const startState = () => Uint32Array.from(fractions(8, 2n))

/** LEB128, of a number below 2^31 or, signed, of 32 bits. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [value & 127 | 128, ...signed(value >> 7)]
}

type Code = number[]
const get = (local: number): Code => [0x20, local]
const set = (local: number): Code => [0x21, local]
const tee = (local: number): Code => [0x22, local]
const constant = (value: number): Code => [0x41, ...signed(value | 0)]
const add = 0x6a, and = 0x71, xor = 0x73, rotateRight = 0x78
const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)]
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)]

// Vectors of four words; `shuffled` takes bytes of two, numbered from 0 to 31.
const simd = (code: number): Code => [0xfd, ...unsigned(code)]
const addWords = simd(0xae), xorWords = simd(0x51)
const loadVector = (offset: number): Code => [...simd(0x00), 0, ...unsigned(offset)]
const vector = (words: readonly number[]): Code => [...simd(0x0c), ...new Uint8Array(Uint32Array.from(words).buffer)]
const shuffled = (bytes: readonly number[]): Code => [...simd(0x0d), ...bytes]
const wordsFrom = (first: number): Code => shuffled(Array.from({ length: 16 }, (_, byte) => 4 * first + byte))
const swapBytes = shuffled([0, 4, 8, 12].flatMap(word => [word + 3, word + 2, word + 1, word]))
const lane = (index: number): Code => [...simd(0x1b), index]

// Locals: the two parameters; the letters a to h; what is only needed for a moment. Vectors: the last 16 words of the message
// schedule; four of them with their keys; two that are only needed for a moment.
const start = 0, end = 1, letters = 2, sum = 10, before = 11, mixed = 12, words = 13, keyed = 17, next = 18, part = 19

/** For four rounds, the words with their keys; and the words of sixteen rounds later, in their place. */
function schedule(round: number, keys: readonly number[]): Code {
  const [first, second, third, fourth] = [0, 1, 2, 3].map(index => words + (round / 4 + index) % 4) as [number, number, number, number]
  const now = [...get(first), ...vector(keys.slice(round, round + 4)), ...addWords, ...set(keyed)]
  if (round >= 48) return now
  const zero = vector([0, 0, 0, 0])
  const addLater = [...get(next), ...sigma([17, 19], 10), ...addWords]
  return [
    ...now,
    ...get(first), ...get(second), ...wordsFrom(1), ...set(part),
    ...get(first), ...sigma([7, 18], 3), ...addWords,
    ...get(third), ...get(fourth), ...wordsFrom(1), ...addWords, ...set(next),
    // Two of the new words come from the last two, and the others from these.
    ...get(fourth), ...zero, ...wordsFrom(2), ...set(part), ...addLater, ...set(next),
    ...zero, ...get(next), ...wordsFrom(2), ...set(part), ...addLater, ...set(first),
  ]
}

/** Of the words in `part`: two rotations and a shift, put together. */
const sigma = (rotations: readonly number[], shift: number): Code => [
  ...shifted(shift, 'right'), ...rotations.flatMap(bits => [
    ...shifted(bits, 'right'), ...xorWords, ...shifted(32 - bits, 'left'), ...xorWords,
  ]),
]
const shifted = (bits: number, to: 'left' | 'right'): Code => [...get(part), ...constant(bits), ...simd(to === 'left' ? 0xab : 0xad)]

/** Three rotations of a word, put together. */
const rotations = (local: number, bits: readonly number[]): Code =>
  bits.flatMap((count, index) => [...get(local), ...constant(count), rotateRight, ...index > 0 ? [xor] : []])

/** Letters change their places by their names only. The majority of three is b ^ ((a ^ b) & (b ^ c)); b ^ c is the last round's a ^ b. */
function round(index: number): Code {
  const [a, b, , d, e, f, g, h] = Array.from({ length: 8 }, (_, letter) => letters + (letter + 64 - index) % 8) as [
    number, number, number, number, number, number, number, number]
  return [
    ...get(h), ...get(keyed), ...lane(index % 4), add,
    ...get(g), ...get(e), ...get(f), ...get(g), xor, and, xor, add,
    ...rotations(e, [6, 11, 25]), add, ...set(sum),
    ...get(d), ...get(sum), add, ...set(d),
    ...get(sum), ...rotations(a, [2, 13, 22]), add,
    ...get(b), ...get(a), ...get(b), xor, ...tee(mixed), ...get(before), and, xor, add, ...set(h),
    ...get(mixed), ...set(before),
  ]
}

function body(): Code {
  const eight = Array.from({ length: 8 }, (_, index) => index)
  const keys = fractions(64, 3n)
  return [
    ...eight.flatMap(index => [...constant(0), ...load(4 * index), ...set(letters + index)]),
    0x03, 0x40,  // loop
    ...[0, 1, 2, 3].flatMap(four => [
      ...get(start), ...loadVector(16 * four), ...tee(part), ...get(part), ...swapBytes, ...set(words + four),
    ]),
    ...get(letters + 1), ...get(letters + 2), xor, ...set(before),
    ...keys.flatMap((_, index) => [...index % 4 === 0 ? schedule(index, keys) : [], ...round(index)]),
    ...eight.flatMap(index => [
      ...constant(0), ...constant(0), ...load(4 * index), ...get(letters + index), add, ...tee(letters + index), ...store(4 * index),
    ]),
    ...get(start), ...constant(64), add, ...tee(start), ...get(end), 0x49, 0x0d, 0,  // once more, if start < end
    0x0b, 0x0b,
  ]
}

/** `pages`: of 64 KiB, what the memory has. */
export function sha256Module(pages: number): Uint8Array<ArrayBuffer> {
  const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]
  const name = (text: string): Code => [text.length, ...new TextEncoder().encode(text)]
  const i32 = 0x7f, v128 = 0x7b
  const code = [2, mixed - letters + 1, i32, part - words + 1, v128, ...body()]
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 2, i32, i32, 0]),                                 // type: (i32, i32) -> ()
    ...section(3, [1, 0]),                                                    // a function of that type
    ...section(5, [1, 0, pages]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('blocks'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}
