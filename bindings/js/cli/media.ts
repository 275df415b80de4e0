// Images and sounds: their options, the marks that stand for them in a prompt, and their files.
import { readFileSync } from 'node:fs'
import { decodeImage, HeedError, type LoadOptions, type Pixels, type Prompt } from 'heed'
import { type readArguments, textOf, textsOf, UsageError } from './arguments.js'
import type { Model } from './files.js'

type Values = ReturnType<typeof readArguments>['values']

/** A part of a prompt: an image or a sound. */
export type Medium = { readonly image: Pixels } | { readonly audio: Uint8Array }

interface Kind {
  readonly many: string
  /** The text in a prompt that the next image or sound replaces, as in the native program. */
  readonly mark: string
  readonly isAccepted: (info: Model['info']) => boolean
  readonly read: (file: Uint8Array, model: Model) => Promise<Medium>
}

const kinds = {
  image: {
    many: 'images',
    mark: '<image>',
    isAccepted: ({ acceptsImages }) => acceptsImages,
    read: async file => ({ image: await decodeImage(file) }),
  },
  audio: {
    many: 'sounds',
    mark: '<audio>',
    isAccepted: ({ acceptsAudio }) => acceptsAudio,
    read: async (file, model) => {
      await model.audioTokens(file) // fails for a file that is no sound, or is too long for the context
      return { audio: file }
    },
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
const kindNames = Object.keys(kinds) as KindName[]
export const manyOf = (kind: KindName): string => kinds[kind].many

/** A file that an option names, and its kind. */
export interface MediaFile {
  readonly kind: KindName
  readonly path: string
}

/** The files of the images, then those of the sounds. Throws if there is no projector to read them. */
export function mediaFilesOf(values: Values): readonly MediaFile[] {
  const files = kindNames.flatMap(kind => textsOf(values, kind).map((path): MediaFile => ({ kind, path })))
  if (files[0] && values.mmproj === undefined) throw needsProjector(files[0].kind)
  return files
}

export const projectorOption = (values: Values): Pick<LoadOptions, 'projector'> => ({ projector: textOf(values, 'mmproj') })

const needsProjector = (kind: KindName) => new UsageError(`${manyOf(kind)} need --mmproj`)

function checkAccepts(kind: KindName, { info }: Model): void {
  if (kinds[kind].isAccepted(info)) return
  if (!kindNames.some(other => kinds[other].isAccepted(info))) throw needsProjector(kind)
  throw new UsageError(`the file of --mmproj is for no ${manyOf(kind)}`)
}

/** The files of decoded media, kept for saving: a file is decoded once for all turns. */
const files = new WeakMap<object, Uint8Array>()
export const fileOf = (pixelsOrFile: object): Uint8Array => files.get(pixelsOrFile)!

/** The image or sound of a file, for a model that can read it. Errors name the file. */
export async function readMedium({ kind, path }: MediaFile, model: Model): Promise<Medium> {
  checkAccepts(kind, model)
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch (error) {
    throw new HeedError('io', `${path}: ${(error as Error).message}`)
  }
  return mediumFrom(kind, file, path, model)
}

/** The image or sound of a file's bytes. Errors begin with `name`. */
export async function mediumFrom(kind: KindName, file: Uint8Array, name: string, model: Model): Promise<Medium> {
  const medium: Medium = await kinds[kind].read(file, model).catch((error: HeedError) => {
    const code = error.code === 'invalid-argument' ? 'invalid-file' : error.code
    throw new HeedError(code, `${name}: ${error.message.replace(/^(decodeImage|audioTokens): /, '')}`, { cause: error })
  })
  files.set(contentOf(medium), file)
  return medium
}

const contentOf = (medium: Medium): object => ('image' in medium ? medium.image : medium.audio)

/** Throws if a prompt does not have as many marks of a kind as there are files of it. */
export function checkMarks(prompt: string, given: readonly MediaFile[]): void {
  for (const kind of kindNames) {
    const { mark, many } = kinds[kind]
    const count = given.filter(file => file.kind === kind).length
    const marks = prompt.split(mark).length - 1
    if (count > 0 && marks !== count) throw new UsageError(`the prompt has ${marks} marks ${mark} for ${count} ${many}`)
  }
}

/** A prompt with images and sounds in place of their marks; marks of a kind without media stay text. */
export function promptWith(prompt: string, media: readonly Medium[]): Prompt {
  if (media.length === 0) return prompt
  const ofKinds = kindNames.map(kind => [kinds[kind].mark as string, media.filter(medium => kind in medium)] as const)
  const next = new Map(ofKinds.filter(([, list]) => list.length > 0))
  const marks = new RegExp(`(${[...next.keys()].join('|')})`)
  return prompt
    .split(marks)
    .filter(piece => piece !== '')
    .map(piece => next.get(piece)?.shift() ?? piece)
}
