// Prompts with images: read at the call, and ready once their images are decoded.
import type { ModelInfo } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { WirePart, WirePrompt } from '../wire/protocol.js'
import { readPrompt } from './arguments.js'
import { reading } from './called-from.js'
import { type DecodeImage, pixelsOf } from './image.js'
import { hasImage, part } from './options.js'
import { itemsOf, matched } from './readers.js'

/** A prompt that may have images, in which case it is a promise. */
export type PicturePrompt = WirePrompt | Promise<WirePrompt>

/** Throws as `readPrompt` does; the promise rejects with `unsupported` for a model without a projector, and as `pixelsOf` does. */
export function readPicturePrompt(call: string, value: unknown, info: ModelInfo, decode: DecodeImage): PicturePrompt {
  const parts = reading(() => matched(call, value, () => {
    const list = itemsOf(value)
    if (!list?.some(hasImage)) return undefined
    return list.map((one): () => WirePart | Promise<WirePart> => {
      if (!hasImage(one)) {
        const read = matched(call, one, part)
        return () => read
      }
      const { image } = one
      return () => pixels(call, image, info, decode)
    })
  }))
  if (!parts) return readPrompt(call, value)
  const prompt = Promise.all(parts.map(part => part())).then(parts => ({ parts }))
  prompt.catch(() => {})  // a generation that waits for others takes it later
  return prompt
}

async function pixels(call: string, image: unknown, { readsImages, architecture }: ModelInfo, decode: DecodeImage): Promise<WirePart> {
  if (!readsImages) throw new HeedError('unsupported', `${call}: ${architecture} reads no images: it was loaded without a projector`)
  const { width, height, data } = await pixelsOf(call, image, decode)
  return { image: { width, height, data } }
}

/** Calls `use` at once if there are no images. */
export const whenDecoded = <Result>(prompt: PicturePrompt, use: (prompt: WirePrompt) => Promise<Result>): Promise<Result> =>
  prompt instanceof Promise ? prompt.then(use) : use(prompt)
