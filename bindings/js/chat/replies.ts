// Replies to a template's prompts: their parser, and their properties, both determined from the template's text.
import { refuse } from '../wire/errors.js'
import { familyOf, formats } from './formats/index.js'
import type { Replies } from './info.js'
import { ReplyParser, thoughtsOf } from './parser.js'
import type { ParseOptions } from './types.js'

/** The properties of replies to a template's prompts. */
export function repliesOf(source: string): Replies {
  const calls = familyOf(source)
  const { stops, dropped, hasMessages } = formats[calls]
  return { calls, thoughts: thoughtsOf(source), stops, dropped, hasMessages }
}

/** The markers of a template's replies. */
export function markersOf(source: string): string[] {
  const { open, close = [], inner = [], dropped = [] } = formats[familyOf(source)]
  return [...thoughtsOf(source), ...open, ...close, ...inner, ...dropped]
}

/**
 * The parser for a template's replies, given only the template's text. `controls`: the markers that begin with a control token of
 * the vocabulary, with the token's text.
 */
export function parserOf(source: string, options: ParseOptions = {}, controls?: ReadonlyMap<string, string>): ReplyParser {
  const { tools, generationPrompt, calls = true, ...unknown } = options
  const [name] = Object.keys(unknown)
  if (name !== undefined) throw refuse(`parser has no option "${name}"; its options are tools, generationPrompt, calls`)
  if (typeof calls !== 'boolean' && calls !== 'first') throw refuse("parser: calls: expected true, false or 'first'")
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(tool => typeof tool?.function?.name === 'string'))) {
    throw refuse('parser: tools: expected an array of { type, function: { name, parameters } }')
  }
  if (generationPrompt !== undefined && typeof generationPrompt !== 'string') {
    throw refuse('parser: generationPrompt: expected a string')
  }
  const format = formats[familyOf(source)]
  return new ReplyParser(
    calls || format.hasMessages ? format : { ...format, open: [], dropped: [], whole: undefined },
    thoughtsOf(source),
    { tools, generationPrompt, calls },
    controls,
  )
}
