// What an engine answers where relaxed SIMD leaves a choice. Sent to pages as source.

/**
 * Resolves to undefined without relaxed SIMD, or to the answers:
 * - dot, pairs: of i32x4.relaxed_dot_i8x16_i7x16_add_s and i16x8.relaxed_dot_i8x16_i7x16_s, for second operands with their top bit set: `signed`,
 *   `unsigned`, `saturating` (unsigned) or the numbers
 * - swizzle: of i8x16.relaxed_swizzle, for indices from 16 to 127: `zero`, `modulo` or the numbers
 * - isExact: whether all three are exact where the specification leaves no choice
 * - isSteady: whether all answers are the same after 10,000 calls, and in a loop
 */
export function relaxedAnswers() {
  const hex =
    '0061736d 01000000 01 05 01 60 01 7f 00 03 02 01 00 05 03 01 00 01 07 09 02 01 6d 02 00 01 66 00 00 0a 68 01 66 00 03 40 ' +
    '41 30 41 00 fd 00 04 00 41 00 fd 00 04 10 41 00 fd 00 04 30 fd 93 02 fd 0b 04 00 ' +
    '41 c0 00 41 00 fd 00 04 00 41 00 fd 00 04 10 fd 92 02 41 00 fd 00 04 40 fd 8e 01 fd 0b 04 00 ' +
    '41 d0 00 41 00 fd 00 04 00 41 00 fd 00 04 20 fd 80 02 41 00 fd 00 04 50 fd 6e fd 0b 04 00 ' +
    '20 00 41 01 6b 22 00 0d 00 0b 0b'
  const bytes = Uint8Array.from(hex.match(/\w\w/g), byte => parseInt(byte, 16))
  if (!WebAssembly.validate(bytes)) return undefined
  const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
  const memory = new Int8Array(m.buffer)
  const lanes = (Type, at, count) => Array.from(new Type(m.buffer, at, count))

  /** Calls it once, with the vectors that a number makes, or so many times in a loop. */
  function answer(number, { second = 255, index = 15, times = 1 }) {
    for (let i = 0; i < 16; i++) {
      memory[i] = ((i * 83 + number * 29) % 255) - 127
      memory[i + 16] = (i * 73 + number * 57) & second
      memory[i + 32] = (i * 7 + number) & index
    }
    memory.fill(0, 48, 96)
    f(times)
    return { dot: lanes(Int32Array, 48, 4), pairs: lanes(Int16Array, 64, 8), swizzle: lanes(Int8Array, 80, 16) }
  }
  const first = lanes.bind(undefined, Int8Array, 0, 16)
  /** What a machine would answer that holds sums of two products to `limit`, and reads second operands as `Type`. */
  function expected(Type, limit, times) {
    const second = lanes(Type, 16, 16)
    const pairs = Array.from({ length: 8 }, (_, i) => {
      const sum = first()[2 * i] * second[2 * i] + first()[2 * i + 1] * second[2 * i + 1]
      return Math.max(-limit - 1, Math.min(limit, sum))
    })
    return {
      dot: Array.from({ length: 4 }, (_, i) => (times * (pairs[2 * i] + pairs[2 * i + 1])) | 0),
      pairs: pairs.map(pair => ((times * pair) << 16) >> 16),
    }
  }
  const machines = { signed: [Int8Array, 2 ** 30], unsigned: [Uint8Array, 2 ** 30], saturating: [Uint8Array, 32767] }
  const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b)

  const numbers = Array.from({ length: 50 }, (_, number) => number)
  /** Of all numbers, what the answers are those of. */
  function kind(what, options) {
    const found = Object.entries(machines)
      .filter(([, machine]) =>
        numbers.every(number => isSame(answer(number, options)[what], expected(...machine, options.times ?? 1)[what])),
      )
      .map(([name]) => name)
    return found.join(' and ') || JSON.stringify(answer(1, options)[what])
  }
  function swizzle(options) {
    const isEvery = value =>
      numbers.every(number => {
        const { swizzle } = answer(number, { ...options, index: 127 })
        const indices = lanes(Uint8Array, 32, 16)
        return swizzle.every(
          (byte, i) => byte === (((options.times ?? 1) * (indices[i] < 16 ? first()[indices[i]] : value(indices[i]))) << 24) >> 24,
        )
      })
    if (isEvery(() => 0)) return 'zero'
    return isEvery(index => first()[index & 15]) ? 'modulo' : JSON.stringify(answer(1, { ...options, index: 127 }).swizzle)
  }
  const look = options => ({ dot: kind('dot', options), pairs: kind('pairs', options), swizzle: swizzle(options) })
  const isExact = options =>
    ['dot', 'pairs'].every(what => kind(what, { ...options, second: 127 }) === 'signed and unsigned and saturating') &&
    numbers.every(number => {
      const { swizzle } = answer(number, options)
      return swizzle.every((byte, i) => byte === (((options.times ?? 1) * first()[lanes(Uint8Array, 32, 16)[i]]) << 24) >> 24)
    })

  const answers = look({})
  const wasExact = isExact({})
  for (let call = 0; call < 10_000; call++) answer(call, {})
  return {
    ...answers,
    isExact: wasExact && isExact({}) && isExact({ times: 10_000 }),
    isSteady: isSame(answers, look({})) && isSame(answers, look({ times: 10_000 })),
  }
}

/** Whether there is shared memory with 64-bit addresses. */
export function hasMemory64() {
  try {
    return new WebAssembly.Memory({ address: 'i64', initial: 1n, maximum: 1n, shared: true }).buffer.byteLength > 0
  } catch {
    return false
  }
}
