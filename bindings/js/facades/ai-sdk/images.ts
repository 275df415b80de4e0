// Images in prompts of the AI SDK, which downloads all addresses except those in `supportedUrls`.
import type { LanguageModelV4FilePart } from '@ai-sdk/provider'
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { Model } from '../../page/model.js'
import { blobAt, bytesOf, isLocal } from '../addresses.js'
import { downloadFailed, invalidArgument, unsupported } from './errors.js'

/** Addresses that are read here, because they only exist in the page. */
export const supportedUrls = { 'image/*': [/^blob:/] }

const isImage = (part: ContentPart) => part.type === 'image'

/** An image in a message, as a Blob or by its address. Throws for any other file. */
export function toImage({ mediaType, data }: LanguageModelV4FilePart): ContentPart {
  if (!/^image(\/|$)/i.test(mediaType)) throw unsupported(`file in a message: ${mediaType}`)
  switch (data.type) {
    case 'data':
      return { type: 'image', image: new Blob([typeof data.data === 'string' ? decoded(data.data) : new Uint8Array(data.data)]) }
    case 'url': {
      const address = String(data.url)
      if (!isLocal(address)) throw unsupported(`image at ${address}`)
      return { type: 'image', image: address }
    }
    default:
      throw unsupported(`image as a ${data.type}`)
  }
}

function decoded(base64: string) {
  try {
    return bytesOf(base64)
  } catch (error) {
    throw invalidArgument('prompt', `an image: ${(error as Error).message}`)
  }
}

/** The messages, with the images at their addresses loaded. Throws for images if the model does not accept any. */
export async function withImages(
  messages: readonly ChatMessage[],
  { info }: Model,
  signal: AbortSignal,
): Promise<readonly ChatMessage[]> {
  return Promise.all(
    messages.map(async message => {
      const { content } = message
      if (!Array.isArray(content) || !content.some(isImage)) return message
      if (!info.acceptsImages) throw unsupported('image in a message: the model was loaded without a projector')
      return { ...message, content: await Promise.all(content.map(part => (isImage(part) ? fetched(part, signal) : part))) }
    }),
  )
}

async function fetched(part: ContentPart, signal: AbortSignal): Promise<ContentPart> {
  const { image } = part
  if (typeof image !== 'string') return part
  try {
    return { ...part, image: await blobAt(image, signal) }
  } catch (cause) {
    signal.throwIfAborted()
    throw downloadFailed(image, cause)
  }
}
