// The operators, as in Python.
import { list, search, spend } from './budget.js'
import { TemplateError } from './error.js'
import { formatPercent } from './format.js'
import { toRepr } from './printing.js'
import { Text } from './text.js'
import {
  compare,
  Dict,
  isEqual,
  isInteger,
  isNumber,
  List,
  spendInteger,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './values.js'

/** The maximum length of an integer; the sandbox of Python's Jinja has no maximum. */
const mostBits = 4096

const unsupported = (operator: string, a: Value, b: Value): never => {
  throw new TemplateError('TypeError', `unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`)
}

export function unary(operator: string, value: Value): Value {
  if (value instanceof Undefined) value.fail()
  if (!isNumber(value)) throw new TemplateError('TypeError', `bad operand type for unary ${operator}: '${typeName(value)}'`)
  const number = typeof value === 'boolean' ? BigInt(value) : value
  return operator === '-' ? -number : number
}

export function binary(operator: string, a: Value, b: Value): Value {
  if (a instanceof Undefined) a.fail()
  if (operator === '%' && a instanceof Text) return formatPercent(a, b)
  if (b instanceof Undefined) b.fail()
  if (isNumber(a) && isNumber(b)) return arithmetic(operator, a, b)
  if (operator === '+') return add(a, b)
  if (operator === '*') {
    if (isInteger(b)) return repeat(a, Number(b))
    if (isInteger(a)) return repeat(b, Number(a))
  }
  return unsupported(operator === '**' ? '** or pow()' : operator, a, b)
}

function add(a: Value, b: Value): Value {
  if (a instanceof Text && b instanceof Text) return Text.join([a, b])
  if ((a instanceof List && b instanceof List) || (a instanceof Tuple && b instanceof Tuple)) {
    list(a.items.length + b.items.length)
    const items = [...a.items, ...b.items]
    return a instanceof List ? new List(items, a.data && (b as List).data) : new Tuple(items)
  }
  if (a instanceof Text) throw new TemplateError('TypeError', `can only concatenate str (not "${typeName(b)}") to str`)
  if (a instanceof List) throw new TemplateError('TypeError', `can only concatenate list (not "${typeName(b)}") to list`)
  return unsupported('+', a, b)
}

function repeat(value: Value, times: number): Value {
  if (value instanceof Text) {
    const count = value.value === '' ? 0 : Math.max(0, times)
    list(count)
    return Text.join(Array<Text>(count).fill(value))
  }
  if (value instanceof List || value instanceof Tuple) {
    const count = value.items.length === 0 ? 0 : Math.max(0, times)
    list(value.items.length * count)
    const items = Array.from({ length: count }, () => value.items).flat()
    return value instanceof List ? new List(items) : new Tuple(items)
  }
  return unsupported('*', value, 0n)
}

type Number_ = boolean | bigint | number

function arithmetic(operator: string, a: Number_, b: Number_): Value {
  if (typeof a === 'number' || typeof b === 'number' || operator === '/') return ofFloats(operator, Number(a), Number(b))
  const [x, y] = [BigInt(a), BigInt(b)]
  spendInteger(x)
  spendInteger(y)
  switch (operator) {
    case '+':
      return checked(x + y)
    case '-':
      return checked(x - y)
    case '*':
      return checked(x * y)
    case '//':
      return (x - floorMod(x, y, 'integer division or modulo by zero')) / y
    case '%':
      return floorMod(x, y, 'integer modulo by zero')
    case '**':
      if (y < 0n) return ofFloats('**', Number(x), Number(y))
      spend(32)
      if ((x.toString(2).length - 1) * Number(y) > mostBits) throw tooLarge()
      return checked(x ** y)
  }
  return unsupported(operator, a, b)
}

const tooLarge = () => new TemplateError('OverflowError', 'a number in the template is too large')

/** Throws an OverflowError if an integer is too large. */
function checked(value: bigint): bigint {
  if (BigInt.asIntN(mostBits, value) !== value) throw tooLarge()
  return value
}

function floorMod(x: bigint, y: bigint, message: string): bigint {
  if (y === 0n) throw new TemplateError('ZeroDivisionError', message)
  const rest = x % y
  return rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest
}

function ofFloats(operator: string, x: number, y: number): number {
  if (y === 0 && ['/', '//', '%'].includes(operator)) {
    throw new TemplateError('ZeroDivisionError', operator === '/' ? 'division by zero' : 'float floor division by zero')
  }
  const rest = x % y
  const mod = rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest
  switch (operator) {
    case '+':
      return x + y
    case '-':
      return x - y
    case '*':
      return x * y
    case '/':
      return x / y
    case '//':
      return Math.round((x - mod) / y)
    case '%':
      return mod
  }
  if (x === 0 && y < 0) throw new TemplateError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
  return x ** y
}

function isIn(item: Value, container: Value): boolean {
  if (container instanceof Text) {
    if (item instanceof Undefined) item.fail()
    if (!(item instanceof Text)) {
      throw new TemplateError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`)
    }
    search(container.value.length, item.value.length)
    return container.value.includes(item.value)
  }
  if (container instanceof List || container instanceof Tuple) {
    return container.items.some(other => isEqual(item, other))
  }
  if (container instanceof Dict) return container.has(item)
  if (container instanceof Undefined) return false
  throw new TemplateError('TypeError', `argument of type '${typeName(container)}' is not iterable`)
}

export function compareBy(operator: string, a: Value, b: Value): boolean {
  switch (operator) {
    case '==':
      return isEqual(a, b)
    case '!=':
      return !isEqual(a, b)
    case 'in':
      return isIn(a, b)
    case 'not in':
      return !isIn(a, b)
    case '<':
      return compare(a, b, operator) < 0
    case '<=':
      return compare(a, b, operator) <= 0
    case '>':
      return compare(a, b, operator) > 0
    default:
      return compare(a, b, operator) >= 0
  }
}

/** `value[from:to:step]`; null means that a bound is omitted. */
export function slice(value: Value, from: Value, to: Value, step: Value): Value {
  if (value instanceof Undefined) value.fail()
  if (!(value instanceof Text || value instanceof List || value instanceof Tuple)) {
    throw new TemplateError('TypeError', `'${typeName(value)}' object is not subscriptable`)
  }
  const read = (bound: Value) => {
    if (bound === null) return undefined
    if (isInteger(bound)) return Number(bound)
    throw new TemplateError('TypeError', 'slice indices must be integers or None or have an __index__ method')
  }
  const by = read(step) ?? 1
  if (by === 0) throw new TemplateError('ValueError', 'slice step cannot be zero')
  const size = value instanceof Text ? value.length : value.items.length
  const [least, most] = by > 0 ? [0, size] : [-1, size - 1]
  const clamp = (bound: number | undefined, other: number) =>
    bound === undefined ? other : Math.min(most, Math.max(least, bound < 0 ? bound + size : bound))
  const start = clamp(read(from), by > 0 ? 0 : size - 1)
  const end = clamp(read(to), by > 0 ? size : -1)
  if (value instanceof Text && by === 1) return value.slice(start, Math.max(start, end))
  list(Math.max(0, Math.ceil((end - start) / by)))
  const items = value instanceof Text ? value.characters : value.items
  const chosen = []
  for (let at = start; by > 0 ? at < end : at > end; at += by) chosen.push(items[at]!)
  if (value instanceof Text) return Text.join(chosen as Text[])
  return value instanceof List ? new List(chosen, value.data) : new Tuple(chosen)
}

/** A key, as Python's KeyError shows it. */
export const shown = (key: Value): string => toRepr(key).value
