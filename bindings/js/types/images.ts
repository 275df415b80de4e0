// The public types of images.
import type { WebBlob, WebDrawable } from './web.js'

/**
 * Rows from top to bottom, with four bytes per pixel: red, green, blue and opacity. Models see transparent pixels on white. An `ImageData` has
 * this form.
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
 * An image: its pixels; an image file, as a Blob or its bytes, in Node a PNG or JPEG file; or, in a browser, anything that a canvas can
 * draw.
 */
export type Image = Pixels | WebBlob | Uint8Array | WebDrawable

/** What a token of an image was made from. */
export interface ImagePatch {
  /** Of the token, among those of the text, from 0. */
  readonly position: number
  /** The tile of the image, from 0: large images are cut. */
  readonly tile: number
  /** Whether the tile is the one that shows all of the image: the last one, and the only one of an image that is not cut. */
  readonly overview: boolean
  /**
   * A rectangle of the image, in its pixels, which need not be whole. It never reaches beyond the image: a token of padding has no area, nor
   * has one that ends a line or stands for the image as a whole. Resizing mixes in a few pixels from around it.
   */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An image in a text. */
export interface TextImage {
  /** Of the image that was given, in pixels. */
  readonly width: number
  readonly height: number
  /** One for each of its tokens, in their order. */
  readonly patches: readonly ImagePatch[]
}
