// The public types of images.
import type { WebBlob, WebDrawable } from './web.js'

/**
 * Rows from top to bottom, with four bytes per pixel: red, green, blue and opacity. Models see transparent pixels on white. An
 * `ImageData` has this form.
 */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
}

/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * An image: its pixels; an image file, as a Blob or its bytes, in Node a PNG or JPEG file; or, in a browser, anything that a canvas
 * can draw.
 */
export type Image = Pixels | WebBlob | Uint8Array | WebDrawable

/** The origin of a token of an image. */
export interface ImagePatch {
  /** The position of the token in the text, from 0. */
  readonly position: number
  /** The tile of the image, from 0: large images are cut. */
  readonly tile: number
  /** Whether the tile shows the whole image: the last tile, and the only one of an image that is not cut. */
  readonly overview: boolean
  /**
   * The rectangle of the image, in its pixels, that the token was made from; it need not be whole pixels, and never reaches beyond
   * the image. A token that is padding, ends a line, or stands for the whole image has an empty one. Resizing mixes in a few pixels
   * around it.
   */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An image in a text. */
export interface TextImage {
  /** Size of the given image, in pixels. */
  readonly width: number
  readonly height: number
  /** One patch for each token of the image, in order. */
  readonly patches: readonly ImagePatch[]
}
