// Python's % formatting: '%s of %d' % (a, b).
import { copy, spend } from './budget.js'
import { TemplateError } from './error.js'
import { showInteger, toRepr, toText } from './printing.js'
import { fill, Text } from './text.js'
import { isInteger, isNumber, Tuple, typeName, type Value } from './values.js'

export function formatPercent(format: Text, value: Value): Text {
  copy(8 * format.value.length)
  const values = value instanceof Tuple ? value.items : [value]
  const pieces: Text[] = []
  let from = 0
  let taken = 0
  for (const match of format.value.matchAll(/%([-0]*)(\d*)(?:\.(\d+))?([^]?)/g)) {
    pieces.push(format.cut(from, match.index))
    from = match.index + match[0].length
    const [, flags, width, precision, type] = match as string[]
    if (type === '%') {
      pieces.push(format.cut(from - 1, from))
      continue
    }
    const item = values[taken++]
    if (item === undefined) throw new TemplateError('TypeError', 'not enough arguments for format string')
    pieces.push(pad(convert(item, type!, precision), Number(width), flags!, type!))
  }
  pieces.push(format.cut(from))
  if (taken < values.length) {
    throw new TemplateError('TypeError', 'not all arguments converted during string formatting')
  }
  return Text.join(pieces)
}

function convert(value: Value, type: string, precision: string | undefined): Text {
  const places = Math.min(100, Number(precision ?? 6))
  if (type === 's' || type === 'r') {
    const text = type === 's' ? toText(value) : toRepr(value)
    return precision === undefined ? text : text.slice(0, Number(precision))
  }
  if (!'difx'.includes(type) || type === '') throw new TemplateError('ValueError', `unsupported format character '${type}'`)
  if (!isNumber(value)) throw new TemplateError('TypeError', `%${type} format: a real number is required, not ${typeName(value)}`)
  const number = Number(value)
  spend(places)
  const shown = type === 'f' ? number.toFixed(places)
    : showInteger(isInteger(value) ? BigInt(value) : BigInt(Math.trunc(number)), type === 'x' ? 16 : 10)
  return new Text(shown)
}

function pad(text: Text, width: number, flags: string, type: string): Text {
  const missing = width - text.length
  if (missing <= 0) return text
  if (flags.includes('-')) return Text.join([text, fill(' ', missing)])
  if (!flags.includes('0') || 'sr'.includes(type)) return Text.join([fill(' ', missing), text])
  const sign = text.value.startsWith('-') ? 1 : 0
  return Text.join([text.cut(0, sign), fill('0', missing), text.cut(sign)])
}
