// The parts of a file in whisper.cpp's format: a header with the vocabulary, then the tensors, each after its own description.
// https://github.com/ggml-org/whisper.cpp/blob/master/models/README.md

const bins = 201 // of the spectrum
export const contextLength = 448

export const i32s = (...values) => Buffer.from(Int32Array.from(values).buffer)

/** All bytes; then as many words as there is room for, which real files have before the end token. */
export const madeUpWords = vocabulary => [
  ...Array.from({ length: 255 }, (_, byte) => Buffer.from([byte + 1])),
  ...Array.from({ length: (vocabulary > 51864 ? 50257 : 50256) - 255 }, (_, index) => Buffer.from(` w${index}`)),
]

/**
 * A header. `ftype`: ggml's number of the file's type; `filters`: bands x 201, of the spectrogram; `words`: of the tokens, as buffers.
 */
export const whisperHeader = ({ vocabulary, positions, width, heads, layers, bands, ftype = 0, filters, words }) =>
  Buffer.concat([
    i32s(0x67676d6c, vocabulary, positions, width, heads, layers, contextLength, width, heads, layers, bands, ftype, bands, bins),
    Buffer.from(filters.buffer),
    i32s(words.length),
    ...words.flatMap(word => [i32s(word.length), word]),
  ])

/** What precedes the data of a tensor. `code`: of its type; `sizes`: the fastest axis first. */
export const tensorHeader = (name, code, sizes) =>
  Buffer.concat([i32s(sizes.length, name.length, code, ...sizes), Buffer.from(name)])

/**
 * The tensors of a model in the order of the format, {name, role, sizes}: the fastest axis first. `role`: matrix, embedding (of
 * tokens), convolution, positions, norm or bias; only the first two are quantized.
 */
export function whisperTensors({ vocabulary, positions, width, layers, bands }) {
  const tensors = []
  const add = (name, role, ...sizes) => tensors.push({ name, role, sizes })
  const norm = name => {
    add(`${name}.weight`, 'norm', width)
    add(`${name}.bias`, 'bias', width)
  }
  const linear = (name, rows, columns, isBiased = true) => {
    add(`${name}.weight`, 'matrix', columns, rows)
    if (isBiased) add(`${name}.bias`, 'bias', rows)
  }
  const convolution = (name, channels) => {
    add(`${name}.weight`, 'convolution', 3, channels, width)
    add(`${name}.bias`, 'bias', 1, width)
  }
  const blocks = (of, kinds) => {
    for (let layer = 0; layer < layers; layer++) {
      const name = `${of}.blocks.${layer}.`
      for (const kind of kinds) {
        for (const part of ['query', 'key', 'value', 'out']) linear(`${name}${kind}.${part}`, width, width, part !== 'key')
        norm(`${name}${kind}_ln`)
      }
      linear(`${name}mlp.0`, 4 * width, width)
      linear(`${name}mlp.2`, width, 4 * width)
      norm(`${name}mlp_ln`)
    }
  }
  add('decoder.positional_embedding', 'positions', width, contextLength)
  add('encoder.positional_embedding', 'positions', width, positions)
  add('decoder.token_embedding.weight', 'embedding', width, vocabulary)
  blocks('decoder', ['attn', 'cross_attn'])
  norm('decoder.ln')
  convolution('encoder.conv1', bands)
  convolution('encoder.conv2', width)
  blocks('encoder', ['attn'])
  norm('encoder.ln_post')
  return tensors
}
