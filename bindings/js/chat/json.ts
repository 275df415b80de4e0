// Converts JSON to template values, which preserve what JSON.parse loses: 1.0 as opposed to 1, and integers of any size.
import { DataReader } from './data.js'
import type { Value } from './jinja/index.js'

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(\.\d+)?([eE][-+]?\d+)?/g
const mark = '\0'

/** The value of a JSON text; undefined if it is invalid. */
export function parseJson(text: string): Value | undefined {
  // Numbers pass through JSON.parse as strings with a mark, which no other string may contain.
  if (text.includes('\\u0000')) return undefined
  try {
    const json = JSON.parse(text.replace(stringOrNumber, match => match[0] === '"' ? match : JSON.stringify(mark + match)))
    return new DataReader(marked => {
      const number = marked.slice(1)
      return /[.eE]/.test(number) ? Number(number) : BigInt(number.slice(0, 1000))
    }).read(json, 'arguments')
  } catch {
    return undefined
  }
}
