// Checks and copies the adapters and edits in a call's options (types/lab.ts).
import type { WireChanges, WireDictionary, WireEdit } from '../wire/changes.js'
import { refuse } from '../wire/errors.js'
import {
  anyNumber,
  type Description,
  integer,
  isIndex,
  isObject,
  itemsOf,
  listOf,
  matched,
  Mismatch,
  mostIndex,
  type Read,
  type Reader,
  readAll,
  required,
  text,
  wellFormed,
} from './readers.js'
import { prompt } from './prompts.js'

const layer = [integer(-1, mostIndex), required] as const
const place = integer(0, mostIndex)

/** The longest vector that is accepted: longer than the states of any model. */
const mostWidth = 2 ** 20
const vector: Reader<Float32Array> = (value, what) => {
  const items = itemsOf(value, mostWidth)
  if (!items?.every(item => typeof item === 'number')) throw new Mismatch('an array of finite numbers')
  const numbers = Float32Array.from(items as number[])
  const other = numbers.findIndex(one => !Number.isFinite(one))
  if (other >= 0) throw refuse(`${what}: expected finite numbers, got ${items[other]} at index ${other}`)
  return numbers
}
const indices = listOf<number>('an array of non-negative integers', isIndex)
/** Whether a value is a position: an integer, negative if it counts from the end. */
export const isPlace = (value: unknown): value is number => isIndex(Math.abs(value as number))
const listOfPlaces = listOf<number>("'all' or an array of integers", isPlace)
const positions: Reader<number[] | undefined> = (value, what) => (value === 'all' ? undefined : listOfPlaces(value, what))
const oneOrMore: Reader<number[]> = (value, what) => (isPlace(value) ? [value] : listOfPlaces(value, what))
/** A pair of indices. */
export const pair =
  (expected: string, isOne: (value: unknown) => boolean = isIndex): Reader<readonly [number, number]> =>
  value => {
    const items = itemsOf(value)
    if (items?.length === 2 && items.every(isOne)) return items as [number, number]
    throw new Mismatch(expected)
  }
const pairs: Reader<(readonly [number, number])[]> = (value, what) => {
  const list = itemsOf(value)
  if (list) return list.map(item => matched(what, item, pair('[position here, position there]', isPlace)))
  throw new Mismatch('an array of [position here, position there]')
}
const at = [text, required] as const
const head = [pair('[layer, head]'), required] as const

/** The most edits of a call, since each costs time in each pass. */
const mostEdits = 2 ** 16
/** The most pairs of a query and a key in the edits of a call. */
const mostEdges = 2 ** 21

const cut = {
  layer: [place, required],
  head: place,
  query: [oneOrMore, required],
  key: [oneOrMore, required],
} satisfies Description
let edges = 0 // number so far, in the edits that are being read
const cutOf: Reader<Read<typeof cut>> = (value, what) => {
  const read = readAll(what, value, cut)
  edges += read.query.length * read.key.length
  if (edges > mostEdges) throw refuse(`${what}: ${edges} pairs of a query and a key are more than ${mostEdges}`)
  return read
}
/** Accepts anything with a `direction` method; the lab's script, which makes dictionaries, checks the rest. */
const dictionary: Reader<WireDictionary> = value => {
  if (isObject(value) && typeof value.direction === 'function') return value as unknown as WireDictionary
  throw new Mismatch('what model.loadFeatures gives')
}
const feature: Reader<readonly [WireDictionary, number]> = (value, what) => {
  const items = itemsOf(value)
  if (items?.length !== 2 || !isIndex(items[1])) throw new Mismatch('[sae, feature]')
  const sae = matched(what, items[0], dictionary)
  sae.direction(items[1]) // throws for a feature that it does not have
  return [sae, items[1]]
}

/** The forms of an edit, in order: the first whose `names` are all properties of the edit applies. */
const forms: readonly (readonly [names: readonly string[], options: Description])[] = [
  [['feature', 'clamp'], { feature: [feature, required], clamp: [anyNumber, required], positions }],
  [['feature'], { feature: [feature, required], scale: [anyNumber, required], positions }],
  [['splice'], { splice: [dictionary, required], positions }],
  [['at', 'patch'], { at, patch: [prompt, required], heads: indices, positions: [pairs, required] }],
  [['patch'], { patch: [prompt, required], layer, positions: [pairs, required] }],
  [['cut'], { cut: [cutOf, required] }],
  [['at', 'add'], { at, add: [vector, required], scale: [anyNumber, 1], heads: indices, positions }],
  [['at', 'replace'], { at, replace: [vector, required], heads: indices, positions }],
  [['at', 'mean'], { at, mean: [prompt, required], heads: indices, positions }],
  [['at'], { at, scale: [anyNumber, required], heads: indices, positions }],
  [['head', 'mean'], { mean: [prompt, required], head, positions }],
  [['head', 'replace'], { replace: [vector, required], head, positions }],
  [['head'], { scale: [anyNumber, required], head, positions }],
  [['replace'], { replace: [vector, required], layer, positions }],
  [[], { add: [vector, required], layer, scale: [anyNumber, 1], positions }],
]
const edit: Reader<WireEdit> = (value, what) => {
  if (!isObject(value)) throw new Mismatch('an object')
  const [, options] = forms.find(([names]) => names.every(name => value[name] !== undefined))!
  return readAll(what, value, options) as unknown as WireEdit
}
export const edits: Reader<WireEdit[]> = (value, what) => {
  const list = itemsOf(value, mostEdits)
  edges = 0
  if (list) return list.map((item, index) => matched(`${what}[${index}]`, item, edit))
  throw new Mismatch('an array of edits')
}

/** Reads an object that has a scale for each adapter name. */
export const adapters: Reader<NonNullable<WireChanges['adapters']>> = (value, what) => {
  if (!isObject(value)) throw new Mismatch('an object from the names of adapters to their scales')
  return Object.entries(value).map(([name, scale]) => [wellFormed(name), matched(`${what}: ${name}`, scale, anyNumber)])
}
