// Converts images to pixels for the engine.
import type { DecodeImage, Platform } from '../platform/platform.js'
import type { DecodeImageOptions, Image, Pixels } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import { HeedError, refuse } from '../wire/errors.js'
import { onAbort, unlessAborted } from './on-abort.js'
import { readOptions } from './options.js'
import { isObject, matched, Mismatch } from './readers.js'

/**
 * Throws `invalid-argument`, with its `index`, if the value is not an image or cannot be decoded, `unsupported` for a format that
 * the platform cannot decode, and `aborted` at once. Pixels and bytes are copied, because shared memory and proxies cannot be sent
 * to a worker, and may change.
 */
export async function pixelsOf(
  call: string,
  image: unknown,
  decode: DecodeImage,
  { index, signal }: { index?: number; signal?: WebAbortSignal } = {},
): Promise<Pixels> {
  const pixels = readPixels(call, image)
  if (pixels) return pixels
  const file = ArrayBuffer.isView(image) ? matched(call, image, bytes => new Blob([bytes as BlobPart])) : image
  return unlessAborted(
    decode(file, react => onAbort(signal, react)),
    signal,
  ).catch(cause => {
    if (signal?.aborted) throw HeedError.aborted(signal)
    const code = cause instanceof HeedError ? cause.code : 'invalid-argument'
    throw new HeedError(code, `${call}: the image cannot be read: ${(cause as Error)?.message ?? cause}`, { cause, index })
  })
}

/** The platform's `decodeImage`. */
export const decodeImageOn =
  ({ decodeImage }: Platform) =>
  async (image: Image, options?: DecodeImageOptions): Promise<Pixels> =>
    pixelsOf('decodeImage', image, decodeImage, readOptions('decodeImage', options))

/** Arrays of another window, such as a frame's, have different classes. */
const isBytes = (value: unknown): boolean =>
  ArrayBuffer.isView(value) && ['Uint8Array', 'Uint8ClampedArray'].includes((value as Uint8Array)[Symbol.toStringTag])

/** The pixels of an image that contains them, such as an ImageData; otherwise undefined. */
const readPixels = (call: string, image: unknown): Pixels | undefined =>
  matched(call, image, () => {
    if (!isObject(image)) throw new Mismatch('an image')
    if (!('data' in image)) return undefined
    const { width, height, data } = image as unknown as Pixels
    const isValid =
      [width, height].every(side => Number.isSafeInteger(side) && side > 0) && isBytes(data) && data.length === width * height * 4
    if (!isValid) {
      throw refuse(
        `${call}: an image of ${width} x ${height} pixels needs ${width * height * 4} bytes, not ${data?.length}, in a Uint8Array`,
      )
    }
    return { width, height, data: new Uint8Array(data) }
  })
