// The public types of images.
import type { WebBlob, WebDrawable } from './web.js'

/** Rows from top to bottom, with four bytes per pixel: red, green, blue, and one that is ignored. An `ImageData` has this form. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/** An image: its pixels or, in a browser, an image file or anything that a canvas can draw. */
export type Image = Pixels | WebBlob | WebDrawable
