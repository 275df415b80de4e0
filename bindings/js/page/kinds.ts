// The readers of options that are more than a number, a word or a list: limits, tokens, checksums, templates. calls.ts, which is
// generated from the contract in api/, says which option uses which reader.
import { assetNames } from '../platform/assets.js'
import type { LoadOptions, ModelSource } from '../types/index.js'
import type { WebUrl } from '../types/web.js'
import { refuse } from '../wire/errors.js'
import type { TokenName } from '../wire/protocol.js'
import type { ChatOptions } from './chat/chat-options.generated.js'
import { readSum } from './checksum.js'
import { isPlace, pair } from './edits.js'
import {
  copyOf,
  copyOfData,
  count,
  type Description,
  expect,
  isIndex,
  isList,
  isObject,
  isString,
  isText,
  itemsOf,
  listOf,
  matched,
  Mismatch,
  mostIndex,
  object,
  oneOf,
  type Read,
  type Reader,
  readAll,
  wellFormed,
  text,
} from './readers.js'

/** The maximum number of selected layers, heads or tokens: more than any model or figure has. */
const mostChosen = 2 ** 16
export const indices = listOf<number>('an array of non-negative integers', isIndex, mostChosen)
/** Reads a limit of tokens; Infinity stands for the remaining room in the context. */
export const tokenLimit: Reader<number> = (value, what) => (value === Infinity ? mostIndex : count(1)(value, what))
/** The maximum number of stop texts, since all are searched for after each token. */
const mostStops = 4096
const texts = listOf<string>('a non-empty string or an array of them', isText, mostStops)
export const stop: Reader<string[]> = (value, what) => texts(isString(value) ? [value] : value, what)
export const logitBias: Reader<[number, number][]> = value => {
  if (isObject(value)) {
    const entries = (value instanceof Map ? [...value] : Object.entries(value)).map(([id, bias]) => [Number(id), bias])
    if (entries.every(([id, bias]) => isIndex(id) && typeof bias === 'number' && !Number.isNaN(bias) && bias !== Infinity)) {
      return entries as [number, number][]
    }
  }
  throw new Mismatch('an object or Map from token ids to numbers or -Infinity')
}

const isAddress = (value: unknown) => isString(value) || value instanceof URL
const assetsByName = object(Object.fromEntries(assetNames.map(name => [name, expect<string | WebUrl>('a URL', isAddress)])))
export const assets: Reader<NonNullable<LoadOptions['assets']>> = (value, what) => {
  if (isAddress(value)) return value as string | WebUrl
  if (isObject(value)) return assetsByName(value, what)
  throw new Mismatch('a URL, or an object from file names to URLs')
}

/** Returns the checksums in hexadecimal. */
export const integrity: Reader<string[]> = value => {
  const sums = (itemsOf(value) ?? [value]).map(sum => (isString(sum) ? readSum(sum) : undefined))
  if (sums.length > 0 && sums.every(sum => sum !== undefined)) return sums as string[]
  throw new Mismatch("'sha256-' and a SHA-256 in hexadecimal or Base64, or an array of these")
}

export const endpoint = expect<string>('an https: URL', value => isString(value) && /^https?:/i.test(value) && URL.canParse(value))
/** Reads an access token. Errors omit the value, because it is secret. */
export const token: Reader<string> = (value, what) => {
  if (isString(value) && /^[!-~]+$/.test(value)) return value
  throw refuse(`${what}: expected a string of visible ASCII characters`)
}
export const cache = expect<boolean | 'reload'>(
  "true, false or 'reload'",
  value => typeof value === 'boolean' || value === 'reload',
)

/** Layers of states: -1 for the input of layer 0. */
export const stateLayers = listOf<number>('an array of layers, from -1 on', value => value === -1 || isIndex(value), mostChosen)
/** Positions: negative ones count from the end. */
export const places = listOf<number>('an array of integers', isPlace)
export const placesOrAll: Reader<number[] | 'all'> = (value, what) => (value === 'all' ? value : places(value, what))
export const somePlaces: Reader<number[]> = (value, what) => {
  const list = places(value, what)
  if (list.length === 0) throw new Mismatch('an array of at least one position')
  return list
}
export const pointNames: Reader<string[]> = (value, what) => {
  const list = itemsOf(value, mostChosen)
  if (!list || list.length === 0) throw new Mismatch('an array of at least one name of a point')
  return list.map(one => matched(what, one, text))
}
export const tokenName: Reader<TokenName> = value => {
  if (isIndex(value)) return value
  if (isString(value) && isText(value)) return wellFormed(value)
  throw new Mismatch("a token's text or id")
}
export const tokenNames: Reader<TokenName[]> = (value, what) => {
  const list = itemsOf(value, mostChosen)
  if (list) return list.map(one => matched(what, one, tokenName))
  throw new Mismatch('an array of texts and ids of tokens')
}
/** A temperature, or several. */
export const temperatures: Reader<number[]> = (value, what) => {
  const isTemperature = (one: unknown) => Number.isFinite(one) && (one as number) >= 0
  const list = listOf<number>(
    'a number of at least 0, or an array of them',
    isTemperature,
    16,
  )(isList(value) ? value : [value], what)
  if (list.length > 0) return list
  throw new Mismatch('at least one temperature')
}
export const firstAndLast = pair('[first, last]')
/** Whether the model's own draft heads are used, or the file of a separate draft model. */
export interface DraftChoice {
  own: 'auto' | 'heads' | 'off'
  file?: ModelSource
}
export const draft: Reader<DraftChoice> = value => {
  if (value === 'auto') return { own: value }
  return typeof value === 'boolean' ? { own: value ? 'heads' : 'off' } : { own: 'off', file: value as ModelSource }
}
export const sources: Reader<[string, ModelSource][]> = value => {
  if (isObject(value)) return Object.entries(value) as [string, ModelSource][]
  throw new Mismatch('an object from the names of adapters to their sources')
}
export const speculate: Reader<boolean> = (value, what) => oneOf('auto', 'off')(value, what) === 'auto'
/** The number of tokens to keep when the context is full, read from an object. */
export const kept =
  (known: { keep: readonly [Reader<number>, unknown] }): Reader<number> =>
  (value, what) =>
    object(known)(value, what).keep
/** The attention to report: true for all of it, or a selection read from an object by these options; undefined for none. */
export const recorded =
  <Known extends Description>(known: Known): Reader<Read<Known> | undefined> =>
  (value, what) => {
    if (value === false) return undefined
    if (value !== true && !isObject(value)) throw new Mismatch('true, false or { layers, heads, of }')
    return readAll(what, value === true ? {} : value, known)
  }

/** A reader of `think`: a boolean (whether to reason), or an object with these options (how long). */
export const thinking =
  <Known extends Description>(known: Known): Reader<boolean | Read<Known>> =>
  (value, what) => {
    if (typeof value === 'boolean') return value
    if (isObject(value)) return readAll(what, value, known)
    throw new Mismatch('true, false or { maxTokens, message }')
  }

export const variables: Reader<Record<string, unknown>> = (value, what) => {
  if (isObject(value)) return copyOfData(value, what) as Record<string, unknown>
  throw new Mismatch('an object')
}
export const template = copyOf<NonNullable<ChatOptions['template']>>(
  'a name, Jinja or { jinja }',
  value => isString(value) || (isObject(value) && isString(value.jinja)),
)
export const now: Reader<Date> = value => {
  const date = new Date(value instanceof Date || isString(value) ? value : NaN)
  if (!Number.isNaN(+date)) return date
  throw new Mismatch('a Date or an ISO date')
}
