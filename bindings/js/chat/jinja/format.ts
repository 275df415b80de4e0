// Python's two ways to put values into a text: '%s of %d' % (a, b), and '{} of {name}'.format(a, name=b).
import type { Budget } from './budget.js'
import { TemplateError } from './error.js'
import { toRepr, toText } from './printing.js'
import { Text } from './text.js'
import { Dict, isInteger, isNumber, Tuple, typeName, type Named, type Value } from './values.js'

const most = 10_000

export function formatPercent(format: Text, value: Value, budget: Budget): Text {
  const values = value instanceof Tuple ? [...value.items] : [value]
  const pieces: Text[] = []
  let from = 0
  let taken = 0
  for (const match of format.value.matchAll(/%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\d+))?[hlL]?([^]?)/g)) {
    pieces.push(format.cut(from, match.index))
    from = match.index + match[0].length
    const [, key, flags = '', width = '0', precision, type] = match
    if (type === '%') {
      pieces.push(format.cut(from - 1, from))
      continue
    }
    let item: Value | undefined
    if (key !== undefined) {
      if (!(value instanceof Dict)) throw new TemplateError('TypeError', 'format requires a mapping')
      item = value.text(key)
      if (item === undefined) throw new TemplateError('KeyError', `'${key}'`)
    } else item = values[taken++]
    if (item === undefined) throw new TemplateError('TypeError', 'not enough arguments for format string')
    pieces.push(pad(convert(item, type!, flags, precision), Number(width), flags, type!, budget))
  }
  pieces.push(format.cut(from))
  if (taken < values.length && !(value instanceof Dict)) {
    throw new TemplateError('TypeError', 'not all arguments converted during string formatting')
  }
  return Text.join(pieces)
}

function convert(value: Value, type: string, flags: string, precision: string | undefined): Text {
  const places = Math.min(100, Number(precision ?? 6))
  if (type === 's' || type === 'r') {
    const text = type === 's' ? toText(value) : toRepr(value)
    return precision === undefined ? text : text.slice(0, Number(precision))
  }
  if (!'dixfFeg'.includes(type) || type === '') throw new TemplateError('ValueError', `unsupported format character '${type}'`)
  if (!isNumber(value)) throw new TemplateError('TypeError', `%${type} format: a real number is required, not ${typeName(value)}`)
  const number = Number(value)
  let shown
  if ('di'.includes(type)) shown = String(isInteger(value) ? BigInt(value) : BigInt(Math.trunc(number)))
  else if (type === 'x') shown = BigInt(value).toString(16)
  else if (type === 'e') shown = number.toExponential(places).replace(/e([+-])(\d)$/, 'e$10$2')
  else if (type === 'g') shown = String(Number(number.toPrecision(Math.max(1, places))))
  else shown = number.toFixed(places)
  return new Text(shown.startsWith('-') ? shown : (flags.includes('+') ? '+' : '') + shown)
}

function pad(text: Text, width: number, flags: string, type: string, budget: Budget): Text {
  const missing = Math.min(width, most) - text.length
  if (missing <= 0) return text
  budget.spendText(missing)
  if (flags.includes('-')) return Text.join([text, new Text(' '.repeat(missing))])
  if (!flags.includes('0') || 'sr'.includes(type)) return Text.join([new Text(' '.repeat(missing)), text])
  const sign = /^[-+]/.test(text.value) ? 1 : 0
  return Text.join([text.cut(0, sign), new Text('0'.repeat(missing)), text.cut(sign)])
}

/** Fields are names or numbers, without attributes; of what may follow a colon only a precision is known. */
export function formatBraces(format: Text, args: Value[], named: Named): Text {
  const pieces: Text[] = []
  let from = 0
  let taken = 0
  for (const match of format.value.matchAll(/\{\{|\}\}|\{(\w*)(?:![rs])?(?::(?:\.(\d+))?([sdf]?))?\}|[{}]/g)) {
    pieces.push(format.cut(from, match.index))
    from = match.index + match[0].length
    const [whole, name, precision, type] = match
    if (name === undefined && whole.length === 1) throw new TemplateError('ValueError', `unsupported format field at '${whole}'`)
    if (name === undefined) pieces.push(format.cut(from - 1, from))
    else {
      const value = /^\d*$/.test(name) ? args[name === '' ? taken++ : Number(name)] : named.get(name)
      if (value === undefined) throw new TemplateError('KeyError', `'${name}'`)
      pieces.push(convert(value, type || 's', '', precision))
    }
  }
  pieces.push(format.cut(from))
  return Text.join(pieces)
}
