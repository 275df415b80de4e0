// The public types of images.
import type { WebBlob, WebDrawable } from './web.js'

/** Rows from top to bottom, with four bytes per pixel: red, green, blue, and one that is ignored. An `ImageData` has this form. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/**
 * An image: its pixels; an image file, as a Blob or its bytes, in Node a PNG or JPEG file; or, in a browser, anything that a canvas can
 * draw.
 */
export type Image = Pixels | WebBlob | Uint8Array | WebDrawable
