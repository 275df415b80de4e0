// Python's % formatting: '%s of %d' % (a, b).
import type { Budget } from './budget.js'
import { TemplateError } from './error.js'
import { toRepr, toText } from './printing.js'
import { Text } from './text.js'
import { isInteger, isNumber, Tuple, typeName, type Value } from './values.js'

const most = 10_000

export function formatPercent(format: Text, value: Value, budget: Budget): Text {
  const values = value instanceof Tuple ? [...value.items] : [value]
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
    pieces.push(pad(convert(item, type!, precision), Number(width), flags!, type!, budget))
  }
  pieces.push(format.cut(from))
  if (taken < values.length) {
    throw new TemplateError('TypeError', 'not all arguments converted during string formatting')
  }
  const text = Text.join(pieces)
  budget.spend(text.value.length >> 1)
  return text
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
  const shown = type === 'f' ? number.toFixed(places)
    : (isInteger(value) ? BigInt(value) : BigInt(Math.trunc(number))).toString(type === 'x' ? 16 : 10)
  return new Text(shown)
}

function pad(text: Text, width: number, flags: string, type: string, budget: Budget): Text {
  const missing = Math.min(width, most) - text.length
  if (missing <= 0) return text
  budget.spendText(missing)
  if (flags.includes('-')) return Text.join([text, new Text(' '.repeat(missing))])
  if (!flags.includes('0') || 'sr'.includes(type)) return Text.join([new Text(' '.repeat(missing)), text])
  const sign = text.value.startsWith('-') ? 1 : 0
  return Text.join([text.cut(0, sign), new Text('0'.repeat(missing)), text.cut(sign)])
}
