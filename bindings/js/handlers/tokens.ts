// Texts and tokens.
import type { Engine } from '../engine.js'
import { HeedError } from '../errors.js'
import type { Handler } from '../host.js'
import type { TokenizeOptions } from '../types.js'

export const tokenize: Handler<'tokenize'> = ({ engine }, _, call) => idsOf(engine, call.text, call)

export const detokenize: Handler<'detokenize'> = ({ engine }, _, { ids, special, tidySpaces }) =>
  engine.detokenize(ids, special, tidySpaces)

export const idsOf = (
  engine: Engine, prompt: string | number[], { addSpecial = true, parseSpecial = false }: TokenizeOptions = {},
): number[] => typeof prompt === 'string' ? [...engine.tokenize(prompt, addSpecial, parseSpecial)] : prompt

/** The same of what a decoder writes, which beside an encoder begins with a token of its own. */
export function idsToWrite(engine: Engine, prompt: string | number[], options: TokenizeOptions): number[] {
  const { decoderStart } = engine.info()
  if (decoderStart === undefined || typeof prompt !== 'string') return idsOf(engine, prompt, options)
  const { addSpecial = true } = options
  return [...addSpecial ? [decoderStart] : [], ...idsOf(engine, prompt, { ...options, addSpecial: false })]
}

/** Throws `context-overflow`. */
export function checkFits<Ids extends ArrayLike<number>>(engine: Engine, ids: Ids): Ids {
  const { contextLength } = engine.info()
  if (ids.length <= contextLength) return ids
  throw new HeedError('context-overflow', `${ids.length} tokens do not fit in a context of ${contextLength}`)
}
