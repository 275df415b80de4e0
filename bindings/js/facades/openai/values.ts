// The readers of parameters whose values are converted.
import { mostIndex } from '../../page/readers.js'
import { seedOf } from '../../page/seed.js'
import type { SchemaOptions } from '../../wire/options.generated.js'
import { ParameterError } from './errors.js'
import { fields, integer, list, number, object, oneOf, type Reader, text } from './read.js'

export const stop: Reader<string[]> = (value, param) => {
  const texts = typeof value === 'string' ? [value] : list(text)(value, param)
  if (texts.includes('')) throw new ParameterError(param, 'an empty string is not allowed')
  return texts
}

export const logitBias: Reader<Record<number, number>> = (value, param) => {
  for (const [id, bias] of Object.entries(object(value, param))) {
    integer(0, mostIndex)(Number(id), param)
    number(-100, 100)(bias, `${param}.${id}`)
  }
  return value as Record<number, number>
}

/** OpenAI's seeds are signed 64-bit integers. */
export const seed: Reader<number> = (value, param) => seedOf(Number.isInteger(value) ? (value as number) : integer(0)(value, param))

/** 0 means the most probable token. */
export const topP: Reader<number> = (value, param) => Math.max(number(0, 1)(value, param), 1e-9)
/** -1 means all. */
export const topK: Reader<number> = (value, param) => (value === -1 ? 0 : integer(0, mostIndex)(value, param))

export const whitespace: Reader<SchemaOptions['whitespace']> = (value, param) => {
  if (typeof value === 'string') return oneOf('any', 'compact')(value, param)
  const { indent } = fields({ indent: integer(0, 10) })(value, param)
  if (indent === undefined) throw new ParameterError(`${param}.indent`, 'missing')
  return { indent }
}
