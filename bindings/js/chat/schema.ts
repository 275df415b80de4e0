// Checks arguments against a tool's schema. This supports the part of JSON Schema that descriptions of tools use, and ignores other
// keywords; the tool itself makes the final check.

type Schema = {
  type?: string | string[], enum?: unknown[], const?: unknown, properties?: Record<string, unknown>, required?: string[]
  additionalProperties?: unknown, items?: unknown
}

const isA: Record<string, (value: unknown) => boolean> = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' || typeof value === 'bigint',
  integer: value => typeof value === 'bigint' || Number.isInteger(value),
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const mostDepth = 50

/** What is wrong with a value, with its path; undefined if nothing is. */
export function mismatch(value: unknown, schema: unknown, where: string, depth = 0): string | undefined {
  if (typeof schema !== 'object' || schema === null || depth > mostDepth) return undefined
  const { type, enum: choices, properties, required, additionalProperties, items, ...rest } = schema as Schema
  const types = Array.isArray(type) ? type : typeof type === 'string' ? [type] : []
  if (types.length > 0 && !types.some(name => isA[name]?.(value) ?? true)) return `${where}: expected ${types.join(' or ')}`
  if (Array.isArray(choices) && !choices.some(choice => same(choice, value))) return `${where}: expected one of ${JSON.stringify(choices)}`
  if ('const' in rest && !same(rest.const, value)) return `${where}: expected ${JSON.stringify(rest.const)}`
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
