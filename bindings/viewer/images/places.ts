// Names for places in an image, and the patch that a word looked at most.
import type { ImagePatch, TextImage } from 'heed'
import { partOfPicture } from '../support/format.js'
import { type PassageToken, isWritten, partOfSound } from '../tokens/passage.js'

/** A weight for each patch of an image. */
export interface Look {
  readonly image: TextImage
  readonly weights: Float32Array
  /** The sum of the weights. */
  readonly share: number
  /** The patch with the largest weight. */
  readonly most?: ImagePatch
}

/** Patches without an area have no place: they are padding, line ends, or tokens for the whole image. */
export const hasPlace = ({ width, height }: ImagePatch): boolean => width > 0 && height > 0

/** The weights of an image's patches. `row`: the weights of the text's tokens from token `first` on; undefined for all zeros. */
export function lookOf(image: TextImage, row: { readonly first: number; readonly weights: Float32Array } | undefined): Look {
  const weights = Float32Array.from(image.patches, ({ position }) => row?.weights[position - row.first] ?? 0)
  let share = 0
  let most: number | undefined
  weights.forEach((weight, at) => {
    share += weight
    if (weight > (most === undefined ? 0 : weights[most]!) && hasPlace(image.patches[at]!)) most = at
  })
  return { image, weights, share, most: most === undefined ? undefined : image.patches[most] }
}

const third = (share: number): 0 | 1 | 2 => (share < 1 / 3 ? 0 : share < 2 / 3 ? 1 : 2)

const names = [
  ['upper left', 'top', 'upper right'],
  ['left', 'middle', 'right'],
  ['lower left', 'bottom', 'lower right'],
] as const

/** The place of a patch's center in its image, such as “upper left”. */
export function placeOf({ x, y, width, height }: ImagePatch, image: TextImage): string {
  return names[third((y + height / 2) / image.height)]![third((x + width / 2) / image.width)]!
}

/** The tokens of a text: image tokens get their places in the images; other tokens with a place are named as parts of sounds. */
export function withPlaces(tokens: readonly PassageToken[], images: readonly TextImage[]): readonly PassageToken[] {
  if (images.length === 0) return tokens
  const named = tokens.map(token => (!isWritten(token) && token.place ? { ...token, place: partOfSound } : token))
  images.forEach((image, at) => {
    const picture = images.length === 1 ? 'the picture' : `picture ${at + 1}`
    for (const patch of image.patches) {
      const token = tokens[patch.position]
      if (token && !isWritten(token))
        named[patch.position] = { ...token, place: hasPlace(patch) ? `${placeOf(patch, image)} of ${picture}` : partOfPicture }
    }
  })
  return named
}
