// Options for schemas, and for how the model writes their JSON. They are options of a client; some are also parameters of a
// request.
import type { SchemaOptions } from '../../wire/options.generated.js'
import { ofSchemas } from './offered.generated.js'

/** The options for schemas among the options of a client or a request. */
export const schemaOptions = (options: object): SchemaOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(ofSchemas, name)))
