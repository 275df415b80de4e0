// The limits that the readers of PNG and JPEG check before they allocate memory for an image, and the errors about files.
import { HeedError, refuse } from '../wire/errors.js'

/** The most pixels on a side, as in the engine (src/images/picture.hpp). Decoding takes up to 12 bytes for each pixel. */
const mostSide = 2 ** 15
const mostPixels = 2 ** 27

export type Format = 'PNG' | 'JPEG'

export const unsound = (format: Format, problem: string, cause?: unknown) =>
  refuse(`it is not a sound ${format} file: ${problem}`, cause)
export const unsupported = (format: Format, kind: string) =>
  new HeedError('unsupported', `it is a ${format} file ${kind}, which cannot be read here`)

/** Throws `invalid-argument` for an image that is empty or too large. */
export function checkSize(width: number, height: number): void {
  const isValid = [width, height].every(side => side >= 1 && side <= mostSide)
  if (!isValid) throw refuse(`it has ${width} x ${height} pixels; sides must be from 1 to ${mostSide}`)
  if (width * height > mostPixels) throw refuse(`it has ${width} x ${height} pixels, more than ${mostPixels}`)
}
