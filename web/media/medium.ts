// The media that a message may contain besides text: images and sounds.
import { HeedError, type Model, type ModelInfo } from 'heed'
import { isPicture, noPictures, type Picture, pictureAt, readPicture, sizeOf, thumbnail } from './picture.js'
import { plural } from '../support/format.js'
import { isSoundFile, isSoundUrl, lengthOf, noSounds, readSound, type Sound, soundAt, soundDrawing } from './sound.js'

export type Medium = Picture | Sound

export const isSound = (medium: Medium): medium is Sound => 'levels' in medium

/** Whether a message may have this file. */
export const isMedium = (file: Blob): boolean => isPicture(file) || isSoundFile(file)

/** The kinds of media, as the page calls them. */
export type Kind = 'picture' | 'sound'

type Accepts = Pick<ModelInfo, 'acceptsAudio' | 'acceptsImages'>

export const accepts = (info: Accepts, kind: Kind): boolean => (kind === 'sound' ? info.acceptsAudio : info.acceptsImages)
export const isAccepted = (medium: Medium, info: Accepts): boolean => accepts(info, isSound(medium) ? 'sound' : 'picture')

/** Rejects with an Error whose message says what is wrong with the file. */
export async function readMedium(file: File, kind: Kind): Promise<Medium> {
  if (kind === 'sound') return readSound(file, file.name || 'A pasted sound')
  try {
    return await readPicture(file, file.name || 'A pasted picture')
  } catch (error) {
    const isLarge = HeedError.from(error).code === 'out-of-memory'
    throw new Error(isLarge ? 'is too large to read' : 'is not a picture that this browser can read')
  }
}

/** The medium at a data: address; undefined for other addresses and for data of other kinds. */
export const mediumAt = (url: unknown, name: string): Promise<Medium | undefined> =>
  isSoundUrl(url) ? soundAt(url, name) : pictureAt(url, name)

/** The part of a prompt that contains a medium. */
export const partOf = (medium: Medium) => (isSound(medium) ? { audio: medium.file } : { image: medium.pixels })

export const tokensOf = (medium: Medium, model: Model): Promise<number> =>
  isSound(medium) ? model.audioTokens(medium.file) : model.imageTokens({ width: medium.pixels.width, height: medium.pixels.height })

/** A drawing, at most `side` CSS pixels high. */
export const preview = (medium: Medium, side: number): HTMLElement =>
  isSound(medium)
    ? soundDrawing(medium, side, `${medium.name}, ${lengthOf(medium)}`)
    : thumbnail(medium, side, `${medium.name}, ${sizeOf(medium)}`)

export const kindOf = (medium: Medium): Kind => (isSound(medium) ? 'sound' : 'picture')

const each = (kinds: readonly Kind[], name: (kind: Kind, count: number) => string): string =>
  (['picture', 'sound'] as const)
    .map(kind => [kind, kinds.filter(other => other === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => name(kind, count))
    .join(' and ')

/** How many there are of each kind, such as “1 picture and 2 sounds”. */
export const countedKinds = (kinds: readonly Kind[]): string => each(kinds, (kind, count) => plural(count, kind))
export const counted = (media: readonly Medium[]): string => countedKinds(media.map(kindOf))

/** The kinds of these media in words: “pictures”, “sounds” or both. */
export const namesOf = (media: readonly Medium[]): string => each(media.map(kindOf), kind => `${kind}s`)

/** A sentence about the images and sounds of a conversation that the model does not get; empty if it gets all. */
export function leftOut(media: readonly Medium[], info: Accepts): string {
  const left = media.filter(medium => !isAccepted(medium, info))
  if (left.length === 0) return ''
  const sounds = left.filter(isSound).length
  const why = sounds === 0 ? 'reads no pictures' : sounds === left.length ? 'hears nothing' : 'reads only text'
  return `This model ${why}: it gets the conversation without its ${counted(left)}.`
}

/** A message for `what`, which has a medium that the model does not accept. */
export const notAccepted = (what: string, medium: Medium): string =>
  isSound(medium) ? noSounds(`${what} a sound`) : noPictures(`${what} pictures`)
