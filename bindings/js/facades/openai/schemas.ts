// How the JSON of a schema is written and the schema read: options of a client, some of them parameters of a request, too.
import type { SchemaOptions } from '../../wire/options.js'
import { ofSchemas } from './offered.js'

/** The options of schemas among those of a client or a request. */
export const schemaOptions = (options: object): SchemaOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(ofSchemas, name)))
