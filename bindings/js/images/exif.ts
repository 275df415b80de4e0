// The orientation in a camera's Exif data (version 2.3, tag 274), in a segment of a JPEG file or a chunk of a PNG file; and the
// rotation of pixels by it.
import type { Pixels } from '../types/index.js'

const orientationTag = 0x112

/** The orientation, from 1 to 8; 1 (upright) if there is none or the bytes are damaged. `tiff` begins with the byte order. */
export function orientationIn(tiff: Uint8Array): number {
  if (tiff.length < 8) return 1
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const isLittle = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, isLittle)
  if (directory + 2 > tiff.length) return 1
  const entries = view.getUint16(directory, isLittle)
  for (let at = directory + 2, index = 0; index < entries && at + 12 <= tiff.length; at += 12, index++) {
    if (view.getUint16(at, isLittle) !== orientationTag) continue
    const orientation = view.getUint16(at + 8, isLittle)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** The pixels, rotated and mirrored to be upright. */
export function turned({ width, height, data }: Pixels, orientation: number): Pixels {
  if (orientation === 1) return { width, height, data }
  const isTransposed = orientation >= 5
  const isMirrored = [2, 3, 7, 8].includes(orientation)
  const isUpsideDown = [3, 4, 6, 7].includes(orientation)
  const [columns, rows] = isTransposed ? [height, width] : [width, height]
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  for (let y = 0, at = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [across, down] = isTransposed ? [y, x] : [x, y]
      to[at++] = from[(isUpsideDown ? height - 1 - down : down) * width + (isMirrored ? width - 1 - across : across)]!
    }
  }
  return { width: columns, height: rows, data: new Uint8Array(to.buffer) }
}
