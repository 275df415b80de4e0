// The files of models/tiny, for the tests of these models.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { inRoot } from '../../tools/paths.mjs'

export const inTiny = file => inRoot('models/tiny', file)

/** The pixels of a PNG file as scenes.py writes it: one chunk of data, three bytes per pixel, no filters. */
export function drawn(file) {
  const bytes = readFileSync(inTiny(file))
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const begin = bytes.indexOf('IDAT') + 4
  const lines = inflateSync(bytes.subarray(begin, begin + bytes.readUInt32BE(begin - 8)))
  assert.equal(lines.length, height * (1 + 3 * width))
  const data = new Uint8Array(4 * width * height).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + 3 * width) + 1 + 3 * x
      data.set(lines.subarray(at, at + 3), 4 * (y * width + x))
    }
  }
  return { width, height, data }
}
