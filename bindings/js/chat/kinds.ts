// Determines the types that a JSON schema allows, through references, combined schemas and alternatives. Used to parse, write and
// check calls. Unknown keywords are assumed to allow everything.

type Schema = { readonly [keyword: string]: unknown }

export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export interface Kinds {
  /** The allowed types, in the schema's order. An integer is also a number. */
  readonly types: readonly Kind[]
  /** The only allowed texts, if the schema enumerates them. */
  readonly texts?: readonly string[]
}

const all: readonly Kind[] = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']
const anything: Kinds = { types: all }

export const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const has = (schema: Schema, name: string) => Object.hasOwn(schema, name)

/** Whether the schema restricts the types. */
export const isKnown = ({ types }: Kinds): boolean => types.length < all.length

const kindOf = (value: unknown): Kind =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 'integer'
          : 'number'
        : typeof value === 'bigint'
          ? 'integer'
          : (typeof value as Kind)

/** Whether a value is of a type that is allowed. */
export const accepts = ({ types }: Kinds, value: unknown): boolean => allows(types, kindOf(value))

const unique = <Item>(items: readonly Item[]) => [...new Set(items)]
const allows = (types: readonly Kind[], kind: Kind) => types.includes(kind) || (kind === 'integer' && types.includes('number'))

function both(one: Kinds, other: Kinds): Kinds {
  const [first, second] = isKnown(one) ? [one.types, other.types] : [other.types, one.types]
  const shared = first.flatMap((kind): Kind[] =>
    allows(second, kind) ? [kind] : kind === 'number' && second.includes('integer') ? ['integer'] : [],
  )
  const texts = one.texts && other.texts ? one.texts.filter(text => other.texts!.includes(text)) : (one.texts ?? other.texts)
  return { types: unique(shared), ...(texts && { texts }) }
}

function either(options: readonly Kinds[]): Kinds {
  const withTexts = options.filter(({ types }) => types.includes('string'))
  const texts =
    withTexts.length > 0 && withTexts.every(({ texts }) => texts) ? unique(withTexts.flatMap(({ texts }) => texts!)) : undefined
  return { types: unique(options.flatMap(({ types }) => types)), ...(texts && { texts }) }
}

const ofValues = (values: readonly unknown[]): Kinds => ({
  types: unique(values.map(kindOf)),
  texts: values.filter(value => typeof value === 'string'),
})

/** The kinds without the excluded ones. If only integers are excluded, numbers that are not integers remain. */
const without = (kinds: Kinds, excluded: readonly unknown[]): Kinds => ({
  ...kinds,
  types: kinds.types.filter(kind => !excluded.includes(kind) && !(kind === 'integer' && excluded.includes('number'))),
})

/** `then` and `else`, one of which applies; an absent one allows any value. Empty if the schema has no condition. */
const branchesOf = (schema: Schema): readonly unknown[] =>
  has(schema, 'if') && (has(schema, 'then') || has(schema, 'else')) ? [schema.then ?? true, schema.else ?? true] : []

/** Keywords that do not restrict values: annotations, identifiers and definitions. */
const silent = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

/** A schema, including everything that its references lead to. */
export class Schemas {
  readonly root: unknown
  readonly #kinds = new Map<Schema, Kinds>()
  #named: Map<string, Schema> | undefined

  constructor(root: unknown) {
    this.root = root
  }

  kinds(schema: unknown): Kinds {
    if (!isObject(schema)) return schema === false ? { types: [] } : anything
    const known = this.#kinds.get(schema)
    if (known) return known
    this.#kinds.set(schema, anything) // a reference to itself does not restrict values
    const { type, allOf, anyOf, oneOf, not, nullable } = schema
    const named = listOf([type].flat()) as Kind[]
    let kinds = named.length > 0 && named.every(name => all.includes(name)) ? { types: named } : anything
    if (has(schema, 'const')) kinds = both(kinds, ofValues([schema.const]))
    if (Array.isArray(schema.enum)) kinds = both(kinds, ofValues(schema.enum))
    for (const part of [...this.#referred(schema), ...listOf(allOf)]) kinds = both(kinds, this.kinds(part))
    for (const options of [anyOf, oneOf, branchesOf(schema)].map(listOf))
      if (options.length > 0) kinds = both(kinds, either(options.map(one => this.kinds(one))))
    if (isObject(not) && Object.keys(not).join() === 'type') kinds = without(kinds, [not.type].flat())
    if (nullable === true) kinds = either([kinds, { types: ['null'] }])
    this.#kinds.set(schema, kinds)
    return kinds
  }

  /** All schemas that apply to the same value: this one, and those that it refers to or combines. */
  parts(schema: unknown, found = new Set<Schema>()): ReadonlySet<Schema> {
    if (!isObject(schema) || found.has(schema)) return found
    found.add(schema)
    for (const part of [...this.#referred(schema), ...listOf(schema.allOf)]) this.parts(part, found)
    return found
  }

  /** The schema of a member; undefined if the member has none. */
  member(schema: unknown, name: string, depth = 0): unknown {
    if (depth > 20) return undefined
    const found = [...this.parts(schema)].flatMap(part => {
      const {
        properties,
        patternProperties: patterns,
        additionalProperties: others,
        anyOf,
        oneOf,
        dependentSchemas,
        dependencies,
      } = part
      const listed = isObject(properties) && has(properties, name) ? [properties[name]] : []
      // Patterns are not evaluated: for keys that are not listed, any of these schemas may apply.
      const loose = [...(isObject(patterns) ? Object.values(patterns) : []), ...(isObject(others) ? [others] : [])]
      const own = listed.length > 0 ? listed : loose.length > 1 ? [{ anyOf: loose }] : loose
      const choices = [
        ...listOf(anyOf),
        ...listOf(oneOf),
        ...branchesOf(part),
        ...[dependentSchemas, dependencies].flatMap(of => (isObject(of) ? Object.values(of) : [])),
      ]
      const options = choices.map(one => this.member(one, name, depth + 1)).filter(one => one !== undefined)
      return options.length > 0 ? [...own, { anyOf: options }] : own
    })
    return found.length > 1 ? { allOf: found } : found[0]
  }

  /** A schema merged with the schemas that it refers to and combines; unchanged if these cannot be merged. */
  flat(schema: Schema): Schema {
    const parts = [...this.parts(schema)]
    const merged: Record<string, unknown> = {}
    const objects = parts.filter(
      ({ properties, additionalProperties }) => properties !== undefined || additionalProperties !== undefined,
    )
    if (objects.length > 1 && objects.some(({ additionalProperties: others }) => others !== undefined && others !== true))
      return schema
    for (const part of parts) {
      for (const [keyword, value] of Object.entries(part)) {
        if (
          ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', '$id', '$anchor', '$schema', '$defs', 'definitions'].includes(keyword)
        )
          continue
        const before = merged[keyword]
        if (before === undefined || silent.has(keyword)) merged[keyword] ??= value
        else if (keyword === 'type')
          merged.type = both({ types: [before].flat() as Kind[] }, { types: [value].flat() as Kind[] }).types
        else if (keyword === 'required') merged.required = unique([...listOf(before), ...listOf(value)])
        else if (keyword === 'properties' && isObject(before) && isObject(value)) {
          merged.properties = {
            ...before,
            ...Object.fromEntries(
              Object.entries(value).map(([name, of]) => [name, has(before, name) ? { allOf: [before[name], of] } : of]),
            ),
          }
        } else if (JSON.stringify(before) !== JSON.stringify(value)) return schema
      }
    }
    return merged
  }

  #referred(schema: Schema): unknown[] {
    return ['$ref', '$dynamicRef', '$recursiveRef'].flatMap(keyword => {
      const to = schema[keyword]
      return typeof to === 'string' ? [this.#resolve(to)] : []
    })
  }

  /** The schema at a reference; undefined, which allows everything, if the reference leads nowhere. */
  #resolve(reference: string): unknown {
    const [uri, pointer] = reference.split(/#(?=\/|$)/) as [string, string?]
    const start = uri === '' ? this.root : (this.#names.get(uri) ?? this.#names.get(uri.split('/').at(-1)!))
    return (pointer ?? '')
      .split('/')
      .slice(1)
      .reduce<unknown>((of, step) => {
        let name = step
        try {
          name = decodeURIComponent(step)
        } catch {
          /* it is no URI */
        }
        return (of as Schema | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')]
      }, start)
  }

  /** The schemas by `$id`, by the last part of `$id`, and by anchors. */
  get #names(): Map<string, Schema> {
    if (this.#named) return this.#named
    const named = (this.#named = new Map<string, Schema>())
    const seen = new Set<unknown>()
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      const { $id, id, $anchor, $dynamicAnchor } = value as Schema
      for (const name of [$id, id])
        if (typeof name === 'string')
          for (const key of [name, name.split('/').at(-1)!]) if (!named.has(key)) named.set(key, value as Schema)
      for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') named.set(`#${name}`, value as Schema)
      Object.values(value).forEach(look)
    }
    look(this.root)
    return named
  }
}
