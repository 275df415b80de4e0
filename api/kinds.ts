// The kinds of option values. One convention for layers and positions: layers are counted from 0, and -1 is the input of layer 0;
// positions are counted from 0, and negative ones from the end; in edits of a generated text, from the end of its prompt.
import type { Kind, Range } from './define.js'

/** Describes a range in words, for errors and docstrings. */
export function inWords({ least, above, most, below }: Range): string {
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  const from = least !== undefined ? `at least ${least}` : above !== undefined ? `above ${above}` : ''
  const to = most !== undefined ? `at most ${most}` : below !== undefined ? `below ${below}` : ''
  return [from, to].filter(Boolean).join(' and ')
}

const signs = [
  ['least', '>='],
  ['above', '>'],
  ['most', '<='],
  ['below', '<'],
] as const

/** A finite number. */
export function number(range: Range = {}): Kind {
  const conditions = signs.filter(([end]) => range[end] !== undefined).map(([end, sign]) => `value ${sign} ${range[end]}`)
  const words = inWords(range)
  const read =
    conditions.length > 0 ? `number('${words.replace(/^at/, 'of at')}', value => ${conditions.join(' && ')})` : 'anyNumber'
  return { type: 'number', read, range }
}
/** An integer, up to 2^53 - 1 if there is no other limit. */
export const integer = (least: number, most?: number): Kind => ({
  type: 'number',
  read: most === undefined ? `integer(${least})` : `integer(${least}, ${most})`,
  range: { least, ...(most !== undefined && { most }) },
})
/** An integer that fits in 32 bits, as the engine stores it. */
export const count = (least: number): Kind => ({ type: 'number', read: `count(${least})`, range: { least } })

export const boolean: Kind = { type: 'boolean', read: 'boolean' }
export const text: Kind = { type: 'string', read: 'text' }
export const oneOf = (...words: string[]): Kind => {
  const quoted = words.map(word => `'${word}'`)
  return { type: quoted.join(' | '), read: `oneOf(${quoted.join(', ')})`, words }
}
/** A kind for one of several words, with a public type of its own. */
export const named = (type: string, ...words: string[]): Kind => ({ ...oneOf(...words), type })
export const callback = (type: string): Kind => ({ type, read: `callback as Reader<${type}>` })
export const signal: Kind = { type: 'WebAbortSignal', read: 'signal' }
/** A kind with a reader of its own. */
export const special = (read: string, type: string, wire?: string): Kind => ({ type, read, ...(wire && { wire }) })

export const prompt = special('prompt', 'Prompt', 'WirePrompt')
export const tokenName = special('tokenName', 'string | number', 'TokenName')
/** Indices of layers or heads, from 0. */
export const indices = special('indices', 'readonly number[]', 'number[]')
/** The index of a layer; -1 for the input of layer 0. */
export const stateOfLayer: Kind = { type: 'number', read: 'integer(-1, mostIndex)' }
/** Indices of layers; -1 for the input of layer 0. */
export const statesOfLayers = special('stateLayers', 'readonly number[]', 'number[]')
export const positions = special('places', 'readonly number[]', 'number[]')
export const positionsOrAll = special('placesOrAll', "readonly number[] | 'all'", "number[] | 'all'")
export const position: Kind = { type: 'number', read: 'integer(-mostIndex, mostIndex)' }

export const ofStates = 'from 0; -1 for what enters layer 0'
export const fromEnd = 'from 0; negative ones count from the end'
