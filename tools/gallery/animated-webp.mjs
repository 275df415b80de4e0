// Animated WebP: frames, each a WebP file by itself, in one file. https://developers.google.com/speed/webp/docs/riff_container

/** The chunks of a WebP file: [name, content]. */
function* chunksOf(file) {
  for (let at = 12; at < file.length; ) {
    const size = file.readUInt32LE(at + 4)
    yield [file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + size)]
    at += 8 + size + (size % 2)
  }
}

function chunk(name, content) {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

const u24 = value => Buffer.from([value & 255, (value >> 8) & 255, value >> 16])

/** Width and height of a lossy frame, which stand in its bit stream. */
const sizeOf = bits => [bits.readUInt16LE(6) & 0x3fff, bits.readUInt16LE(8) & 0x3fff]

/** The file of `frames`, {image, ms}: all of one size, lossy and opaque, as Chromium's screenshots are. It is shown again and again. */
export function animated(frames) {
  const bits = frames.map(({ image }) => [...chunksOf(image)].find(([name]) => name === 'VP8 ')?.[1])
  if (bits.includes(undefined)) throw new Error('a frame is not lossy WebP')
  const [width, height] = sizeOf(bits[0])
  const canvas = Buffer.concat([u24(width - 1), u24(height - 1)])
  const shown = frames.map(({ ms }, at) =>
    chunk('ANMF', Buffer.concat([u24(0), u24(0), canvas, u24(Math.round(ms)), Buffer.from([2]), chunk('VP8 ', bits[at])])),
  )
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), canvas])),
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...shown,
  ])
  return chunk('RIFF', body)
}
