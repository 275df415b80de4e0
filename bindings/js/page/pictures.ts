// Prompts with images and sounds: checked at the call, and ready once these are decoded.
import type { ImageSize, ModelInfo, Pixels } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import type { DecodeImage } from '../platform/platform.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { WireImage, WireMedia, WirePart, WirePrompt, WireSound, WireTextImage } from '../wire/protocol.js'
import { readPrompt } from './arguments.js'
import { reading } from './called-from.js'
import { pixelsOf } from './image.js'
import { calls } from './calls.generated.js'
import { readSound } from './audio/read-audio.js'
import type { MediaPart } from './chat/read-messages.js'
import type { PageEngine } from './connection.js'
import { fetched } from './later.js'
import { hasAudio, hasImage, part } from './prompts.js'
import { integer, itemsOf, matched, Mismatch, mostIndex, readAll } from './readers.js'
import { type OfText, textImages, withImages } from './text-images.js'

/** A prompt that may have images or sounds, in which case it is a promise. */
export type PicturePrompt = WirePrompt | Promise<WirePrompt>

/** Decodes images with `decodeImage`, and sounds through `connection`. */
type Decoders = Pick<PageEngine, 'decodeImage' | 'connection'>

/**
 * Throws as `readPrompt` and `readSound` do; the promise rejects with `unsupported` for a model without a projector for these parts, as
 * `pixelsOf` does, and as the engine does for a sound.
 */
export function readPicturePrompt(
  call: string,
  value: unknown,
  info: ModelInfo,
  decoders: Decoders,
  signal?: WebAbortSignal,
): PicturePrompt {
  const parts = reading(() =>
    matched(call, value, () => {
      const list = itemsOf(value)
      if (!list?.some(one => hasImage(one) || hasAudio(one))) return undefined
      return list.map((one): (() => WirePart | Promise<WirePart>) => {
        if (hasImage(one)) return imageReader(call, one, info, decoders.decodeImage, { signal })
        if (hasAudio(one)) return soundReader(call, one, info, decoders, signal)
        const read = matched(call, one, part)
        return () => read
      })
    }),
  )
  if (!parts) return readPrompt(call, value)
  const prompt = Promise.all(parts.map(part => part())).then(parts => ({ parts }))
  prompt.catch(() => {}) // a queued generation awaits it later: until then, an error must not count as unhandled
  return prompt
}

/** Reads the images and sounds of a chat's messages. Throws and rejects as `readPicturePrompt` does. */
export function mediaParts(
  call: string,
  parts: readonly MediaPart[],
  info: ModelInfo,
  decoders: Decoders,
  signal?: WebAbortSignal,
): Promise<WireMedia[]> {
  const readers = parts.map(({ type, image, audio, ...rest }, index): (() => Promise<WireMedia>) =>
    type === 'image'
      ? imageReader(call, { image, ...rest }, info, decoders.decodeImage, { index, signal })
      : soundReader(call, { audio, ...rest }, info, decoders, signal, index),
  )
  return Promise.all(readers.map(read => read()))
}

/** Checks a part with a sound, and copies the sound; the returned function decodes it. */
function soundReader(
  call: string,
  { audio, ...rest }: { audio: unknown },
  info: ModelInfo,
  { connection }: Decoders,
  signal?: WebAbortSignal,
  index?: number,
): () => Promise<WireSound> {
  for (const other of Object.keys(rest)) throw refuse(`${call}: audio has no option "${other}"`)
  const sound = readSound(call, audio)
  return async () => {
    checkAcceptsAudio(call, info)
    try {
      return await heard(sound, connection, signal)
    } catch (cause) {
      const { code, message } = HeedError.from(cause)
      throw new HeedError(code, `${call}: ${message}`, { cause, index })
    }
  }
}

const audioScript = () => fetched('audio.js', import('./audio/script.js'))

/**
 * A sound as samples at `audioRate`. Rejects as `Engine.hear` does, and with `invalid-argument` for a file that cannot be decoded.
 */
export async function heard(
  sound: Parameters<Awaited<ReturnType<typeof audioScript>>['samplesOf']>[0],
  connection: PageEngine['connection'],
  signal?: WebAbortSignal,
): Promise<WireSound> {
  const { samplesOf } = await audioScript()
  const data = await samplesOf(sound, given => connection.call({ type: 'hear', ...given }, { signal }))
  return { audio: { sampleRate: audioRate, samples: data.length, data } }
}

/** Checks the options of a part with an image; the returned function decodes the image. */
function imageReader(
  call: string,
  { image, ...bound }: { image: unknown },
  info: ModelInfo,
  decode: DecodeImage,
  of: Parameters<typeof pixelsOf>[3],
): () => Promise<WireImage> {
  const read = readAll(`${call}: an image`, bound, calls.imageTokens)
  return async () => {
    checkAcceptsImages(call, info)
    const { width, height, data } = await pixelsOf(call, image, decode, of)
    return { image: { width, height, data }, ...read }
  }
}

/** Throws `unsupported` for a model without a projector. */
export function checkAcceptsImages(call: string, { acceptsImages, architecture }: ModelInfo): void {
  if (!acceptsImages)
    throw new HeedError('unsupported', `${call}: ${architecture} reads no images: it was loaded without a projector`)
}

/** Throws `unsupported` for a model without a projector for sounds. */
export function checkAcceptsAudio(call: string, { acceptsAudio, architecture }: ModelInfo): void {
  if (!acceptsAudio)
    throw new HeedError('unsupported', `${call}: ${architecture} hears nothing: it was loaded without a projector for audio`)
}

/** The size of an image, which may be given in its place. Throws as `pixelsOf` does. */
export const sizeOf = async (call: string, image: unknown, decode: DecodeImage): Promise<ImageSize> =>
  readSize(call, image) ?? (await pixelsOf(call, image, decode))

/** A plain { width, height }; undefined for other objects, such as elements, whose intrinsic size counts. */
const readSize = (call: string, image: unknown): ImageSize | undefined =>
  matched(call, image, () => {
    if (Object.prototype.toString.call(image) !== '[object Object]') return undefined
    const { width, height, data } = image as Partial<Pixels>
    if (data !== undefined) return undefined
    const side = integer(1, mostIndex)
    return { width: matched(`${call}: width`, width, side), height: matched(`${call}: height`, height, side) }
  })

/** Samples per second of sounds in prompts. */
export const audioRate = 16_000

const mostSeconds = mostIndex / audioRate

/** The duration of a plain { duration } in seconds; undefined for other values, such as sounds. */
export const durationOf = (call: string, audio: unknown): number | undefined =>
  matched(call, audio, () => {
    if (Object.prototype.toString.call(audio) !== '[object Object]') return undefined
    if (!('duration' in (audio as object)) || 'data' in (audio as object)) return undefined
    const { duration } = audio as { duration: unknown }
    if (typeof duration === 'number' && duration > 0 && duration <= mostSeconds) return duration
    throw new Mismatch('a duration in seconds')
  })

/** Calls `use` at once if there is nothing to decode. */
export const whenDecoded = <Result>(prompt: PicturePrompt, use: (prompt: WirePrompt) => Promise<Result>): Promise<Result> =>
  prompt instanceof Promise ? prompt.then(use) : use(prompt)

/** Makes a call with a text once its images are decoded. */
export async function whenRead<Answer extends { images: readonly WireTextImage[] }>(
  prompt: PicturePrompt,
  use: (prompt: WirePrompt) => Promise<Answer>,
): Promise<OfText<Answer>> {
  const { images, ...answer } = await whenDecoded(prompt, use)
  return { ...answer, ...withImages(textImages(images)) }
}
