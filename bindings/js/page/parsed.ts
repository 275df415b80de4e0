// The parsed value of a text with a constraint.
import type { GenerateResult } from '../types/index.js'
import type { Outline } from '../wire/constraint.js'

/** Whether the constraint is a JSON schema. */
const isJson = (constraint: Outline | undefined) =>
  typeof constraint === 'object' && 'notation' in constraint && constraint.notation === 'schema'

/** How a generation ended, and the texts that it was to stop at. */
interface End extends Pick<GenerateResult, 'finishReason' | 'endToken'> {
  readonly stop?: readonly (string | number)[]
}

/**
 * Whether a number at the end is complete: the generation ended because the constraint did, not because of a limit or a stop text
 * that may cut a number.
 */
const isWhole = ({ finishReason, endToken, stop = [] }: End) =>
  finishReason === 'stop' && (endToken !== undefined || !stop.some(end => typeof end === 'string' && /^[\d.eE+-]/.test(end)))

/** The value of a text with a schema; undefined for other constraints, and for a text that was cut off. */
export function parsed(constraint: Outline | undefined, text: string, end: End): unknown {
  if (!isJson(constraint) || (/\d$/.test(text) && !isWhole(end))) return undefined // the number may be incomplete
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The complete characters of a string: no incomplete escape, no half of a surrogate pair. */
const whole = /^"(?:[^\\]|\\[^u]|\\u(?![dD][89abAB])[\da-fA-F]{4}|\\u[\da-fA-F]{4}\\u[\da-fA-F]{4})*/
const tokens = /"(?:[^"\\]|\\.)*("|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/gs

/**
 * The value of an incomplete text with a schema, as far as it is certain: open parts are closed. A number is left out until
 * something follows it, and a key until its value begins.
 */
export function parsedSoFar(constraint: Outline | undefined, text: string): unknown {
  if (!isJson(constraint)) return undefined
  let certain = '',
    closing = '',
    isKey = false
  const keep = (beginning: string) => {
    certain = beginning + closing
  }
  for (const match of text.matchAll(tokens)) {
    const [token, end] = match
    const until = text.slice(0, match.index + token.length)
    if (token === '{' || token === '[') {
      closing = (token === '{' ? '}' : ']') + closing
      isKey = token === '{'
      keep(until)
    } else if (token === '}' || token === ']') {
      closing = closing.slice(1)
      keep(until)
    } else if (token === ',') isKey = closing.startsWith('}')
    else if (token === ':') isKey = false
    else if (isKey) continue
    else if (end !== undefined && end !== '"') keep(`${text.slice(0, match.index)}${whole.exec(token)![0]}"`)
    else if (end || until.length < text.length || ['true', 'false', 'null'].includes(token)) keep(until)
  }
  return certain === '' ? undefined : (JSON.parse(certain) as unknown)
}
