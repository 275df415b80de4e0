// Jinja's filters for single values; those for sequences are in sequences.ts.
import { needInteger, needText, readArguments, readTexts } from './arguments.js'
import { TemplateError } from './error.js'
import type { Filter, FilterHost } from './filter.js'
import { fixed, formatPercent } from './format.js'
import { capitalize, lower, methodOf, upper } from './methods.js'
import { unary } from './operators.js'
import { toJson } from './printing.js'
import { sequenceFilters } from './sequences.js'
import { fill, Text } from './text.js'
import { compare, Dict, ifAbsent, isNumber, isTrue, length, List, Tuple, typeName, Undefined, type Value } from './values.js'
import { wordingFilters } from './wording.js'

const text = (host: FilterHost, value: Value) => host.text(value)
const byMethod = (name: string, ...parameters: string[]): Filter => [
  parameters,
  (value, args, host) =>
    methodOf(text(host, value), name)!.call(
      args.filter(arg => arg !== undefined),
      new Dict(),
    ),
]
const ofText = (change: (value: Text) => Text): Filter => [[], (value, _, host) => change(text(host, value))]

/** Jinja's `title`: words begin after spaces, hyphens and opening brackets. */
const titleWords = (value: string) =>
  value.replace(/[^-\s({[<]+/g, word => {
    const [first = '', ...rest] = word
    return upper(first) + lower(rest.join(''))
  })

const indent: Filter = [
  ['width', 'first', 'blank'],
  (value, [width, first, blank], host) => {
    const by = width instanceof Text ? width : fill(' ', needInteger('indent', width, 4))
    const lines = text(host, value).split('\n')
    return Text.join(
      lines.map((line, at) => {
        const isIndented = at === 0 ? isTrue(first ?? false) : isTrue(blank ?? false) || line.trim().value !== ''
        return isIndented ? Text.join([by, line]) : line
      }),
      new Text('\n'),
    )
  },
]

/** The parameters of transformers' own `tojson` filter. */
const jsonParameters = ['ensure_ascii', 'indent', 'separators', 'sort_keys']
const tojson: Filter = [
  jsonParameters,
  (value, [ascii, width, separators, sorted], host) => {
    const given = separators instanceof Tuple || separators instanceof List ? separators.items : undefined
    const isIndented = width !== undefined && width !== null
    if (value === null || value instanceof List) host.printed(value)
    return toJson(value, {
      indent: !isIndented ? undefined : width instanceof Text ? width : fill(' ', needInteger('tojson', width)),
      separators: given
        ? [needText('tojson', given[0]), needText('tojson', given[1])]
        : [new Text(isIndented ? ',' : ', '), new Text(': ')],
      sortKeys: isTrue(sorted ?? false),
      ascii: isTrue(ascii ?? false),
    })
  },
]

/** Converts numbers and strings as Python's int and float do; undefined if they are not numbers. */
function toNumber(value: Value): bigint | number | undefined {
  if (value instanceof Undefined) value.fail()
  if (typeof value === 'boolean') return BigInt(value)
  if (!(value instanceof Text)) return isNumber(value) ? value : undefined
  const digits = value.value.trim().replaceAll('_', '')
  if (/^[-+]?\d{1,1000}$/.test(digits)) return BigInt(digits.replace('+', ''))
  if (/^[-+]?(nan|inf(inity)?)$/i.test(digits)) return /nan/i.test(digits) ? NaN : digits.startsWith('-') ? -Infinity : Infinity
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(digits) ? Number(digits) : undefined
}

function toInteger(value: Value, otherwise: Value, base: number): Value {
  const digits = value instanceof Text ? value.value.trim().replaceAll('_', '').toLowerCase() : ''
  const [, sign, prefix, rest] = /^([-+]?)(0[xob])?([\da-z]{1,1000})$/.exec(digits) ?? []
  const known = { '0x': 16, '0o': 8, '0b': 2 }[prefix!]
  if (rest !== undefined && base !== 10 && (known === undefined || base === known || base === 0)) {
    const by = base || known || 10
    if ([...rest].every(digit => parseInt(digit, 36) < by)) {
      const whole = [...rest].reduce((sum, digit) => sum * BigInt(by) + BigInt(parseInt(digit, 36)), 0n)
      return sign === '-' ? -whole : whole
    }
  }
  const number = toNumber(value)
  if (typeof number !== 'number') return ifAbsent(number, otherwise)
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : otherwise
}

function toFloat(value: Value, otherwise: Value): Value {
  const number = toNumber(value)
  return number === undefined ? otherwise : Number(number)
}

/** Rounds halves to even, like Python. */
function round(value: Value, precision: number, method: string): Value {
  if (!isNumber(value)) throw new TemplateError('TypeError', 'round: expected a number')
  if (method === 'ceil' || method === 'floor') return Math[method](Number(value) * 10 ** precision) / 10 ** precision
  if (method !== 'common') throw new TemplateError('FilterArgumentError', 'method must be common, ceil or floor')
  const places = Math.max(-330, Math.min(330, precision))
  if (places >= 0)
    return typeof value !== 'number'
      ? BigInt(value)
      : places > 100 || !Number.isFinite(value)
        ? value
        : Number(fixed(value, places))
  if (typeof value === 'number') return Number(roundTens(BigInt(Math.trunc(value)), -places, !Number.isInteger(value)))
  return roundTens(BigInt(value), -places)
}

/** Rounds an integer to a multiple of a power of ten, ties to even. `isMore`: `value` was truncated, so a half is not a tie. */
function roundTens(value: bigint, power: number, isMore = false): bigint {
  const unit = 10n ** BigInt(power)
  const [size, sign] = value < 0n ? [-value, -1n] : [value, 1n]
  const [whole, rest] = [size / unit, 2n * (size % unit)]
  return sign * unit * (rest > unit || (rest === unit && (isMore || whole % 2n === 1n)) ? whole + 1n : whole)
}

const filters: Record<string, Filter> = {
  ...sequenceFilters,
  ...wordingFilters,
  abs: [
    [],
    value => {
      if (!isNumber(value)) throw new TemplateError('TypeError', `bad operand type for abs(): '${typeName(value)}'`)
      return typeof value === 'number' ? Math.abs(value) : unary(Number(value) < 0 ? '-' : '+', value)
    },
  ],
  attr: [['name'], (value, [name], host) => host.attribute(value, needText('attr', name).value, true)],
  capitalize: ofText(capitalize),
  center: [['width'], (value, [width], host) => methodOf(text(host, value), 'center')!.call([ifAbsent(width, 80n)], new Dict())],
  default: [
    ['default_value', 'boolean'],
    (value, [otherwise, boolean]) =>
      value instanceof Undefined || (isTrue(boolean ?? false) && !isTrue(value)) ? ifAbsent(otherwise, Text.empty) : value,
  ],
  dictsort: [
    ['case_sensitive', 'by', 'reverse'],
    (value, [cased, by, reverse]) => {
      if (value instanceof Undefined) value.fail()
      if (!(value instanceof Dict)) throw new TemplateError('TypeError', 'dictsort: expected a dict')
      const at = by instanceof Text && by.value === 'value' ? 1 : 0
      const fold = (item: Value) => (item instanceof Text && !isTrue(cased ?? false) ? item.mapRuns(lower) : item)
      const sorted = value.entries.sort((a, b) => compare(fold(a[at]), fold(b[at])))
      return new List((isTrue(reverse ?? false) ? sorted.reverse() : sorted).map(entry => new Tuple(entry)))
    },
  ],
  float: [['default'], (value, [otherwise]) => toFloat(value, ifAbsent(otherwise, 0))],
  format: [
    undefined,
    (value, args, host, named) => formatPercent(text(host, value), named.size > 0 ? named : new Tuple(args as Value[])),
  ],
  indent,
  int: [['default', 'base'], (value, [otherwise, base]) => toInteger(value, ifAbsent(otherwise, 0n), needInteger('int', base, 10))],
  items: [
    [],
    value => {
      if (value instanceof Undefined) return new List([])
      return value instanceof Dict ? new List(value.entries.map(entry => new Tuple(entry))) : needMapping()
    },
  ],
  length: [[], value => BigInt(length(value))],
  lower: ofText(value => value.mapRuns(lower)),
  replace: [
    ['old', 'new', 'count'],
    (value, [old, by, count], host) => {
      const texts = [old, by].map(one => (one === undefined ? needText('replace', one) : text(host, one)))
      return methodOf(text(host, value), 'replace')!.call(
        [...texts, ...(count === undefined || count === null ? [] : [count])],
        new Dict(),
      )
    },
  ],
  round: [
    ['precision', 'method'],
    (value, [precision, method]) =>
      round(value, needInteger('round', precision, 0), method instanceof Text ? method.value : 'common'),
  ],
  safe: [[], value => value],
  string: [[], (value, _, host) => text(host, value)],
  title: ofText(value => value.mapWhole(titleWords)),
  tojson,
  trim: byMethod('strip', 'chars'),
  upper: ofText(value => value.mapRuns(upper)),
}
const aliases: Record<string, string> = { count: 'length', d: 'default', e: 'escape' }

const needMapping = (): never => {
  throw new TemplateError('TypeError', 'Can only get item pairs from a mapping.')
}

export const isFilter = (name: string): boolean => Object.hasOwn(filters, name) || Object.hasOwn(aliases, name)

export function runFilter(name: string, value: Value, args: Value[], named: Dict, host: FilterHost): Value {
  const known = Object.hasOwn(aliases, name) ? aliases[name]! : name
  if (!Object.hasOwn(filters, known)) throw new TemplateError('TemplateRuntimeError', `No filter named '${name}' found.`)
  const [parameters, run] = filters[known]!
  readTexts([value])
  if (!parameters) readTexts(args)
  return run(value, parameters ? readArguments(name, parameters, args, named) : args, host, named)
}
