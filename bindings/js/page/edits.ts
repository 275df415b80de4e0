// Checks and copies the adapters and edits in a call's options (types/lab.ts).
import type { WireChanges, WireEdit } from '../wire/changes.js'
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

/** More numbers than the states of any model have. */
const mostWidth = 2 ** 20
const vector: Reader<Float32Array> = (value, what) => {
  const items = itemsOf(value, mostWidth)
  if (!items?.every(item => typeof item === 'number')) throw new Mismatch('an array of finite numbers')
  const numbers = Float32Array.from(items as number[])
  const other = numbers.findIndex(one => !Number.isFinite(one))
  if (other >= 0) throw refuse(`${what}: expected finite numbers, got ${items[other]} at index ${other}`)
  return numbers
}
const indices = listOf<number>("'all' or an array of non-negative integers", isIndex)
const positions: Reader<number[] | undefined> = (value, what) => (value === 'all' ? undefined : indices(value, what))
const oneOrMore: Reader<number[]> = (value, what) => (isIndex(value) ? [value] : indices(value, what))
/** A pair of indices. */
export const pair =
  (expected: string): Reader<readonly [number, number]> =>
  value => {
    const items = itemsOf(value)
    if (items?.length === 2 && items.every(isIndex)) return items as [number, number]
    throw new Mismatch(expected)
  }
const pairs: Reader<(readonly [number, number])[]> = (value, what) => {
  const list = itemsOf(value)
  if (list) return list.map(item => matched(what, item, pair('[position here, position there]')))
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
let edges = 0 // so far, in the edits that are being read
const cutOf: Reader<Read<typeof cut>> = (value, what) => {
  const read = readAll(what, value, cut)
  edges += read.query.length * read.key.length
  if (edges > mostEdges) throw refuse(`${what}: ${edges} pairs of a query and a key are more than ${mostEdges}`)
  return read
}
const shapes = {
  patch: { patch: [prompt, required], layer, positions: [pairs, required] },
  cut: { cut: [cutOf, required] },
  mean: { mean: [prompt, required], head, positions },
  replaceHead: { replace: [vector, required], head, positions },
  scale: { scale: [anyNumber, required], head, positions },
  replace: { replace: [vector, required], layer, positions },
  add: { add: [vector, required], layer, scale: [anyNumber, 1], positions },
  addAt: { at, add: [vector, required], scale: [anyNumber, 1], heads: indices, positions },
  replaceAt: { at, replace: [vector, required], heads: indices, positions },
  scaleAt: { at, scale: [anyNumber, required], heads: indices, positions },
} satisfies Record<string, Description>
const edit: Reader<WireEdit> = (value, what) => {
  if (!isObject(value)) throw new Mismatch('an object')
  const has = (name: string) => value[name] !== undefined
  const written = has('add') ? 'add' : has('replace') ? 'replace' : 'scale'
  const shape = has('patch')
    ? 'patch'
    : has('cut')
      ? 'cut'
      : has('at')
        ? (`${written}At` as const)
        : has('head')
          ? has('mean')
            ? 'mean'
            : has('replace')
              ? 'replaceHead'
              : 'scale'
          : has('replace')
            ? 'replace'
            : 'add'
  return readAll(what, value, shapes[shape] as Description) as unknown as WireEdit
}
export const edits: Reader<WireEdit[]> = (value, what) => {
  const list = itemsOf(value, mostEdits)
  edges = 0
  if (list) return list.map((item, index) => matched(`${what}[${index}]`, item, edit))
  throw new Mismatch('an array of edits')
}

/** Names and scales of adapters. */
export const adapters: Reader<NonNullable<WireChanges['adapters']>> = (value, what) => {
  if (!isObject(value)) throw new Mismatch('an object from the names of adapters to their scales')
  return Object.entries(value).map(([name, scale]) => [wellFormed(name), matched(`${what}: ${name}`, scale, anyNumber)])
}
