// Python's formatting: '%s of %d' % (a, b), and '{} of {n:>5.2f}'.format(a, n=b).
import { copy, spend } from './budget.js'
import { TemplateError } from './error.js'
import { showFloat, showInteger, toRepr, toText } from './printing.js'
import { fill, Text } from './text.js'
import { Dict, Instance, isInteger, isNumber, itemOf, Tuple, typeName, Undefined, type Value } from './values.js'

/** The format of one value, in the terms of Python's format specifications. */
interface Spec {
  readonly fill?: string
  readonly align?: string
  readonly sign?: string
  readonly alternate?: boolean
  readonly width: number
  readonly group?: string
  readonly precision?: number
  readonly type: string
}

const error = (kind: 'TypeError' | 'ValueError' | 'KeyError' | 'IndexError', message: string) => new TemplateError(kind, message)

/** A fixed number of digits after the point, rounded to nearest, ties to even. */
export function fixed(value: number, places: number): string {
  spend(places)
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${places > 0 ? `.${'0'.repeat(places)}` : ''}`
  const shown = value.toFixed(places)
  // `toFixed` rounds ties up. In an exact tie, the digits after these are a 5 and zeros.
  const exact = value.toFixed(Math.min(100, places + 30))
  const isHalf = /^50*$/.test(exact.slice(exact.indexOf('.') + 1 + places))
  const down = exact.slice(0, exact.indexOf('.') + (places > 0 ? 1 + places : 0))
  return isHalf && /[02468]$/.test(down) ? down : shown
}

function exponential(value: number, places: number): string {
  const [up, exponent] = value.toExponential(places).split('e') as [string, string]
  // Ties are rounded to even digits here, too.
  const exact = value.toExponential(Math.min(100, places + 30))
  const down = exact.slice(0, exact.indexOf('.') + (places > 0 ? 1 + places : 0))
  const digits = /^\.?50*e/.test(exact.slice(down.length)) && /[02468]$/.test(down) ? down : up
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

/** The general form (g): `precision` significant digits, with an exponent below 1e-4 and from 10^`limit` on. */
function general(value: number, precision: number, limit: number, keepsZeros: boolean): string {
  const power = value === 0 ? 0 : Number(value.toExponential(precision - 1).split('e')[1])
  const trimmed = (digits: string) => (keepsZeros || !digits.includes('.') ? digits : digits.replace(/\.?0+$/, ''))
  if (power >= -4 && power < limit) return trimmed(fixed(value, precision - 1 - power))
  const [digits, exponent] = exponential(value, precision - 1).split('e') as [string, string]
  return `${trimmed(digits)}e${exponent}`
}

function floatDigits(value: number, { type, precision, alternate = false }: Spec): string {
  if (!Number.isFinite(value)) return `${Number.isNaN(value) ? 'nan' : 'inf'}${type === '%' ? '%' : ''}`
  const places = Math.min(100, precision ?? 6)
  switch (type.toLowerCase()) {
    case 'f':
      return fixed(value, places)
    case 'e':
      return exponential(value, places)
    case '%':
      return `${fixed(value * 100, places)}%`
    case 'g':
      return general(value, places || 1, places || 1, alternate)
  }
  if (precision === undefined) return showFloat(value)
  const digits = general(value, places || 1, (places || 1) - 1, alternate)
  return /[.e]/.test(digits) ? digits : `${digits}.0`
}

const bases: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 }

function formatNumber(value: boolean | bigint | number, spec: Spec): Text {
  const { type, alternate, group = '', sign = '-' } = spec
  const base = bases[type.toLowerCase()] ?? 10
  const isWhole = isInteger(value) && !/[fFeEgG%]/.test(type)
  const isNegative = Number(value) < 0 || Object.is(value, -0)
  let digits = isWhole
    ? showInteger(BigInt(value) < 0n ? -BigInt(value) : BigInt(value), base)
    : floatDigits(Math.abs(Number(value)), spec)
  const [whole] = /^[\da-f]*/.exec(digits)!
  if (group !== '')
    digits = whole.replace(base === 10 ? /\B(?=(\d{3})+$)/g : /\B(?=([\da-f]{4})+$)/g, group) + digits.slice(whole.length)
  const before = (isNegative ? '-' : sign === '-' ? '' : sign) + (alternate && base !== 10 ? `0${type}` : '')
  if (/[A-Z]/.test(type)) digits = digits.toUpperCase()
  return padded(new Text(before), new Text(digits), spec, '>')
}

/** Fills up to the width, counted in code points. */
function padded(before: Text, text: Text, { fill: character = ' ', align, width }: Spec, usual: string): Text {
  const missing = width - before.length - text.length
  const pad = (count: number) => fill(character, count)
  if (missing <= 0) return Text.join([before, text])
  switch (align ?? usual) {
    case '<':
      return Text.join([before, text, pad(missing)])
    case '^':
      return Text.join([pad(missing >> 1), before, text, pad(missing - (missing >> 1))])
    case '=':
      return Text.join([before, pad(missing), text])
  }
  return Text.join([pad(missing), before, text])
}

export function formatPercent(format: Text, value: Value): Text {
  copy(8 * format.value.length)
  const isNamed = value instanceof Dict && /%\(/.test(format.value)
  const values = value instanceof Tuple ? value.items : [value]
  const pieces: Text[] = []
  let from = 0
  let taken = 0
  const next = () => {
    const item = values[taken++]
    if (item === undefined) throw error('TypeError', 'not enough arguments for format string')
    return item
  }
  for (const match of format.value.matchAll(/%(?:\(([^)]*)\))?([-+ #0]*)(\d+|\*)?(?:\.(\d+|\*))?[hlL]?([^]?)/g)) {
    pieces.push(format.cut(from, match.index))
    from = match.index + match[0].length
    const [, name, flags = '', width, precision, type = ''] = match
    if (type === '%') {
      pieces.push(format.cut(from - 1, from))
      continue
    }
    const size = (given: string | undefined) => (given === '*' ? Number(next()) : given === undefined ? undefined : Number(given))
    const [columns = 0, places] = [size(width), size(precision)]
    if (name !== undefined && !(value instanceof Dict)) throw error('TypeError', 'format requires a mapping')
    const item = name === undefined ? next() : (value as Dict).text(name)
    if (item === undefined) throw error('KeyError', `'${name}'`)
    pieces.push(
      percent(item, {
        type,
        precision: places,
        width: Math.abs(columns),
        alternate: flags.includes('#'),
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
        ...(flags.includes('-') || columns < 0
          ? { align: '<' }
          : flags.includes('0') && !/[srac]/.test(type)
            ? { fill: '0', align: '=' }
            : { align: '>' }),
      }),
    )
  }
  pieces.push(format.cut(from))
  if (!isNamed && taken < values.length && !(value instanceof Dict))
    throw error('TypeError', 'not all arguments converted during string formatting')
  return Text.join(pieces)
}

function percent(value: Value, spec: Spec): Text {
  const { type, precision } = spec
  if (type === 's' || type === 'r' || type === 'a') {
    const text = type === 's' ? toText(value) : toRepr(value)
    return padded(Text.empty, precision === undefined ? text : text.slice(0, precision), spec, '>')
  }
  if (type === 'c')
    return padded(Text.empty, value instanceof Text ? value : new Text(String.fromCodePoint(Number(value))), spec, '>')
  if (!'diufFeEgGxXo'.includes(type) || type === '') throw error('ValueError', `unsupported format character '${type}'`)
  if (!isNumber(value)) throw error('TypeError', `%${type} format: a real number is required, not ${typeName(value)}`)
  if (!'diuxXo'.includes(type)) return formatNumber(Number(value), spec)
  if (!isInteger(value) && 'xXo'.includes(type)) throw error('TypeError', `%${type} format: an integer is required, not float`)
  const whole = isInteger(value) ? BigInt(value) : BigInt(Math.trunc(value))
  const zeros = Math.max(0, (precision ?? 0) - showInteger(whole < 0n ? -whole : whole).length)
  return formatNumber(whole, {
    ...spec,
    precision: undefined,
    ...(zeros > 0 && { fill: '0', align: '=', width: (precision ?? 0) + (whole < 0n ? 1 : 0) }),
  })
}

const specPattern = /^(?:([^])?([<>=^]))?([-+ ])?z?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%]?)$/u

/** The value, formatted by the specification after the colon. */
function formatted(value: Value, text: string): Text {
  if (text === '') return toText(value)
  const match = specPattern.exec(text)
  if (!match) throw error('ValueError', 'Invalid format specifier')
  const [, character, side, sign, alternate, zero, width = '0', group, precision, type = ''] = match
  const spec: Spec = {
    fill: character ?? (zero ? '0' : ' '),
    align: side ?? (zero && isNumber(value) ? '=' : undefined),
    sign,
    alternate: alternate !== undefined,
    width: Number(width),
    group,
    precision: precision === undefined ? undefined : Number(precision),
    type: type === 'd' || type === 'n' ? '' : type,
  }
  const isKnown = isNumber(value)
    ? /^[dnxXobfFeEgG%c]?$/.test(type) && (isInteger(value) || !/[dxXobc]/.test(type))
    : /^s?$/.test(type)
  if (!isKnown) throw error('ValueError', `Unknown format code '${type}' for object of type '${typeName(value)}'`)
  if (isNumber(value) && type !== 'c' && !(typeof value === 'boolean' && type === '')) return formatNumber(value, spec)
  if (!(value instanceof Text || isNumber(value)))
    throw error('TypeError', `unsupported format string passed to ${typeName(value)}.__format__`)
  const shown = type === 'c' ? new Text(String.fromCodePoint(Number(value))) : toText(value)
  return padded(Text.empty, spec.precision === undefined ? shown : shown.slice(0, spec.precision), spec, '<')
}

/** Python's str.format. */
export function formatBraces(format: Text, args: readonly Value[], named: Dict): Text {
  copy(8 * format.value.length)
  let automatic = 0
  const field = (path: string): Value => {
    const [first, ...steps] = path.split(/[.[]/)
    const at = first === '' ? automatic++ : /^\d+$/.test(first!) ? Number(first) : undefined
    let value = at === undefined ? named.text(first!) : args[at]
    if (value === undefined)
      throw at === undefined
        ? error('KeyError', `'${first}'`)
        : error('IndexError', `Replacement index ${at} out of range for positional args tuple`)
    for (const step of steps) {
      const key = step.replace(/\]$/, '')
      value = value instanceof Instance ? value.attribute(key) : itemOf(value, /^\d+$/.test(key) ? BigInt(key) : new Text(key))
      value ??= value === null ? null : new Undefined(`no ${key}`)
    }
    return value
  }
  const replaced = (inner: string): Text => {
    const [, path = '', conversion, spec = ''] = /^([^!:]*)(?:!([rsa]))?(?::([^]*))?$/.exec(inner) ?? []
    const value = field(path)
    const how = spec.replace(/\{([^{}]*)\}/g, (_, nested: string) => toText(field(nested)).value)
    return formatted(conversion === undefined ? value : conversion === 's' ? toText(value) : toRepr(value), how)
  }
  const pieces: Text[] = []
  let from = 0
  for (const { 0: match, 1: inner, index } of format.value.matchAll(/\{\{|\}\}|\{((?:[^{}]|\{[^{}]*\})*)\}|[{}]/g)) {
    if (match.length === 1) throw error('ValueError', `Single '${match}' encountered in format string`)
    pieces.push(format.cut(from, inner === undefined ? index + 1 : index))
    from = index + match.length
    if (inner === undefined) continue
    const piece = replaced(inner)
    pieces.push(format.hasData ? Text.data(piece.value) : piece)
  }
  return Text.join([...pieces, format.cut(from)])
}
