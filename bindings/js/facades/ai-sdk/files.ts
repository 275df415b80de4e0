// Images and sounds in prompts of the AI SDK, which downloads all addresses except those in `supportedUrls`.
import type { LanguageModelV4FilePart } from '@ai-sdk/provider'
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { Model } from '../../page/model.js'
import { blobAt, bytesOf, isLocal } from '../addresses.js'
import { downloadFailed, invalidArgument, unsupported } from './errors.js'

/** Addresses that are read here, because they only exist in the page. */
export const supportedUrls = { 'image/*': [/^blob:/], 'audio/*': [/^blob:/] }

type Kind = 'image' | 'audio'

const isFile = (part: ContentPart): part is ContentPart & { readonly type: Kind } => part.type === 'image' || part.type === 'audio'

/** An image or a sound in a message, as a Blob or by its address. Throws for any other file. */
export function toFile({ mediaType, data }: LanguageModelV4FilePart): ContentPart {
  const kind = /^(image|audio)(\/|$)/i.exec(mediaType)?.[1]?.toLowerCase() as Kind | undefined
  if (!kind) throw unsupported(`file in a message: ${mediaType}`)
  switch (data.type) {
    case 'data':
      return {
        type: kind,
        [kind]: new Blob([typeof data.data === 'string' ? decoded(data.data, kind) : new Uint8Array(data.data)]),
      }
    case 'url': {
      const address = String(data.url)
      if (!isLocal(address)) throw unsupported(`${kind} at ${address}`)
      return { type: kind, [kind]: address }
    }
    default:
      throw unsupported(`${kind} as a ${data.type}`)
  }
}

function decoded(base64: string, kind: Kind) {
  try {
    return bytesOf(base64)
  } catch (error) {
    throw invalidArgument('prompt', `${kind === 'image' ? 'an image' : 'audio'}: ${(error as Error).message}`)
  }
}

/** The messages, with the files at addresses loaded. Throws for images and sounds that the model does not accept. */
export async function withFiles(
  messages: readonly ChatMessage[],
  { info }: Model,
  signal: AbortSignal,
): Promise<readonly ChatMessage[]> {
  return Promise.all(
    messages.map(async message => {
      const { content } = message
      if (!Array.isArray(content)) return message
      const kinds = content.filter(isFile).map(({ type }) => type)
      if (kinds.length === 0) return message
      if (kinds.includes('image') && !info.acceptsImages)
        throw unsupported('image in a message: the model was loaded without a projector')
      if (kinds.includes('audio') && !info.acceptsAudio)
        throw unsupported('audio in a message: the model was loaded without a projector for audio')
      return { ...message, content: await Promise.all(content.map(part => (isFile(part) ? fetched(part, signal) : part))) }
    }),
  )
}

async function fetched(part: ContentPart & { readonly type: Kind }, signal: AbortSignal): Promise<ContentPart> {
  const address = part[part.type]
  if (typeof address !== 'string') return part
  try {
    return { ...part, [part.type]: await blobAt(address, signal) }
  } catch (cause) {
    signal.throwIfAborted()
    throw downloadFailed(address, cause)
  }
}
