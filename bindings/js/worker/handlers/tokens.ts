// Handlers for tokenization, and checks of tokens for the other handlers.
import type { TokenizeOptions } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import type { Failure, TokenizeAnswer, TokenizeRequest } from '../../wire/text.js'
import type { WireImage, WirePart, WirePrompt, WireSound, WireText, WireTextImage } from '../../wire/protocol.js'
import type { Engine, PictureReading } from '../engine.js'
import { type CallState, type Handler, type Host, runPass } from '../host.js'

export const tokenize: Handler<'tokenize'> = ({ engine }, _, { prompt, ...form }) => idsOf(engine, prompt, form)

/** Answers the template worker. Calls `crashed` if this ends the engine. */
export function tokenizeFor(templates: MessagePort, engine: Engine, crashed: (failure: Failure) => void): void {
  templates.onmessage = ({ data: { prompt, addSpecial } }: MessageEvent<TokenizeRequest>) => {
    const answer = tokenized(engine, prompt, addSpecial)
    if ('code' in answer && answer.code === 'crashed') crashed(answer)
    templates.postMessage(answer)
  }
}

function tokenized(engine: Engine, prompt: WirePrompt, addSpecial: boolean): TokenizeAnswer {
  try {
    return { ids: idsOf(engine, prompt, { addSpecial }) }
  } catch (error) {
    const { code, message } = HeedError.from(error)
    return { code, message }
  }
}

export const imageTokens: Handler<'imageTokens'> = ({ engine }, _, { width, height, maxImageTokens = 0 }) =>
  engine.planImage(width, height, maxImageTokens)[0]!

export const audioTokens: Handler<'audioTokens'> = ({ engine }, _, { samples }) => engine.planSound(samples)[0]!

export const hear: Handler<'hear'> = ({ engine }, _, { sound, rate }) => engine.hear(sound, rate)

export const detokenize: Handler<'detokenize'> = ({ engine }, _, { ids, special, tidySpaces, bytes }) =>
  engine[bytes ? 'detokenizeBytes' : 'detokenize'](ids, special, tidySpaces)

/** The token ids of a prompt, with -1 for each token of an image or a sound. */
export function idsOf(
  engine: Engine,
  prompt: WirePrompt,
  { addSpecial = true, parseSpecial = false }: TokenizeOptions = {},
): number[] {
  if (Array.isArray(prompt)) return prompt
  if (typeof prompt === 'string') return [...engine.tokenize(prompt, addSpecial, parseSpecial)]
  if (hasMedia(prompt)) return [...engine.planPictures(partsOf(prompt, parseSpecial), addSpecial)]
  return [...engine.tokenizeParts(partsOf(prompt, parseSpecial), addSpecial)]
}

const partsOf = ({ parts }: Parts, parseSpecial: boolean): WirePart[] =>
  parseSpecial ? parts.map(part => (typeof part === 'string' ? { control: part } : part)) : parts

interface Parts {
  parts: WirePart[]
}

const isImage = (part: WirePart): part is WireImage => typeof part === 'object' && 'image' in part
const isSound = (part: WirePart): part is WireSound => typeof part === 'object' && 'audio' in part

/** Whether a prompt has images or sounds. */
export const hasMedia = (prompt: WirePrompt): prompt is Parts =>
  typeof prompt === 'object' && !Array.isArray(prompt) && prompt.parts.some(part => isImage(part) || isSound(part))

/**
 * Runs the towers on the images and sounds of a prompt, one tile or part at a time; returns the reading with the prompt's tokens, which must be
 * freed with `host.handles`. Only within `host.reading`. Throws `aborted`.
 */
export async function picturesOf(
  host: Host,
  state: CallState,
  prompt: Parts,
  { addSpecial = true, parseSpecial = false }: TokenizeOptions,
): Promise<PictureReading> {
  if (state.aborted) throw HeedError.aborted()
  const reading = host.handles.track(host.engine.readPictures(partsOf(prompt, parseSpecial), addSpecial))
  try {
    while (!reading.done())
      await runPass(host, state, () => {
        reading.step()
        return true
      })
    return reading
  } catch (error) {
    host.handles.free(reading)
    throw error
  }
}

/** The places of images among a prompt's tokens: the ones below 0. */
export function imagesOf(engine: Engine, { parts }: Parts, ids: ArrayLike<number>): WireTextImage[] {
  let position = -1
  const next = () => {
    do position++
    while (ids[position]! >= 0)
    return position
  }
  return parts.flatMap(part => {
    if (isSound(part)) for (let left = engine.planSound(part.audio.samples)[1]!; left > 0; left--) next()
    if (!isImage(part)) return []
    const {
      image: { width, height },
      maxImageTokens = 0,
    } = part
    const areas = engine.planImage(width, height, maxImageTokens).subarray(1) // rows of five numbers
    const patches = new Float64Array((areas.length / 5) * 6)
    for (let from = 0, to = 0; from < areas.length; from += 5, to += 6) {
      patches[to] = next()
      patches.set(areas.subarray(from, from + 5), to + 1)
    }
    return [{ width, height, patches }]
  })
}

/** The function that gets a text's tokens, and the places of its images among them. */
type UseTokens<Result> = (ids: number[], images: WireTextImage[]) => Promise<Result>

/**
 * Calls `use` with the tokens of a text, whose images and sounds stay valid until `use` ends. Only within `host.reading`. `toIds`:
 * tokenizes. Throws `context-overflow`, before any image or sound is processed, and `aborted`.
 */
export async function withTokens<Result>(
  host: Host,
  state: CallState,
  { prompt, ...form }: WireText,
  use: UseTokens<Result>,
  toIds: (engine: Engine, prompt: WirePrompt, options: TokenizeOptions, info: Host['info']) => number[] = idsOf,
): Promise<Result> {
  const { engine } = host
  const planned = checkFits(host, toIds(engine, prompt, form, host.info))
  if (!hasMedia(prompt)) return use(planned, [])
  const pictures = await picturesOf(host, state, prompt, form)
  try {
    return await use([...pictures.ids()], imagesOf(engine, prompt, planned))
  } finally {
    host.handles.free(pictures)
  }
}

/**
 * Converts positions, of which negative ones count from the end, to positions counted from 0. Throws `invalid-argument` for a
 * position beyond the text, and for more positions than a context has, whose results would not fit in memory.
 */
export function placesOf(
  { info: { contextLength } }: Host,
  call: string,
  positions: readonly number[],
  { length }: readonly number[],
  option = 'positions',
): number[] {
  if (positions.length > contextLength)
    throw refuse(`${call}: ${option}: ${positions.length} are more than the context's ${contextLength}`)
  return positions.map(position => {
    const place = position < 0 ? length + position : position
    if (place >= 0 && place < length) return place
    throw refuse(`${call}: ${option}: ${position} is out of range for ${length} tokens`)
  })
}

/** The number of tokens to process for the value at a position: tiles of images may have to be processed whole. */
export function endAfter(ids: readonly number[], position: number): number {
  let end = position + 1
  while (ids[end - 1]! < 0 && ids[end]! < 0) end++
  return end
}

/** The tokens of the decoder's text; it begins with a special token if the model also has an encoder. */
export function idsToWrite(engine: Engine, prompt: WirePrompt, options: TokenizeOptions, { decoderStart }: Host['info']): number[] {
  if (decoderStart === undefined || Array.isArray(prompt)) return idsOf(engine, prompt, options)
  const { addSpecial = true } = options
  return [...(addSpecial ? [decoderStart] : []), ...idsOf(engine, prompt, { ...options, addSpecial: false })]
}

/** Returns the tokens. Throws `context-overflow` if they do not fit into the context. */
export function checkFits<Ids extends ArrayLike<number>>({ info: { contextLength } }: Pick<Host, 'info'>, ids: Ids): Ids {
  if (ids.length <= contextLength) return ids
  throw tooLong(ids.length, contextLength)
}

export const tooLong = (tokens: number, contextLength: number) =>
  new HeedError('context-overflow', `${tokens} tokens do not fit in a context of ${contextLength}`)
