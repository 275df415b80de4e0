// Images: their options, with the same names as in the native program, their files, and conversations that contain them.
import { readFileSync } from 'node:fs'
import { decodeImage, HeedError, type LoadOptions, type Pixels, type Prompt } from 'heed'
import { type readArguments, textOf, textsOf, UsageError } from './arguments.js'
import type { Messages, Model } from './files.js'

type Values = ReturnType<typeof readArguments>['values']
type Message = Messages[number]
type Part = Exclude<Message['content'], string | null | undefined>[number]

/** The paths of the images. Throws if there is no projector to read them. */
export function imagesOf(values: Values): readonly string[] {
  const paths = textsOf(values, 'image')
  if (paths.length > 0 && values.mmproj === undefined) throw needsProjector()
  return paths
}

export const projectorOption = (values: Values): Pick<LoadOptions, 'projector'> => ({ projector: textOf(values, 'mmproj') })

const needsProjector = () => new UsageError('images need --mmproj')

/** The files of decoded images, kept for saving: a file is decoded once for all turns. */
const files = new WeakMap<object, Uint8Array>()

/** A PNG or JPEG file, for a model that can read it. Errors name the file. */
export async function readImage(path: string, model: Model): Promise<Pixels> {
  if (!model.info.acceptsImages) throw needsProjector()
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch (error) {
    throw new HeedError('io', `${path}: ${(error as Error).message}`)
  }
  return decoded(file, path)
}

async function decoded(file: Uint8Array, name: string): Promise<Pixels> {
  const image = await decodeImage(file).catch((error: HeedError) => {
    const code = error.code === 'invalid-argument' ? 'invalid-file' : error.code
    throw new HeedError(code, `${name}: ${error.message.replace(/^decodeImage: /, '')}`, { cause: error })
  })
  files.set(image, file)
  return image
}

/** The text that stands for the next image in a prompt. */
const mark = '<image>'

/** Throws if the number of marks in a prompt differs from that of images. */
export function checkMarks(prompt: string, images: readonly unknown[]): void {
  const marks = prompt.split(mark).length - 1
  if (images.length > 0 && marks !== images.length)
    throw new UsageError(`the prompt has ${marks} marks ${mark} for ${images.length} images`)
}

/** A prompt with images in place of the marks. */
export const promptWith = (prompt: string, images: readonly Pixels[]): Prompt =>
  images.length === 0
    ? prompt
    : prompt
        .split(mark)
        .flatMap((text, index) => [...(index > 0 ? [{ image: images[index - 1]! }] : []), ...(text === '' ? [] : [text])])

export const imagePart = (image: Pixels): Part => ({ type: 'image', image })

/** Messages for JSON: images become data: addresses, as in OpenAI's API. Other programs may need the media type. */
export const withAddresses = (messages: Messages): Messages =>
  messages.map((message): Message => {
    const { content } = message
    if (!Array.isArray(content)) return message
    return {
      ...message,
      content: content.map((part: Part) => (part.type === 'image' ? toAddress(files.get(part.image as Pixels)!) : part)),
    }
  })

const toAddress = (file: Uint8Array): Part => ({
  type: 'image_url',
  image_url: { url: `data:${mediaType(file)};base64,${Buffer.from(file).toString('base64')}` },
})

const mediaType = (bytes: Uint8Array) => (bytes[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** The reverse. Throws for images at other addresses. */
export const withFiles = (messages: Messages, name: string): Promise<Messages> =>
  Promise.all(
    messages.map(async (message, at): Promise<Message> => {
      const { content } = message
      if (!Array.isArray(content)) return message
      return {
        ...message,
        content: await Promise.all(
          content.map(async (part: Part, index) =>
            part.type === 'image_url' ? fromAddress(part, `${name}: messages[${at}].content[${index}]`) : part,
          ),
        ),
      }
    }),
  )

async function fromAddress({ image_url: image }: Part, place: string): Promise<Part> {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(String((image as { url?: unknown } | undefined)?.url)) ?? []
  if (base64 === undefined) throw new HeedError('unsupported', `${place}: the image is not at a data: address in Base64`)
  return imagePart(await decoded(Buffer.from(base64, 'base64'), place))
}
