// Handlers for tokenization, and checks of tokens for the other handlers.
import type { TokenizeOptions } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { WirePrompt } from '../../wire/protocol.js'
import type { Engine } from '../engine.js'
import type { Handler } from '../host.js'

export const tokenize: Handler<'tokenize'> = ({ engine }, _, call) => idsOf(engine, call.prompt, call)

export const detokenize: Handler<'detokenize'> = ({ engine }, _, { ids, special, tidySpaces }) =>
  engine.detokenize(ids, special, tidySpaces)

export function idsOf(
  engine: Engine, prompt: WirePrompt, { addSpecial = true, parseSpecial = false }: TokenizeOptions = {},
): number[] {
  if (Array.isArray(prompt)) return prompt
  if (typeof prompt === 'string') return [...engine.tokenize(prompt, addSpecial, parseSpecial)]
  const parts = parseSpecial ? prompt.parts.map(part => typeof part === 'string' ? { control: part } : part) : prompt.parts
  return [...engine.tokenizeParts(parts, addSpecial)]
}

/** The tokens of the decoder's text, which begins with a special token if there is also an encoder. */
export function idsToWrite(engine: Engine, prompt: WirePrompt, options: TokenizeOptions): number[] {
  const { decoderStart } = engine.info()
  if (decoderStart === undefined || Array.isArray(prompt)) return idsOf(engine, prompt, options)
  const { addSpecial = true } = options
  return [...addSpecial ? [decoderStart] : [], ...idsOf(engine, prompt, { ...options, addSpecial: false })]
}

/** Throws `context-overflow`. */
export function checkFits<Ids extends ArrayLike<number>>(engine: Engine, ids: Ids): Ids {
  const { contextLength } = engine.info()
  if (ids.length <= contextLength) return ids
  throw tooLong(ids.length, contextLength)
}

export const tooLong = (tokens: number, contextLength: number) =>
  new HeedError('context-overflow', `${tokens} tokens do not fit in a context of ${contextLength}`)
