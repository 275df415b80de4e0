// The images and sounds of prompts: an ImageBitmapSource, an AudioBuffer, a Blob or a BufferSource, as in the specification.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { Model } from '../../page/model.js'
import type { Audio, Image, Pixels, PromptPart } from '../../types/index.js'
import { exception } from '../browser-ai/exceptions.js'
import type { LanguageModelMessage, LanguageModelMessageContent } from './types.js'

/** Compares names, because other windows have classes of their own. */
const isDrawable = (value: unknown) =>
  /^(Blob|File|ImageBitmap|OffscreenCanvas|VideoFrame|HTML(Image|Canvas|Video)Element|SVGImageElement)$/.test(
    (value as { [Symbol.toStringTag]?: string } | null)?.[Symbol.toStringTag] ?? '',
  )
const isPixels = (value: unknown): value is Pixels => ArrayBuffer.isView((value as Partial<Pixels> | null)?.data)
const isSamples = (value: unknown): value is AudioBuffer =>
  typeof (value as Partial<AudioBuffer> | null)?.getChannelData === 'function'
const isBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === '[object ArrayBuffer]'

/** An image or a sound as it was at the call. A page may change it or close it while the session is busy. */
export abstract class Captured {
  /** What the model reads. Rejects with an InvalidStateError if it cannot be read. */
  abstract readBy(model: Model): Promise<Image | Audio>
}

/** Rejects with an InvalidStateError if the model cannot read a part. */
async function checkReads(model: Model, part: PromptPart): Promise<void> {
  try {
    await model.tokenize([part], { addSpecial: false })
  } catch (cause) {
    throw unreadable(cause)
  }
}

function unreadable(cause: unknown): unknown {
  const { code, message } = cause as { code?: unknown; message: string }
  return code === 'invalid-argument' || code === 'unsupported' ? exception('InvalidStateError', message, cause) : cause
}

class CapturedAudio extends Captured {
  readonly #audio: Audio

  private constructor(audio: Audio) {
    super()
    this.#audio = audio
  }

  /** Undefined for values that are not sounds. */
  static of(value: unknown): CapturedAudio | undefined {
    if (isBuffer(value) || ArrayBuffer.isView(value)) return new CapturedAudio(new Blob([value as BlobPart]))
    if (isSamples(value)) {
      const data = Array.from({ length: value.numberOfChannels }, (_, channel) => value.getChannelData(channel).slice())
      return new CapturedAudio({ sampleRate: value.sampleRate, data })
    }
    return typeof (value as Partial<Blob> | null)?.arrayBuffer === 'function' ? new CapturedAudio(value as Blob) : undefined
  }

  async readBy(model: Model): Promise<Audio> {
    await checkReads(model, { audio: this.#audio })
    return this.#audio
  }
}

class CapturedImage extends Captured {
  readonly #image: Promise<Image>

  private constructor(image: Promise<Image>) {
    super()
    this.#image = image
    image.catch(() => {}) // an error is thrown when the image is read
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

  async readBy(model: Model): Promise<Image> {
    const image = await this.#image
    try {
      const read = image instanceof Blob ? await (await import('heed')).decodeImage(image) : image // once for all turns
      await checkReads(model, { image: read })
      return read
    } catch (cause) {
      throw unreadable(cause)
    }
  }
}

/** Messages with their images and sounds as they are now. */
export const captured = (messages: readonly LanguageModelMessage[]): LanguageModelMessage[] =>
  messages.map(message => {
    if (typeof message.content === 'string') return message
    const capture = (one: LanguageModelMessageContent) =>
      one.type === 'image' || one.type === 'audio'
        ? { ...one, value: (one.type === 'image' ? CapturedImage : CapturedAudio).of(one.value) }
        : one
    return { ...message, content: message.content.map(capture) }
  })

const partsOf = ({ content }: ChatMessage): readonly ContentPart[] => (Array.isArray(content) ? content : [])

/** Messages whose captured images and sounds are replaced by what the model can read. */
export function withMedia(messages: readonly ChatMessage[], model: Model): Promise<ChatMessage[]> {
  const read = async (part: ContentPart) => {
    const given = part[part.type]
    return given instanceof Captured ? { ...part, [part.type]: await given.readBy(model) } : part
  }
  return Promise.all(
    messages.map(async message => {
      const parts = partsOf(message)
      return parts.length === 0 ? message : { ...message, content: await Promise.all(parts.map(read)) }
    }),
  )
}

/** A part of a prompt with an image or a sound. */
export type MediaPart = { readonly image: Image } | { readonly audio: Audio }

/** Converts a message's part to a prompt's; undefined for a text. */
export const mediaOf = ({ type, image, audio }: ContentPart): MediaPart | undefined =>
  type === 'image' ? { image: image as Image } : type === 'audio' ? { audio: audio as Audio } : undefined

/** The images and sounds of messages, and the messages with indices into these in their place. */
export function numbered(messages: readonly ChatMessage[]): { messages: readonly ChatMessage[]; media: readonly MediaPart[] } {
  const media: MediaPart[] = []
  return {
    media,
    messages: messages.map(message =>
      partsOf(message).length === 0
        ? message
        : {
            ...message,
            content: partsOf(message).map(part => {
              const found = mediaOf(part)
              return found ? { ...part, [part.type]: media.push(found) - 1 } : part
            }),
          },
    ),
  }
}
