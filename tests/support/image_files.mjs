// Image files: PNG files of every kind, and JPEG files (jpeg/README.md), with the pixels that they contain.
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { inRoot } from '../../tools/paths.mjs'

const uint32 = value => [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255]

/** A chunk of a PNG file. */
export function chunk(type, body = []) {
  const content = Buffer.from([...Buffer.from(type), ...body])
  return Buffer.from([...uint32(body.length), ...content, ...uint32(crc32(content))])
}

/** The chunks of a PNG file as a file. */
export const pngOf = (...chunks) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])

export const header = ({ width, height, depth, color, interlaced = false }) =>
  chunk('IHDR', [...uint32(width), ...uint32(height), depth, color, 0, 0, Number(interlaced)])

const samplesOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

const adam7 = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]]

/** What a filter subtracts from a byte, by the bytes to the left, above, and above to the left. */
const predictions = [
  () => 0, left => left, (_, up) => up, (left, up) => Math.floor((left + up) / 2),
  (left, up, corner) => [left, up, corner].reduce((best, one) => {
    const distance = value => Math.abs(left + up - corner - value)
    return distance(one) < distance(best) ? one : best
  }),
]

/** Rows of samples, packed, each after a filter's number; the filters take turns. */
function filtered(rows, depth, samples) {
  const near = Math.max(1, samples * depth / 8)
  const packed = rows.map(row => {
    const bits = row.map(value => value.toString(2).padStart(depth, '0')).join('')
    return bits.match(/.{1,8}/g).map(byte => Number.parseInt(byte.padEnd(8, '0'), 2))
  })
  return packed.flatMap((row, y) => {
    const filter = y % 5
    const at = (row, x) => x < 0 ? 0 : row?.[x] ?? 0
    return [filter, ...row.map((byte, x) =>
      byte - predictions[filter](at(row, x - near), at(packed[y - 1], x), at(packed[y - 1], x - near)) & 255)]
  })
}

/** A PNG file; `sample(x, y, part)` gives its samples, `extra` are chunks before the pixels. */
export function pngFile({ width, height, depth, color, interlaced = false, sample, extra = [] }) {
  const samples = samplesOf[color]
  const passes = interlaced ? adam7 : [[0, 0, 1, 1]]
  const data = passes.flatMap(([left, top, right, down]) => {
    const rows = []
    for (let y = top; y < height; y += down) {
      const row = []
      for (let x = left; x < width; x += right) for (let part = 0; part < samples; part++) row.push(sample(x, y, part))
      if (row.length > 0) rows.push(row)
    }
    return filtered(rows, depth, samples)
  })
  const compressed = deflateSync(Buffer.from(data))
  const half = compressed.length >> 1  // in two chunks, as large files have
  return pngOf(header({ width, height, depth, color, interlaced }), ...extra, chunk('IDAT', compressed.subarray(0, half)),
    chunk('IDAT', compressed.subarray(half)), chunk('IEND'))
}

/** A PNG file of these pixels. */
export const pngFrom = ({ width, height, data }) =>
  pngFile({ width, height, depth: 8, color: 6, sample: (x, y, part) => data[(y * width + x) * 4 + part] })

/** A PNG file of each kind, by name, with its pixels: { file, pixels }. */
export function everyPng(width = 13, height = 11) {
  const made = {}
  for (const [color, depths] of Object.entries({ 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] })) {
    for (const depth of depths) {
      for (const interlaced of [false, true]) {
        const most = 2 ** depth - 1
        const colors = Math.min(most + 1, 200)
        const sample = (x, y, part) => (x * 7919 + y * 104_729 + part * 31_337) % (color === '3' ? colors : most + 1)
        const byte = value => depth === 16 ? value >> 8 : value * 255 / most
        const palette = Array.from({ length: colors }, (_, index) => [index * 37 % 256, index * 59 % 256, 255 - index])
        const pixel = {
          0: (x, y) => [0, 0, 0].map(() => byte(sample(x, y, 0))).concat(255),
          2: (x, y) => [0, 1, 2].map(part => byte(sample(x, y, part))).concat(255),
          3: (x, y) => [...palette[sample(x, y, 0)], 255],
          4: (x, y) => [0, 0, 0, 1].map(part => byte(sample(x, y, part))),
          6: (x, y) => [0, 1, 2, 3].map(part => byte(sample(x, y, part))),
        }[color]
        const data = Array.from({ length: width * height }, (_, at) => pixel(at % width, Math.floor(at / width))).flat()
        made[`color ${color} of ${depth} bits${interlaced ? ', interlaced' : ''}`] = {
          file: pngFile({
            width, height, depth, color: Number(color), interlaced, sample, extra: color === '3' ? [chunk('PLTE', palette.flat())] : [],
          }),
          pixels: { width, height, data: Uint8Array.from(data) },
        }
      }
    }
  }
  return made
}

export const jpegNames = ['baseline', 'progressive', 'gray', 'restarts', 'rgb']
export const jpegFile = name => readFileSync(inRoot(`tests/support/jpeg/${name}.jpg`))

/** The pixels of a JPEG file, as djpeg reads them. */
export function jpegPixels(name) {
  const [width, height] = [37, 27]
  const samples = readFileSync(inRoot(`tests/support/jpeg/${name}.rgb`))
  const parts = samples.length / (width * height)
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : samples[Math.floor(at / 4) * parts + (parts === 1 ? 0 : at % 4)])
  return { width, height, data }
}

/** A JPEG file with a note of how the camera was held, from 1 to 8, as little- or big-endian Exif. */
export function oriented(file, orientation, little = true) {
  const order = bytes => little ? bytes : bytes.toReversed()
  const tiff = [
    ...Buffer.from(little ? 'II' : 'MM'), ...order([42, 0]), ...order([8, 0, 0, 0]), ...order([1, 0]),
    ...order([0x12, 1]), ...order([3, 0]), ...order([1, 0, 0, 0]), ...order([orientation, 0]), 0, 0, 0, 0, 0, 0,
  ]
  const body = [...Buffer.from('Exif\0\0'), ...tiff]
  return Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, body.length + 2, ...body]), file.subarray(2)])
}
