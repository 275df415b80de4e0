// Images as the engine takes them: their pixels.
import { HeedError } from './errors.js'
import type { Image, Pixels } from './types.js'

const isPixels = (image: unknown): image is Pixels =>
  typeof image === 'object' && image !== null && 'data' in image

/** Throws `invalid-argument` for what is not an image, or cannot be read as one. */
export async function pixelsOf(call: string, image: Image): Promise<Pixels> {
  if (isPixels(image)) {
    const { width, height, data } = image
    if (![width, height].every(side => Number.isSafeInteger(side) && side > 0)) {
      throw refuse(`${call}: an image of ${width} x ${height} pixels cannot be`)
    }
    if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) {
      throw refuse(`${call}: expected an image's data as a Uint8Array or a Uint8ClampedArray`)
    }
    if (data.length === width * height * 4) return { width, height, data }
    throw refuse(`${call}: an image of ${width} x ${height} pixels has ${width * height * 4} bytes, not ${data.length}`)
  }
  if (typeof createImageBitmap === 'undefined' || typeof OffscreenCanvas === 'undefined') {
    throw refuse(`${call}: expected an image as { width, height, data }`)
  }
  const bitmap = await createImageBitmap(image).catch(error => {
    throw refuse(`${call}: this is not an image that can be read: ${(error as Error)?.message ?? error}`)
  })
  try {
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (!context) throw new HeedError('out-of-memory', `${call}: the browser gives no canvas for the image`)
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height)
  } finally {
    bitmap.close()
  }
}

const refuse = (message: string) => new HeedError('invalid-argument', message)
