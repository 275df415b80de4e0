// Readers of options that describe a constraint: a JSON Schema, a regular expression, texts to choose from.
import { refuse } from '../wire/errors.js'
import type { WireConstraint } from '../wire/constraint.js'
import type { SchemaOptions } from '../wire/options.generated.js'
import { converted } from './chat/parameters.js'
import { CompiledConstraint } from './constraint.js'
import {
  copyOfData,
  integer,
  isObject,
  isRegExp,
  isString,
  isText,
  listOf,
  matched,
  Mismatch,
  oneOf,
  type Reader,
  readAll,
  wellFormed,
} from './readers.js'

/** Returns JSON; a text is used as it is, so that its keys keep their order and its numbers their spelling. */
export const jsonSchema: Reader<string> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  if (typeof value === 'boolean') return JSON.stringify(value)
  const schema = converted(value, what)
  if (!isObject(schema)) throw new Mismatch('a JSON schema')
  return JSON.stringify(copyOfData(schema, what))
}

/** Flags that change how matches are searched for, or how an expression is written, but not which texts match as a whole. */
const withoutEffect = /^[dguvy]*$/
/** The classes of an expression, up to the first bracket inside, and its escapes: flags may change how these are read. */
const classesOf = (source: string) => (source.match(/\\.|\[(?:\\.|[^\\\]])*/gs) ?? []).filter(part => part.startsWith('['))
const escapesOf = (source: string) => source.match(/\\u\{|\\./gs) ?? []

/** Expressions are read as with the flag u. Throws if an expression's own flags give it another meaning. */
export const regex: Reader<string> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  if (!isRegExp(value)) throw new Mismatch('a RegExp or a string')
  const { flags, source } = value
  if (!withoutEffect.test(flags)) throw refuse(`${what}: the flags "${flags}" are not supported: only those of d, g, u, v and y`)
  if (flags.includes('v') && classesOf(source).some(part => /\\q|\[|&&|--/.test(part.slice(1).replace(/\\[^q]/gs, '')))) {
    throw refuse(`${what}: classes within classes and operations on them, of the flag v, are not supported`)
  }
  if (!/[uv]/.test(flags) && escapesOf(source).some(escape => /^\\(?:[pP]|u\{)/.test(escape))) {
    throw refuse(`${what}: \\p and \\u{…} are characters only with the flag u`)
  }
  return wellFormed(source)
}

/** A constraint whose expression matches any of `texts`. */
export type Choices = WireConstraint & { readonly texts: readonly string[] }

export const choices: Reader<Choices> = (value, what) => {
  const texts = listOf<string>('an array of non-empty texts', isText)(value, what)
  if (texts.length === 0) throw new Mismatch('at least one text')
  return { notation: 'regex', text: texts.map(one => one.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), texts }
}

export const whitespace: Reader<NonNullable<SchemaOptions['whitespace']>> = (value, what) =>
  isObject(value) ? readAll(what, value, { indent: [integer(0, 10), 0] }) : oneOf('any', 'compact')(value, what)

/** Returns the JSON text of each schema by its URI, as `jsonSchema` reads it. */
export const schemas: Reader<Record<string, string>> = (value, what) => {
  if (!isObject(value)) throw new Mismatch('an object from URIs to JSON schemas')
  return Object.fromEntries(
    Object.entries(value).map(([uri, schema]) => [wellFormed(uri), matched(`${what}: ${JSON.stringify(uri)}`, schema, jsonSchema)]),
  )
}

/** A reader of a constraint in this notation, from a reader of its text. */
export const inNotation =
  (notation: WireConstraint['notation'], read: Reader<string>): Reader<WireConstraint> =>
  (value, what) => ({ notation, text: read(value, what) })

export const constraint: Reader<WireConstraint> = value => {
  const source = CompiledConstraint.sourceOf(value)
  if (source) return source
  throw new Mismatch('a constraint of `compile`')
}
