// Images: the options for them, which have the names of the native program's, their files, and conversations that contain them.
import { readFileSync } from 'node:fs'
import { HeedError, type LoadOptions, type Prompt } from 'heed'
import { type readArguments, text, textOf, texts, textsOf, UsageError } from './arguments.js'
import type { Messages, Model } from './files.js'

type Values = ReturnType<typeof readArguments>['values']
type Message = Messages[number]
type Part = Exclude<Message['content'], string | null | undefined>[number]

export const imageArguments = { 'mmproj': text, 'image': texts } as const

/** The paths of the images. Throws if there is no projector to read them. */
export function imagesOf(values: Values): readonly string[] {
  const paths = textsOf(values, 'image')
  if (paths.length > 0 && values.mmproj === undefined) throw needsProjector()
  return paths
}

export const projectorOption = (values: Values): Pick<LoadOptions, 'projector'> => ({ projector: textOf(values, 'mmproj') })

const needsProjector = () => new UsageError('images need --mmproj')

/** The bytes of a PNG or JPEG file that the model can read. Errors name the file. */
export async function readImage(path: string, model: Model): Promise<Uint8Array> {
  if (!model.info.readsImages) throw needsProjector()
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new HeedError('io', `${path}: ${(error as Error).message}`)
  }
  await model.tokenize([{ image: bytes }]).catch((error: HeedError) => {
    const code = error.code === 'invalid-argument' ? 'invalid-file' : error.code
    throw new HeedError(code, `${path}: ${error.message.replace(/^tokenize: /, '')}`, { cause: error })
  })
  return bytes
}

/** Stands for the next image in a prompt. */
const mark = '<image>'

/** Throws if a prompt has another number of marks than there are images. */
export function checkMarks(prompt: string, images: readonly unknown[]): void {
  const marks = prompt.split(mark).length - 1
  if (images.length > 0 && marks !== images.length) throw new UsageError(`the prompt has ${marks} marks ${mark} for ${images.length} images`)
}

/** A prompt with images in place of the marks. */
export const promptWith = (prompt: string, images: readonly Uint8Array[]): Prompt => images.length === 0 ? prompt
  : prompt.split(mark).flatMap((text, index) => [...index > 0 ? [{ image: images[index - 1]! }] : [], ...text === '' ? [] : [text]])

/** Each part of the messages, changed. */
const mapParts = (messages: Messages, change: (part: Part, place: string) => Part): Messages => messages.map((message, at): Message =>
  Array.isArray(message.content) ? { ...message, content: message.content.map((part, index) => change(part, `messages[${at}].content[${index}]`)) } : message)

/** Messages as JSON can have them: images are data: addresses, as in OpenAI's API. The media type is for programs that need one. */
export const withAddresses = (messages: Messages): Messages => mapParts(messages, part => part.type !== 'image' ? part : {
  type: 'image_url', image_url: { url: `data:${mediaType(part.image as Uint8Array)};base64,${Buffer.from(part.image as Uint8Array).toString('base64')}` },
})

const mediaType = (bytes: Uint8Array) => bytes[0] === 0x89 ? 'image/png' : 'image/jpeg'

/** The reverse. Throws for images at other addresses. */
export const withFiles = (messages: Messages, name: string): Messages => mapParts(messages, (part, place) => {
  if (part.type !== 'image_url') return part
  const { url } = (part.image_url ?? {}) as { url?: unknown }
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
  if (base64 === undefined) throw new HeedError('unsupported', `${name}: ${place}: the image is not at a data: address in Base64`)
  return { type: 'image', image: new Uint8Array(Buffer.from(base64, 'base64')) }
})
