// Small Whisper models in whisper.cpp's format, with weights that do not depend on the machine; and sounds for them.

const bytesOf = (...values) => Buffer.from(Uint32Array.from(values).buffer)

/** Numbers around `mean`, different for each tensor. */
function wave(count, seed, size, mean) {
  const values = new Float32Array(count)
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    values[i] = mean + size * (state / 2 ** 31 - 1)
  }
  return values
}

/** All bytes; then as many words as there is room for. */
const defaultWords = last => [
  ...Array.from({ length: 255 }, (_, byte) => Buffer.from([byte + 1])),
  ...Array.from({ length: last - 255 }, (_, index) => Buffer.from(` w${index}`)),
]

/** `vocabulary`: 51864 for English alone, 51865 or 51866 for many languages. */
export function whisperModel({ vocabulary = 51864, positions = 1500, width = 16, heads = 2, layers = 1, bands = 8, words } = {}) {
  const list = words ?? defaultWords(vocabulary > 51864 ? 50257 : 50256)
  const filters = Float32Array.from({ length: bands * 201 }, (_, i) =>
    Math.floor((i % 201) / 25) === Math.floor(i / 201) ? 0.02 : 0,
  )
  const parts = [
    bytesOf(0x67676d6c, vocabulary, positions, width, heads, layers, 448, width, heads, layers, bands, 0, bands, 201),
    Buffer.from(filters.buffer),
    bytesOf(list.length),
    ...list.flatMap(word => [bytesOf(word.length), word]),
  ]
  let seed = 0
  /** `sizes`: the fastest axis first. */
  const add = (name, sizes, size, mean = 0) => {
    const values = wave(
      sizes.reduce((product, one) => product * one, 1),
      seed++,
      size,
      mean,
    )
    parts.push(bytesOf(sizes.length, name.length, 0, ...sizes), Buffer.from(name), Buffer.from(values.buffer))
  }
  const norm = name => {
    add(`${name}.weight`, [width], 0.1, 1)
    add(`${name}.bias`, [width], 0.1)
  }
  const linear = (name, rows, columns, isBiased = true) => {
    add(`${name}.weight`, [columns, rows], 0.5)
    if (isBiased) add(`${name}.bias`, [rows], 0.1)
  }
  const attention = name => {
    for (const part of ['query', 'key', 'value', 'out']) linear(`${name}.${part}`, width, width, part !== 'key')
    norm(`${name}_ln`)
  }
  const blocks = (of, kinds) => {
    for (let layer = 0; layer < layers; layer++) {
      const name = `${of}.blocks.${layer}.`
      for (const kind of kinds) attention(name + kind)
      linear(`${name}mlp.0`, 4 * width, width)
      linear(`${name}mlp.2`, width, 4 * width)
      norm(`${name}mlp_ln`)
    }
  }
  add('decoder.positional_embedding', [width, 448], 0.1)
  add('encoder.positional_embedding', [width, positions], 0.1)
  add('decoder.token_embedding.weight', [width, vocabulary], 0.5)
  blocks('decoder', ['attn', 'cross_attn'])
  norm('decoder.ln')
  add('encoder.conv1.weight', [3, bands, width], 0.3)
  add('encoder.conv1.bias', [1, width], 0.1)
  add('encoder.conv2.weight', [3, width, width], 0.3)
  add('encoder.conv2.bias', [1, width], 0.1)
  blocks('encoder', ['attn'])
  norm('encoder.ln_post')
  return new Uint8Array(Buffer.concat(parts))
}

/** A tone that rises. */
export const chirp = (seconds, rate = 16_000) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => 0.5 * Math.sin(2000 * (i / rate) + 900 * (i / rate) ** 2))

/** A WAV file of samples of 16 bits. */
export function wavFile(samples, { rate = 16_000, channels = 1 } = {}) {
  const data = Int16Array.from(samples, sample => Math.round(Math.max(-1, Math.min(1, sample)) * 32767))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.byteLength, 4)
  header.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * channels * 2],
    [40, data.byteLength],
  ])
    header.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, channels],
    [32, channels * 2],
    [34, 16],
  ])
    header.writeUInt16LE(value, at)
  header.write('data', 36)
  return new Uint8Array(Buffer.concat([header, Buffer.from(data.buffer)]))
}
