// Small Whisper models in whisper.cpp's format, with weights that do not depend on the machine; and sounds for them.
import { madeUpWords, tensorHeader, whisperHeader, whisperTensors } from '../../tools/bench/models/whisper-file.mjs'

export { chirp, wavFile } from '../../tools/sounds.mjs'

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

/** The size of the numbers in a tensor, and their mean. */
const ranges = {
  matrix: [0.5, 0],
  embedding: [0.5, 0],
  convolution: [0.3, 0],
  positions: [0.1, 0],
  norm: [0.1, 1],
  bias: [0.1, 0],
}

/** `vocabulary`: 51864 for English alone, 51865 or 51866 for many languages. */
export function whisperModel({ vocabulary = 51864, positions = 1500, width = 16, heads = 2, layers = 1, bands = 8, words } = {}) {
  const shape = { vocabulary, positions, width, heads, layers, bands }
  const filters = Float32Array.from({ length: bands * 201 }, (_, i) =>
    Math.floor((i % 201) / 25) === Math.floor(i / 201) ? 0.02 : 0,
  )
  const parts = whisperTensors(shape).flatMap(({ name, role, sizes }, seed) => {
    const count = sizes.reduce((product, one) => product * one, 1)
    return [tensorHeader(name, 0, sizes), Buffer.from(wave(count, seed, ...ranges[role]).buffer)]
  })
  return new Uint8Array(Buffer.concat([whisperHeader({ ...shape, filters, words: words ?? madeUpWords(vocabulary) }), ...parts]))
}
