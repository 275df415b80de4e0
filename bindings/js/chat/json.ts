// Converts JSON to template values, which preserve what JSON.parse loses: the difference between 1.0 and 1, digits, key order.
import { DataReader } from './data.js'
import { Dict, Spelled, Text, type Value } from './jinja/index.js'

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(\.\d+)?([eE][-+]?\d+)?/g
const mark = '\0'

/** The significant digits of a number, without sign, point and exponent. */
const digitsOf = (number: string) =>
  number
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')

function toNumber(text: string): Value {
  if (!/[.e]/i.test(text)) return text.length > 1000 ? new Spelled(text) : BigInt(text)
  return digitsOf(text) === digitsOf(String(Number(text))) ? Number(text) : new Spelled(text)
}

/** The value of a JSON text; undefined if it is invalid. */
export function parseJson(text: string): Value | undefined {
  // For JSON.parse, numbers become strings with a mark. Keys get a mark, too, to keep their order, and strings that begin with the
  // mark get another one.
  const marked = text.replace(tokens, (token, colon?: string) =>
    token[0] !== '"'
      ? /^-?0\d/.test(token)
        ? token
        : JSON.stringify(mark + token)
      : colon !== undefined || token.startsWith('"\\u0000')
        ? `"\\u0000${token.slice(1)}`
        : token,
  )
  try {
    return new DataReader(given => (given[0] === mark ? Text.data(given) : toNumber(given))).read(JSON.parse(marked), 'arguments')
  } catch {
    return undefined
  }
}

/** The object of a JSON text, which may be encoded as a JSON string once more; undefined if it has none. */
export function parseObject(text: string): Dict | undefined {
  const value = parseJson(text)
  const inner = value instanceof Text ? parseJson(value.value) : value
  return inner instanceof Dict ? new Dict(inner.entries, true, value instanceof Text ? value.value : text) : undefined
}
