// How the JSON of a schema is written and the schema read: options of a client, some of them parameters of a request, too.
import type { SchemaOptions } from '../../wire/options.js'
import { ParameterError } from './errors.js'
import { boolean, fields, integer, oneOf, type Reader } from './read.js'

const whitespace: Reader<SchemaOptions['whitespace']> = (value, param) => {
  if (typeof value === 'string') return oneOf('any', 'compact')(value, param)
  const { indent } = fields({ indent: integer(0, 10) })(value, param)
  if (indent === undefined) throw new ParameterError(`${param}.indent`, 'missing')
  return { indent }
}

export const ofSchemas = {
  whitespace,
  maxWhitespace: integer(0, 65_535),
  order: oneOf('schema', 'any'),
  formats: oneOf('known', 'strict', 'annotate'),
  escapes: oneOf('any', 'canonical'),
  closed: boolean,
}

/** The options of schemas among those of a client or a request. */
export const schemaOptions = (options: object): SchemaOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(ofSchemas, name)))
