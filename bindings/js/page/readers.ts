// Readers: each converts a caller's value to plain data and determines which values are accepted. A value is read once and copied,
// because a caller's object may be a proxy, have getters, change later, or come from another realm.
import type { WebAbortSignal } from '../types/web.js'
import { HeedError, refuse } from '../wire/errors.js'

/** Converts a value; `what` names it, such as `generate: topK`. Throws a Mismatch or `invalid-argument`. */
export type Reader<Value> = (value: unknown, what: string) => Value

/** Marks an option that has no default and must be given. */
export const required = Symbol()

/** The options of a call by name: the reader of each and, optionally, its default. */
export type Description = Readonly<Record<string, Reader<unknown> | readonly [read: Reader<unknown>, absent: unknown]>>

/** The options after reading. */
export type Read<Options extends Description> = {
  [Name in keyof Options]: Options[Name] extends readonly [Reader<infer Value>, unknown]
    ? Value
    : Options[Name] extends Reader<infer Value>
      ? Value | undefined
      : never
}

/** Thrown if a value is not what the message expects. */
export class Mismatch extends Error {}

/** The first 80 characters of a value as JSON. Reads at most 80 items of a list, however many it has, or claims to have. */
function beginning(value: unknown): string {
  let left = 80
  const read = (_: string, item: unknown) =>
    left-- <= 0 ? undefined : isList(item) ? Array.prototype.slice.call(item, 0, 80) : item
  return JSON.stringify(value, read).slice(0, 80)
}

/** A value as text for an error message; of a list only its beginning. The conversion itself may throw. */
function show(value: unknown): string {
  try {
    if (typeof value === 'string') return JSON.stringify(value)
    if (isList(value)) return beginning(value)
    if (typeof value === 'function') return 'a function'
    const text = String(value)
    return text === '[object Object]' ? beginning(value) : text
  } catch {
    return typeof value
  }
}

/** Runs a reader on a value. Throws `invalid-argument`, even if reading the value throws something else. */
export function matched<Value>(what: string, value: unknown, read: Reader<Value>): Value {
  try {
    return read(value, what)
  } catch (error) {
    if (error instanceof HeedError) throw error
    if (error instanceof Mismatch) throw refuse(`${what}: expected ${error.message}, got ${show(value)}`)
    throw refuse(`${what}: cannot be read: ${show((error as Error)?.message)}`, error)
  }
}

/**
 * Reads the options of a call, or of an option that is itself an object. Throws `invalid-argument`, and lists the known options,
 * for an unknown one.
 */
export const readAll = <Options extends Description>(what: string, options: unknown, known: Options): Read<Options> =>
  matched(what, options, () => {
    if (!isObject(options)) throw new Mismatch('an object of options')
    const read: Record<string, unknown> = {}
    const given = new Map(Object.entries(options))
    for (const name of given.keys()) {
      if (!Object.hasOwn(known, name))
        throw refuse(`${what} has no option "${name}"; its options are ${Object.keys(known).join(', ')}`)
    }
    for (const [name, described] of Object.entries(known)) {
      const [reader, absent] = [described].flat() as [Reader<unknown>, unknown]
      const one = given.get(name)
      const value = one === undefined ? absent : matched(`${what}: ${name}`, one, reader)
      if (value === required) throw refuse(`${what}: ${name}: required`)
      if (value !== undefined) read[name] = value
    }
    return read as Read<Options>
  })

export const expect =
  <Value>(expected: string, isValid: (value: unknown) => boolean): Reader<Value> =>
  value => {
    if (isValid(value)) return value as Value
    throw new Mismatch(expected)
  }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Whether a value is a RegExp, also one from another realm, such as a frame. */
export const isRegExp = (value: unknown): value is RegExp => Object.prototype.toString.call(value) === '[object RegExp]'
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

/** The limit of items in all lists of a call together: more than any text, vector or map of the largest model has. */
const mostItems = 2 ** 25
let itemsLeft = mostItems
/** Resets the count of list items. Must be called before the arguments of a call are read. */
export const beginReading = () => {
  itemsLeft = mostItems
}
/** The items of a list, holes included; undefined for anything else. They are counted before they are copied. */
export function itemsOf(value: unknown, most = Infinity): unknown[] | undefined {
  if (!isList(value)) return undefined
  const { length } = value
  if (length > most) throw new Mismatch(`at most ${most} items`)
  itemsLeft -= length
  if (itemsLeft < 0) throw new Mismatch(`at most ${mostItems} items in a call`)
  return Array.from(value)
}

const isInteger = (value: unknown, least: number, most: number) =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
/** The largest index, id or count that the engine accepts. */
export const mostIndex = 0x7fffffff
export const isIndex = (value: unknown): value is number => isInteger(value, 0, mostIndex)
export const isText = (value: unknown) => typeof value === 'string' && value !== ''

export const boolean = expect<boolean>('true or false', value => typeof value === 'boolean')
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  expect<number>(most < mostIndex ? `an integer from ${least} to ${most}` : `an integer of at least ${least}`, value =>
    isInteger(value, least, most),
  )
export const count = (least: number) => integer(least, mostIndex)
export const number = (range: string, isInside: (value: number) => boolean) =>
  expect<number>(`a number ${range}`.trimEnd(), value => Number.isFinite(value) && isInside(value as number))
export const anyNumber: Reader<number> = (value, what) => number('', () => true)(value, what)
export const oneOf = <Value extends string>(...values: Value[]) =>
  expect<Value>(values.map(value => `'${value}'`).join(' or '), value => values.includes(value as Value))
export const callback = expect<(value: never) => void>('a function', value => typeof value === 'function')

/** Reads an AbortSignal. As in calls of the web, null means no signal. */
export const signal: Reader<WebAbortSignal | undefined> = value => {
  if (value === null) return undefined
  if (value instanceof AbortSignal) return value
  throw new Mismatch('an AbortSignal')
}

/**
 * The text with each lone surrogate replaced by U+FFFD, as in `fetch`: the engine reads UTF-8, which cannot encode them. All text
 * of callers passes here once, where it enters.
 */
export const wellFormed = (value: string) => value.replace(/\p{Cs}/gu, '\ufffd')
export const text: Reader<string> = value => {
  if (isText(value)) return wellFormed(value as string)
  throw new Mismatch('a non-empty string')
}

/** An object with options of its own. */
export const object =
  <Options extends Description>(known: Options): Reader<Read<Options>> =>
  (value, what) => {
    if (isObject(value)) return readAll(what, value, known)
    throw new Mismatch(`an object { ${Object.keys(known).join(', ')} }`)
  }

/**
 * A deep copy of data, with well-formed text. Functions, and objects with their own validation (Standard Schema), stay as they are.
 */
export function copied(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  const items = itemsOf(value)
  if (items) return items.map(copied)
  if (Object.prototype.toString.call(value) !== '[object Object]' || '~standard' in (value as object)) return value
  const copy = Object.fromEntries(Object.entries(value as object).map(([name, part]) => [wellFormed(name), copied(part)]))
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(value)) // with the methods of a tool that is an instance of a class
}

/** Deeper data is rejected; so are cycles, which are endless. */
const mostDepth = 100

/**
 * A deep copy of data as JSON represents it, with well-formed text. Throws `invalid-argument`, with the place, for anything else.
 */
export function copyOfData(value: unknown, what: string, depth = 0): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value === 'function' || typeof value === 'symbol') throw refuse(`${what}: a ${typeof value} is not data`)
  if (typeof value !== 'object' || value === null) return value
  if (depth > mostDepth) throw refuse(`${what}: nested too deeply`)
  const part = (place: string, one: unknown) => copyOfData(one, depth < 8 ? what + place : what, depth + 1)
  if (Array.isArray(value)) return Array.from(value, (item, at) => part(`[${at}]`, item))
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOfData(value.toJSON(), what, depth + 1) // a Date, a URL
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  if (kind !== 'Object') throw refuse(`${what}: a ${kind} is not data`)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [wellFormed(name), part(`.${name}`, item)]))
}

/** A deep copy of a value of the expected type. */
export const copyOf = <Value>(expected: string, isValid: (value: unknown) => boolean): Reader<Value> => {
  const read = expect<Value>(expected, isValid)
  return (value, what) => copied(read(value, what)) as Value
}
export const isString = (value: unknown): value is string => typeof value === 'string'
export const listOf =
  <Item>(expected: string, isItem: (value: unknown) => boolean, most?: number): Reader<Item[]> =>
  value => {
    const items = itemsOf(value, most)
    if (items?.every(isItem)) return items.map(item => (isString(item) ? wellFormed(item) : item)) as Item[]
    throw new Mismatch(expected)
  }

/** Reads an argument, well-formed. Throws `invalid-argument` if `value` is not a string. */
export const readText = (call: string, value: unknown): string => matched(call, value, copyOf<string>('a string', isString))
