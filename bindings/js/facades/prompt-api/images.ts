// The images of prompts: an ImageBitmapSource or a BufferSource, as in the specification.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { Model } from '../../page/model.js'
import type { Image, Pixels } from '../../types/index.js'
import { exception } from '../browser-ai/exceptions.js'
import type { LanguageModelMessage, LanguageModelMessageContent } from './types.js'

/** Compares names, because other windows have classes of their own. */
const isDrawable = (value: unknown) =>
  /^(Blob|File|ImageBitmap|OffscreenCanvas|VideoFrame|HTML(Image|Canvas|Video)Element|SVGImageElement)$/.test(
    (value as { [Symbol.toStringTag]?: string } | null)?.[Symbol.toStringTag] ?? '',
  )
const isPixels = (value: unknown): value is Pixels => ArrayBuffer.isView((value as Partial<Pixels> | null)?.data)
const isBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === '[object ArrayBuffer]'

/** An image as it was at the call. A page may change it or close it while the session is busy. */
export class CapturedImage {
  readonly #image: Promise<Image>

  private constructor(image: Promise<Image>) {
    this.#image = image
    image.catch(() => {}) // until the task that needs it begins
  }

  /** Undefined for values that are not images. */
  static of(value: unknown): CapturedImage | undefined {
    if (isPixels(value))
      return new CapturedImage(Promise.resolve({ width: value.width, height: value.height, data: value.data.slice() }))
    const isBytes = isBuffer(value) || ArrayBuffer.isView(value)
    if (!isBytes && !isDrawable(value)) return undefined
    const image = (isBytes ? new Blob([value as BlobPart]) : value) as Blob
    return new CapturedImage(
      typeof createImageBitmap === 'undefined'
        ? Promise.resolve(image)
        : createImageBitmap(image, { colorSpaceConversion: 'none' }),
    ) // the same option as in decodeImage
  }

  /** The image in the format that the model reads. Rejects with an InvalidStateError if it cannot be read. */
  async readBy(model: Model): Promise<Image> {
    const image = await this.#image
    try {
      const read = image instanceof Blob ? await (await import('heed')).decodeImage(image) : image // once for all turns
      await model.tokenize([{ image: read }], { addSpecial: false })
      return read
    } catch (cause) {
      const { code, message } = cause as { code?: unknown; message: string }
      throw code === 'invalid-argument' || code === 'unsupported' ? exception('InvalidStateError', message, cause) : cause
    }
  }
}

/** Messages with their images as they are now. */
export const captured = (messages: readonly LanguageModelMessage[]): LanguageModelMessage[] =>
  messages.map(message => {
    if (typeof message.content === 'string') return message
    const capture = (one: LanguageModelMessageContent) =>
      one.type === 'image' ? { ...one, value: CapturedImage.of(one.value) } : one
    return { ...message, content: message.content.map(capture) }
  })

const partsOf = ({ content }: ChatMessage): readonly ContentPart[] => (Array.isArray(content) ? content : [])

/** Messages whose captured images are replaced by images that the model can read. */
export function withImages(messages: readonly ChatMessage[], model: Model): Promise<ChatMessage[]> {
  const read = async (part: ContentPart) =>
    part.image instanceof CapturedImage ? { ...part, image: await part.image.readBy(model) } : part
  return Promise.all(
    messages.map(async message => {
      const parts = partsOf(message)
      return parts.length === 0 ? message : { ...message, content: await Promise.all(parts.map(read)) }
    }),
  )
}

/** Messages in which numbers replace the images, and these images. */
export function numbered(messages: readonly ChatMessage[]): { messages: readonly ChatMessage[]; images: readonly Image[] } {
  const images: Image[] = []
  return {
    images,
    messages: messages.map(message =>
      partsOf(message).length === 0
        ? message
        : {
            ...message,
            content: partsOf(message).map(part =>
              part.type === 'image' ? { ...part, image: images.push(part.image as Image) - 1 } : part,
            ),
          },
    ),
  }
}
