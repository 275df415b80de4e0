// Checks the schemas of tools, and arguments against them. This supports the part of JSON Schema that descriptions of tools use, and ignores other
// keywords; the tool itself makes the final check.
import { isObject } from '../readers.js'

type Schema = {
  type?: string | string[], enum?: unknown[], const?: unknown, properties?: Record<string, unknown>, required?: string[]
  additionalProperties?: unknown, items?: unknown
}

const isA: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' || typeof value === 'bigint',
  integer: value => typeof value === 'bigint' || Number.isInteger(value),
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

/** Whether a value can be the JSON schema of arguments, which are an object. */
export const isSchema = (value: unknown): boolean => {
  const { type = 'object', properties = {} } = (value ?? {}) as Schema
  return isA.object!(value) && type === 'object' && isA.object!(properties)
}

/** Integers as bigint, whichever type they have. */
const exact = (value: number | bigint) => typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value

/** Whether two values are equal as JSON: the order of properties does not matter, nor how an integer is represented. */
function same(one: unknown, other: unknown): boolean {
  if (isA.number!(one) && isA.number!(other)) return exact(one as number) === exact(other as number)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return Array.isArray(one) === Array.isArray(other) && names.length === others.length
    && names.every(name => Object.hasOwn(other, name) && same(one[name as keyof typeof one], other[name as keyof typeof other]))
}

const shown = (value: unknown) => JSON.stringify(value, (_, part) => typeof part === 'bigint' ? `${part}` : part)
const mostDepth = 50

/** What is wrong with a value, with its path; undefined if nothing is. */
export function mismatch(value: unknown, schema: unknown, where: string, depth = 0): string | undefined {
  if (typeof schema !== 'object' || schema === null || depth > mostDepth) return undefined
  const { type, enum: choices, properties, required, additionalProperties, items, ...rest } = schema as Schema
  const types = Array.isArray(type) ? type : typeof type === 'string' ? [type] : []
  if (types.length > 0 && !types.some(name => isA[name]?.(value) ?? true)) return `${where}: expected ${types.join(' or ')}`
  if (Array.isArray(choices) && !choices.some(choice => same(choice, value))) return `${where}: expected one of ${shown(choices)}`
  if ('const' in rest && !same(rest.const, value)) return `${where}: expected ${shown(rest.const)}`
  if (isA.array!(value) && items) {
    for (const [at, item] of (value as unknown[]).entries()) {
      const wrong = mismatch(item, items, `${where}[${at}]`, depth + 1)
      if (wrong) return wrong
    }
  }
  if (!isA.object!(value)) return undefined
  const object = value as Record<string, unknown>
  const missing = Array.isArray(required) ? required.find(name => !Object.hasOwn(object, name)) : undefined
  if (missing !== undefined) return `${where}: "${missing}" is missing`
  for (const [name, part] of Object.entries(object)) {
    const known = properties && Object.hasOwn(properties, name)
    if (!known && additionalProperties === false) return `${where}: "${name}" is not allowed`
    const wrong = known ? mismatch(part, properties[name], `${where}.${name}`, depth + 1) : undefined
    if (wrong) return wrong
  }
  return undefined
}
