// Random-weight Whisper models of real shapes, written once into the cache folder. Each ends the text of a window after `writtenTokens`
// tokens, so that engines write the same number.
import { existsSync } from 'node:fs'
import { pathOf, writeParts } from './index.mjs'
import { randomBlocks, storedBytes, types } from './types.mjs'
import { madeUpWords, tensorHeader, whisperHeader, whisperTensors } from './whisper-file.mjs'

const english = { vocabulary: 51864, positions: 1500, bands: 80 }
const endToken = 50256

/** Those of the models that know English only. */
export const whispers = {
  tiny: { ...english, width: 384, heads: 6, layers: 4 },
  base: { ...english, width: 512, heads: 8, layers: 6 },
  small: { ...english, width: 768, heads: 12, layers: 12 },
}

/** By format: the number of the file's type, and half a block of the same weight of `sign`, whose size is that of random ones. */
const kinds = {
  q8_0: { ftype: 2007, block: sign => Buffer.from([0x1f, 0x25, ...new Array(32).fill(sign > 0 ? 1 : 255)]) },
  q5_1: { ftype: 2009, block: sign => Buffer.from([0, 0, 0x1f, sign > 0 ? 0x25 : 0xa5, ...new Array(20).fill(0)]) },
}
export const whisperFormats = Object.keys(kinds)

/** Of a window, without the end. */
export const writtenTokens = 110
/** Where the end token is predicted: in a window whose prompt has two tokens, and in one that is told also a mark and the text before. */
const endPositions = [writtenTokens + 1, 2 * writtenTokens + 4]
/** So large that it decides alone what is predicted. */
const large = 64

/** -1 in the first half of a row, 1 in the second. */
const signs = width => Float32Array.from({ length: width }, (_, i) => (i < width / 2 ? -1 : 1))

/** Triangles of equal widths. */
const filtersOf = bands =>
  Float32Array.from({ length: bands * 201 }, (_, i) => {
    const center = ((Math.floor(i / 201) + 1) * 200) / (bands + 1)
    return 0.01 * Math.max(0, 1 - Math.abs((i % 201) - center) / 3)
  })

const typeOf = (role, format) => (role === 'matrix' || role === 'embedding' ? format : role === 'convolution' ? 'f16' : 'f32')

/** The data of a tensor. */
function dataOf({ name, role, sizes }, format) {
  const count = sizes.reduce((product, one) => product * one, 1)
  if (role === 'norm') return Buffer.from(new Float32Array(count).fill(1).buffer)
  const type = typeOf(role, format)
  const data = Buffer.concat([...randomBlocks(type, count / types[type].values, name)])
  const [width] = sizes
  if (name === 'decoder.token_embedding.weight') {
    const blocks = width / types[type].values
    const row = Array.from({ length: blocks }, (_, i) => kinds[format].block(i < blocks / 2 ? -1 : 1))
    Buffer.concat(row).copy(data, endToken * storedBytes(type, width))
  }
  if (name === 'decoder.positional_embedding') {
    const row = Buffer.from(signs(width).map(sign => large * sign).buffer)
    for (const position of endPositions) row.copy(data, position * row.length)
  }
  return data
}

function* partsOf(shape, format) {
  const { ftype } = kinds[format]
  yield whisperHeader({ ...shape, ftype, filters: filtersOf(shape.bands), words: madeUpWords(shape.vocabulary) })
  for (const tensor of whisperTensors(shape)) {
    yield tensorHeader(tensor.name, types[typeOf(tensor.role, format)].code, tensor.sizes)
    yield dataOf(tensor, format)
  }
}

/** The path of a model in the cache folder; writes the file if it is missing. */
export function whisperFile(shapeName, format) {
  const path = pathOf(`whisper-${shapeName}-${format}`, 'bin')
  if (!existsSync(path)) writeParts(path, partsOf(whispers[shapeName], format))
  return path
}

/**
 * MACs of a window: of the encoder's matrices, of its attention, of the keys and values that the decoder makes of its output, and of a
 * token in the decoder.
 */
export function whisperCosts({ vocabulary, positions, width, layers, bands }) {
  const matrices = 12 * width ** 2
  return {
    encoder: positions * (layers * matrices + 3 * width * (2 * bands + width)),
    attention: 2 * layers * positions ** 2 * width,
    crossing: positions * layers * 2 * width ** 2,
    token: layers * (matrices + 2 * width ** 2) + vocabulary * width + 2 * layers * positions * width,
  }
}
