// Decodes image files on platforms without a decoder of their own: a separate script, loaded at the first image file.
import type { Pixels } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import { decodeJpeg, isJpeg } from './jpeg.js'
import { decodePng, isPng } from './png.js'

const readable = 'PNG and JPEG files can be read'

/** Formats that only browsers decode, each with a pattern for the beginning of its files. */
const others: readonly [name: string, beginning: RegExp][] = [
  ['GIF', /^GIF8/],
  ['WebP', /^RIFF.{4}WEBP/s],
  ['AVIF or HEIC', /^.{4}ftyp/s],
  ['BMP', /^BM/],
  ['TIFF', /^(II\*\0|MM\0\*)/],
  ['SVG', /^\s*<(\?xml|svg|!--)/],
]

/**
 * The pixels of a PNG or JPEG file. Throws `invalid-argument`, and `unsupported` for other formats; the message states the problem.
 */
export async function decodeImageFile(bytes: Uint8Array): Promise<Pixels> {
  if (isPng(bytes)) return decodePng(bytes)
  if (isJpeg(bytes)) return decodeJpeg(bytes)
  const beginning = String.fromCharCode(...bytes.subarray(0, 16))
  const [name] = others.find(([, pattern]) => pattern.test(beginning)) ?? []
  if (name) throw new HeedError('unsupported', `it is in the format ${name}; here, ${readable}`)
  throw refuse(`it is no image file; ${readable}`)
}
