// The images of conversations. `data:` and `blob:` addresses are read here; other addresses are fetched only if the client permits
// it.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import type { WebBlob } from '../../types/web.js'
import { HeedError } from '../../wire/errors.js'
import { blobAt, isLocal } from '../addresses.js'
import { ParameterError } from './errors.js'
import { fields, noEffect, type Reader, show, text } from './read.js'
import { ofSchemas } from './offered.generated.js'
import type { ClientOptions, FetchImages } from './types.js'
import { ofImages, ofParts } from './unread.js'

const fetchImages: Reader<FetchImages> = (value, param) => {
  if (typeof value === 'boolean' || typeof value === 'function') return value as FetchImages
  throw new ParameterError(param, `expected true, false or a function, got ${show(value)}`)
}

const onWarning: Reader<ClientOptions['onWarning']> = (value, param) => {
  if (typeof value === 'function') return value as ClientOptions['onWarning']
  throw new ParameterError(param, `expected a function, got ${show(value)}`)
}

export const readClientOptions = (options: unknown): ClientOptions =>
  fields({ fetchImages, onWarning, ...ofSchemas })(options ?? {}, 'options')

export const detail = noEffect('images have the resolution that the model chooses', 'auto')
const readImage = fields({ type: text, image_url: fields({ url: text, detail, ...ofImages }), ...ofParts })

/** The parameter that holds an image or a sound. An image of an earlier response is attributed to `previous_response_id`. */
const paramOf = ({ part, field }: Partial<Addressed>) =>
  part === undefined ? 'previous_response_id' : `${part}.${field ?? 'input_audio'}`

/** A message's part with the address of an image that is yet to be fetched; its parameter is `part`.`field`. */
interface Addressed extends ContentPart {
  readonly image: string
  readonly part: string
  readonly field: string
}

/** The image whose address is the `field` of `part`. Throws a ParameterError if the address is missing. */
export function imageOf(address: string | undefined, part: string, field: string): Addressed {
  if (address === undefined) throw new ParameterError(`${part}.${field}`, 'missing')
  return { type: 'image', image: address, part, field }
}

export const imagePart: Reader<ContentPart> = (value, param, warn) => {
  const { image_url: image } = readImage(value, param, warn)
  return imageOf(image?.url, param, image ? 'image_url.url' : 'image_url')
}

/**
 * Messages with their images and sounds, and the names of these parts' parameters, in order. The images of earlier responses have
 * been read already.
 */
export interface WithImages {
  readonly messages: readonly ChatMessage[]
  readonly params: readonly string[]
}

/** Fetches the images of messages. Throws a ParameterError if one cannot be loaded, and `aborted`. */
export async function withImages(
  messages: readonly ChatMessage[],
  { acceptsImages, acceptsAudio }: ModelInfo,
  fetching: FetchImages,
  signal: AbortSignal | undefined,
): Promise<WithImages> {
  const params: string[] = []
  const fetched = messages.map(async message => {
    const { content } = message
    if (!Array.isArray(content)) return message
    return {
      ...message,
      content: await Promise.all(
        content.map(async (one: ContentPart) => {
          if (one.type !== 'image' && one.type !== 'audio') return one
          const { part, image } = one as Partial<Addressed>
          const param = paramOf(one as Partial<Addressed>)
          if (!(one.type === 'image' ? acceptsImages : acceptsAudio)) {
            const lacks = one.type === 'image' ? 'reads no images' : 'hears nothing'
            const problem = `the model ${lacks}: it was loaded without a projector${one.type === 'image' ? '' : ' for audio'}`
            throw new ParameterError(part === undefined ? param : `${part}.type`, problem, 'unsupported')
          }
          params.push(param)
          if (one.type === 'audio') return { type: 'audio', audio: one.audio }
          return part === undefined ? one : { type: 'image', image: await imageAt(image!, param, fetching, signal) }
        }),
      ),
    }
  })
  return { messages: await Promise.all(fetched), params }
}

async function imageAt(url: string, param: string, fetching: FetchImages, signal: AbortSignal | undefined): Promise<WebBlob> {
  if (!isLocal(url) && !fetching) {
    const problem = `${show(url)} is not fetched: give the image as a data: or blob: address, or allow this client to fetch with \`fetchImages\``
    throw new ParameterError(param, problem, 'unsupported')
  }
  try {
    signal?.throwIfAborted()
    if (isLocal(url)) return await blobAt(url, signal)
    const blob = await (typeof fetching === 'function' ? fetching(url, signal) : download(url, signal))
    if (typeof (blob as Partial<Blob> | undefined)?.arrayBuffer === 'function') return blob
    throw new TypeError(`fetchImages: expected a Blob, got ${show(blob)}`)
  } catch (error) {
    if (signal?.aborted) throw HeedError.aborted(signal)
    const problem = `the image cannot be fetched: ${(error as Error)?.message ?? error}`
    throw new ParameterError(param, problem, isLocal(url) ? 'invalid-argument' : 'network')
  }
}

async function download(url: string, signal: AbortSignal | undefined): Promise<Blob> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new TypeError(`status ${response.status}`)
  return response.blob()
}

/** Converts an error about an image or a sound to one that names its parameter; returns other errors unchanged. */
export function named(error: unknown, { params }: WithImages): unknown {
  if (!(error instanceof HeedError) || error.index === undefined) return error
  return new ParameterError(params[error.index]!, error.message.replace(/^chat: /, ''), error.code)
}
