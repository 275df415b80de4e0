// The values of a template, as in Python. An integer is a bigint and a float a number, so that 1 and 1.0 differ. Everything else
// that is not a constant is a class of ours: a template never holds an object of its caller.
import { copy, list, make, read, spend } from './budget.js'
import { TemplateError } from './error.js'
import { Text } from './text.js'

export type Value = null | boolean | bigint | number | Spelled | Text | List | Tuple | Dict | Undefined | Callable | Instance

/** A number of a JSON text that would lose digits as a float: it is printed as it was written. */
export class Spelled {
  constructor(readonly text: string) {}
}

/** `data`: the list comes from the caller, and its punctuation counts as the caller's when it is printed. */
export class List {
  constructor(
    readonly items: Value[],
    readonly data = false,
  ) {}
}

export class Tuple {
  readonly data = false
  /** `names`: the items' names, by which templates can also read them as attributes. */
  constructor(
    readonly items: readonly Value[],
    readonly names: readonly string[] = [],
  ) {}
}

/** `json`: the text that the dict was read from. */
export class Dict {
  readonly #map = new Map<unknown, [key: Value, value: Value]>()

  constructor(
    entries: readonly (readonly [Value, Value])[] = [],
    readonly data = false,
    readonly json?: string,
  ) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#map.size
  }
  get entries(): [Value, Value][] {
    if (this.#map.size === 0) return []
    list(this.#map.size)
    return [...this.#map.values()]
  }

  get keys(): Value[] {
    return this.entries.map(([key]) => key)
  }
  get(key: Value): Value | undefined {
    return this.#map.get(hash(key))?.[1]
  }
  text(key: string): Value | undefined {
    return this.#map.get(`'${key}`)?.[1]
  }
  has(key: Value): boolean {
    return this.#map.has(hash(key))
  }
  delete(key: Value): boolean {
    return this.#map.delete(hash(key))
  }

  set(key: Value, value: Value): void {
    const hashed = hash(key)
    const entry = this.#map.get(hashed)
    if (entry) entry[1] = value
    else {
      make(1)
      this.#map.set(hashed, [key, value])
    }
  }
}

/**
 * A hash, the same for equal keys: 1, 1.0 and True are one key in Python. Numbers become strings, because engines hash strings with
 * a secret seed; otherwise, a template could choose numbers whose hashes collide. Throws a TypeError if a key is a list or a dict.
 */
function hash(key: Value, depth = 0): unknown {
  if (key instanceof Text) {
    read(key.value.length)
    return `'${key.value}`
  }
  spend()
  if (isNumber(key)) {
    if (typeof key === 'bigint') spendInteger(key)
    return `#${typeof key === 'boolean' ? Number(key) : key}`
  }
  if (key instanceof Tuple) {
    checkDepth(depth, 'hashing')
    const parts = key.items.map(item => String(hash(item, depth + 1)))
    copy(parts.reduce((sum, part) => sum + part.length + 16, 0))
    return `(${parts.map(part => `${part.length} ${part}`).join('')})`
  }
  if (key instanceof List || key instanceof Dict) throw new TemplateError('TypeError', `unhashable type: '${typeName(key)}'`)
  return key
}

/** The result of a missing name, attribute or item. Most operations on it throw its message. */
export class Undefined {
  constructor(
    readonly message: string,
    readonly kind: 'UndefinedError' | 'SecurityError' = 'UndefinedError',
  ) {}
  fail(): never {
    throw new TemplateError(this.kind, this.message)
  }
}

export class Callable {
  /** `named` is a dict, so that names of arguments that a template took from data stay marked as data. */
  constructor(
    readonly name: string,
    readonly call: (args: Value[], named: Dict) => Value,
    readonly type = 'function',
  ) {}
}

/** Like `??`, but keeps null, which is the value None. */
export const ifAbsent = (value: Value | undefined, otherwise: Value): Value => (value === undefined ? otherwise : value)

/** Objects that templates access by their attributes: `loop`, namespaces. */
export abstract class Instance {
  abstract readonly type: string
  abstract attribute(name: string): Value | undefined
  call?(args: Value[], named: Dict): Value
}

export class Namespace extends Instance {
  readonly type = 'Namespace'
  readonly values = new Map<string, Value>()
  override attribute(name: string): Value | undefined {
    return this.values.get(name)
  }
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType'
  if (value instanceof Text) return 'str'
  if (value instanceof List) return 'list'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Dict) return 'dict'
  if (value instanceof Undefined) return 'Undefined'
  if (value instanceof Callable || value instanceof Instance) return value.type
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'int' : 'float'
}

export function isTrue(value: Value): boolean {
  if (value === null || value instanceof Undefined) return false
  if (value instanceof Text) return value.value !== ''
  if (value instanceof List || value instanceof Tuple) return value.items.length > 0
  if (value instanceof Dict) return value.size > 0
  if (typeof value === 'bigint') return value !== 0n
  if (typeof value === 'number') return value !== 0
  return value !== false
}

export const isNumber = (value: Value): value is boolean | bigint | number =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'
export const isInteger = (value: Value): value is boolean | bigint => typeof value === 'bigint' || typeof value === 'boolean'

/** Charges for an operation on an integer beyond 64 bits. Printing one of the largest takes microseconds. */
export function spendInteger(value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) spend(32)
}

function checkDepth(depth: number, what: string): void {
  if (depth > 100) throw new TemplateError('SecurityError', `maximum recursion depth exceeded in ${what}`)
}

/** Throws a SecurityError if the values nest too deeply. */
export function isEqual(a: Value, b: Value, depth = 0): boolean {
  if (a instanceof Text && b instanceof Text) {
    read(a.value.length === b.value.length ? a.value.length : 0)
    return a.value === b.value
  }
  checkDepth(depth, 'comparison')
  spend()
  if (a === b) return true
  if (isNumber(a) && isNumber(b)) {
    // biome-ignore lint/suspicious/noDoubleEquals: an integer and a float may be equal
    return (typeof a === 'boolean' ? BigInt(a) : a) == (typeof b === 'boolean' ? BigInt(b) : b)
  }
  if (a instanceof Undefined && b instanceof Undefined) return true
  if ((a instanceof List && b instanceof List) || (a instanceof Tuple && b instanceof Tuple)) {
    return a.items.length === b.items.length && a.items.every((item, at) => isEqual(item, b.items[at]!, depth + 1))
  }
  if (a instanceof Dict && b instanceof Dict) {
    return (
      a.size === b.size &&
      a.entries.every(([key, value]) => {
        const other = b.get(key)
        return other !== undefined && isEqual(value, other, depth + 1)
      })
    )
  }
  return false
}

/** Python's order: negative, 0 or positive. Throws if the values have no order. */
export function compare(a: Value, b: Value, operator = '<'): number {
  spend()
  if (a instanceof Undefined) return a.fail()
  if (b instanceof Undefined) return b.fail()
  if (isNumber(a) && isNumber(b)) {
    const [x, y] = [a, b].map(value => (typeof value === 'boolean' ? BigInt(value) : value)) as [number, number]
    // biome-ignore lint/suspicious/noDoubleEquals: as above
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : NaN
  }
  if (a instanceof Text && b instanceof Text) return comparePoints(a.value, b.value)
  if ((a instanceof List && b instanceof List) || (a instanceof Tuple && b instanceof Tuple)) {
    const different = a.items.findIndex((item, at) => at >= b.items.length || !isEqual(item, b.items[at]!))
    if (different < 0) return a.items.length - b.items.length
    return different >= b.items.length ? 1 : compare(a.items[different]!, b.items[different]!, operator)
  }
  throw new TemplateError('TypeError', `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`)
}

/** Compares code points, where JavaScript compares UTF-16 units. */
function comparePoints(a: string, b: string): number {
  read(Math.min(a.length, b.length))
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (at > 0 && /[\udc00-\udfff]/.test(a[at] ?? b[at] ?? '')) at--
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

/** The items that `for` iterates over, charged as if they were copied. Throws a TypeError if there are none. */
export function iterate(value: Value): readonly Value[] {
  if (value instanceof List || value instanceof Tuple) {
    list(value.items.length)
    return value.items
  }
  if (value instanceof Dict) return value.keys
  if (value instanceof Text) return value.characters
  if (value instanceof Undefined) {
    if (value.kind === 'SecurityError') value.fail()
    return []
  }
  throw new TemplateError('TypeError', `'${typeName(value)}' object is not iterable`)
}

export function length(value: Value): number {
  if (value instanceof Text) return value.length
  if (value instanceof List || value instanceof Tuple) return value.items.length
  if (value instanceof Dict) return value.size
  if (value instanceof Undefined) return 0
  throw new TemplateError('TypeError', `object of type '${typeName(value)}' has no len()`)
}

/** `value[key]` of a container; undefined if there is no such item. */
export function itemOf(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) return key instanceof Undefined ? undefined : value.get(key)
  if (!(value instanceof Text || value instanceof List || value instanceof Tuple) || !isInteger(key)) return undefined
  const length = value instanceof Text ? value.length : value.items.length
  const at = Number(key) < 0 ? Number(key) + length : Number(key)
  if (at < 0 || at >= length) return undefined
  return value instanceof Text ? value.slice(at, at + 1) : value.items[at]
}
