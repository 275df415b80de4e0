// Converts images to pixels for the engine.
import type { Pixels } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import { isObject, matched, Mismatch, refuse } from './readers.js'

/**
 * Throws `invalid-argument` if the value is not an image, or cannot be decoded. Given pixels are copied, because shared memory and
 * proxies cannot be sent to a worker.
 */
export async function pixelsOf(call: string, image: unknown): Promise<Pixels> {
  const pixels = readPixels(call, image)
  if (pixels) return pixels
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined') {
    throw refuse(`${call}: expected an image as { width, height, data }`)
  }
  const bitmap = await createBitmap(image).catch(error => {
    throw refuse(`${call}: the image cannot be read: ${(error as Error)?.message ?? error}`)
  })
  try {
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (!context) throw new HeedError('out-of-memory', `${call}: there is no canvas to read the image`)
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height)
  } finally {
    bitmap.close()
  }
}

/** Arrays of another window, such as a frame's, are of other classes. */
const isBytes = (value: unknown): boolean => ArrayBuffer.isView(value)
  && ['Uint8Array', 'Uint8ClampedArray'].includes((value as Uint8Array)[Symbol.toStringTag])

/** The pixels of an image that contains them, such as an ImageData; otherwise undefined. */
const readPixels = (call: string, image: unknown): Pixels | undefined => matched(call, image, () => {
  if (!isObject(image)) throw new Mismatch('an image')
  if (!('data' in image)) return undefined
  const { width, height, data } = image as unknown as Pixels
  const isValid = [width, height].every(side => Number.isSafeInteger(side) && side > 0)
    && isBytes(data) && data.length === width * height * 4
  if (!isValid) {
    throw refuse(`${call}: an image of ${width} x ${height} pixels needs ${width * height * 4} bytes, not ${data?.length}, in a Uint8Array`)
  }
  return { width, height, data: new Uint8Array(data) }
})

const createBitmap = async (image: unknown) => createImageBitmap(image as ImageBitmapSource)
