// Converts the images of a text to the public type.
import type { TextImage } from '../types/index.js'
import type { WireTextImage } from '../wire/protocol.js'

/** Converts images; `offset`: the position of their prompt in the text. */
export const textImages = (images: readonly WireTextImage[], offset = 0): TextImage[] =>
  images.map(({ width, height, patches: flat }) => {
    const rows = Array.from({ length: flat.length / 6 }, (_, row) => flat.subarray(6 * row) as unknown as number[])
    const last = rows.at(-1)?.[1]
    const patches = rows.map(([position, tile, x, y, width, height]) => ({
      position: offset + position!,
      tile: tile!,
      overview: tile === last,
      x: x!,
      y: y!,
      width: width!,
      height: height!,
    }))
    return { width, height, patches }
  })

/** The images that remain in a text that was cut or replaced: they have a token below 0 at one of their positions. */
export const imagesAmong = (images: readonly TextImage[], tokens: readonly number[]): TextImage[] =>
  images.flatMap(image => {
    const patches = image.patches.filter(({ position }) => tokens[position]! < 0)
    return patches.length === 0 ? [] : { ...image, patches }
  })

/** An answer about a text, with images in the public type; the property is absent if there are none. */
export type OfText<Answer> = Omit<Answer, 'images'> & { readonly images?: readonly TextImage[] }

/** The property `images` of a result; an empty object if there are no images. */
export const withImages = (images: readonly TextImage[]): { images?: readonly TextImage[] } => (images.length > 0 ? { images } : {})
