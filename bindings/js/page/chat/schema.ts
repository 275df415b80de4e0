// Checks the schemas of tools, and arguments against them. Supports the part of JSON Schema that tool descriptions use, and ignores
// other keywords; the tool itself makes the final check.
import { accepts, Schemas } from '../../chat/kinds.js'
import { isObject } from '../readers.js'

/** Whether a value can be the JSON schema of arguments, which form an object. */
export const isSchema = (value: unknown): boolean => {
  const { type = 'object', properties = {} } = (value ?? {}) as { type?: unknown; properties?: unknown }
  return isObject(value) && [type].flat().includes('object') && isObject(properties)
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
/** An integer as bigint, whatever its type; other numbers stay as they are. */
const exact = (value: number | bigint) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value)

/** Whether two values are equal as JSON: the order of properties does not matter, nor how an integer is represented. */
function same(one: unknown, other: unknown): boolean {
  if (isNumber(one) && isNumber(other)) return exact(one) === exact(other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every(name => Object.hasOwn(other, name) && same(one[name as keyof typeof one], other[name as keyof typeof other]))
  )
}

const shown = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part))
const mostDepth = 50

/** A description of a mismatch, with its path; undefined if the value is valid. */
export const mismatch = (value: unknown, schema: unknown, where: string): string | undefined =>
  mismatchIn(new Schemas(schema), value, schema, where, 0)

function mismatchIn(schemas: Schemas, value: unknown, schema: unknown, where: string, depth: number): string | undefined {
  if (!isObject(schema) || depth > mostDepth) return undefined
  const kinds = schemas.kinds(schema)
  if (!accepts(kinds, value)) return `${where}: expected ${kinds.types.join(' or ')}`
  if (value === null && schema.nullable === true) return undefined
  const inner = (part: unknown, of: unknown, place = where) => mismatchIn(schemas, part, of, place, depth + 1)
  for (const part of schemas.parts(schema)) {
    const {
      enum: choices,
      properties,
      required,
      additionalProperties,
      items,
      anyOf,
      oneOf,
    } = part as Readonly<Record<string, unknown>>
    if (Array.isArray(choices) && !choices.some(choice => same(choice, value))) return `${where}: expected one of ${shown(choices)}`
    if ('const' in part && !same(part.const, value)) return `${where}: expected ${shown(part.const)}`
    for (const options of [anyOf, oneOf]) {
      if (!Array.isArray(options) || options.length === 0) continue
      const wrong = options.map(one => inner(value, one))
      const nearest = options.findIndex(one => accepts(schemas.kinds(one), value))
      if (!wrong.includes(undefined)) return wrong[nearest]
    }
    if (Array.isArray(value) && isObject(items)) {
      for (const [at, item] of value.entries()) {
        const wrong = inner(item, items, `${where}[${at}]`)
        if (wrong) return wrong
      }
    }
    if (!isObject(value)) continue
    const missing = Array.isArray(required) ? required.find(name => !Object.hasOwn(value, name as string)) : undefined
    if (missing !== undefined) return `${where}: "${missing}" is missing`
    for (const [name, member] of Object.entries(value)) {
      const known = isObject(properties) && Object.hasOwn(properties, name)
      if (!known && additionalProperties === false && !isObject(part.patternProperties)) return `${where}: "${name}" is not allowed`
      const wrong = known ? inner(member, properties[name], `${where}.${name}`) : undefined
      if (wrong) return wrong
    }
  }
  return undefined
}
