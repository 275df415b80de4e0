// Prompts with images: checked at the call, and ready once their images are decoded.
import type { ImageSize, ModelInfo, Pixels } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import type { DecodeImage } from '../platform/platform.js'
import { HeedError } from '../wire/errors.js'
import type { WireImage, WirePart, WirePrompt, WireTextImage } from '../wire/protocol.js'
import { readPrompt } from './arguments.js'
import { reading } from './called-from.js'
import { pixelsOf } from './image.js'
import { calls } from './calls.js'
import { hasImage, part } from './prompts.js'
import { integer, itemsOf, matched, mostIndex, readAll } from './readers.js'
import { type OfText, textImages, withImages } from './text-images.js'

/** A prompt that may have images, in which case it is a promise. */
export type PicturePrompt = WirePrompt | Promise<WirePrompt>

/** Throws as `readPrompt` does; the promise rejects with `unsupported` for a model without a projector, and as `pixelsOf` does. */
export function readPicturePrompt(
  call: string,
  value: unknown,
  info: ModelInfo,
  decode: DecodeImage,
  signal?: WebAbortSignal,
): PicturePrompt {
  const parts = reading(() =>
    matched(call, value, () => {
      const list = itemsOf(value)
      if (!list?.some(hasImage)) return undefined
      return list.map((one): (() => WirePart | Promise<WirePart>) => {
        if (hasImage(one)) return imageReader(call, one, info, decode, { signal })
        const read = matched(call, one, part)
        return () => read
      })
    }),
  )
  if (!parts) return readPrompt(call, value)
  const prompt = Promise.all(parts.map(part => part())).then(parts => ({ parts }))
  prompt.catch(() => {}) // a generation that waits for others awaits it later
  return prompt
}

/** Reads the images of a chat's messages. Throws and rejects as `readPicturePrompt` does. */
export function imageParts(
  call: string,
  parts: readonly Readonly<Record<string, unknown>>[],
  info: ModelInfo,
  decode: DecodeImage,
  signal?: WebAbortSignal,
): Promise<WireImage[]> {
  const readers = parts.map(({ type, image, ...bound }, index) =>
    imageReader(call, { image, ...bound }, info, decode, { index, signal }),
  )
  return Promise.all(readers.map(read => read()))
}

/** Checks the rest of a part with an image; the returned function decodes the image. */
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

/** Throws as `pixelsOf` does. */
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

/** Calls `use` at once if there are no images. */
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
