// Conversations that contain images and sounds: as messages for a model, and as JSON, as in OpenAI's API.
import { HeedError } from 'heed'
import type { Messages, Model } from './files.js'
import { fileOf, type KindName, type Medium, mediumFrom } from './media.js'

type Message = Messages[number]
type Part = Exclude<Message['content'], string | null | undefined>[number]

export const partOf = (medium: Medium): Part => ({ type: 'image' in medium ? 'image' : 'audio', ...medium })

/** Messages for JSON: images become data: addresses, and sounds Base64. Other programs may need the media type. */
export const withAddresses = (messages: Messages): Messages =>
  messages.map((message): Message => {
    const { content } = message
    return Array.isArray(content) ? { ...message, content: content.map(toAddress) } : message
  })

function toAddress(part: Part): Part {
  if (part.type === 'image') {
    const file = fileOf(part.image as object)
    return { type: 'image_url', image_url: { url: `data:${mediaType(file)};base64,${base64(file)}` } }
  }
  if (part.type === 'audio')
    return { type: 'input_audio', input_audio: { data: base64(fileOf(part.audio as object)), format: 'wav' } }
  return part
}

const base64 = (file: Uint8Array) => Buffer.from(file).toString('base64')
const mediaType = (bytes: Uint8Array) => (bytes[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** Reverses `withAddresses`. Throws for images at other addresses, and for sounds that the model cannot read. */
export const withFiles = (messages: Messages, name: string, model: Model): Promise<Messages> =>
  Promise.all(
    messages.map(async (message, at): Promise<Message> => {
      const { content } = message
      if (!Array.isArray(content)) return message
      const read = (part: Part, index: number) => fromAddress(part, `${name}: messages[${at}].content[${index}]`, model)
      return { ...message, content: await Promise.all(content.map(read)) }
    }),
  )

async function fromAddress(part: Part, place: string, model: Model): Promise<Part> {
  const read = async (kind: KindName, packed: string) => partOf(await mediumFrom(kind, Buffer.from(packed, 'base64'), place, model))
  if (part.type === 'image_url') {
    const { url } = (part.image_url ?? {}) as { url?: unknown }
    const [, packed] = /^data:[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
    if (packed === undefined) throw new HeedError('unsupported', `${place}: the image is not at a data: address in Base64`)
    return read('image', packed)
  }
  if (part.type === 'input_audio') {
    const { data } = (part.input_audio ?? {}) as { data?: unknown }
    if (typeof data !== 'string') throw new HeedError('unsupported', `${place}: the sound has no data in Base64`)
    return read('audio', data)
  }
  return part
}
