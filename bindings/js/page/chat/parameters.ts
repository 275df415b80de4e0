// The parameters of a tool: a JSON Schema, or a Standard Schema (https://standardschema.dev), which converts to one and validates.
import type { Json } from '../../chat/types.js'
import { refuse } from '../../wire/errors.js'
import { copyOfData, Mismatch, type Reader } from '../readers.js'
import { isSchema } from './schema.js'

/** What a Standard Schema says of arguments: the value to use, or what is wrong. */
interface Verdict {
  readonly value?: unknown
  readonly issues?: readonly { readonly message: string }[]
}

/** https://standardschema.dev/json-schema, as far as it is used here. */
interface StandardSchema {
  readonly vendor?: string
  validate(value: unknown): Verdict | Promise<Verdict>
  readonly jsonSchema?: { input(options: { target: string }): Record<string, Json> }
}

export interface Parameters {
  /** In JSON Schema, for the model. */
  readonly schema?: Json
  validate(value: unknown): Verdict | Promise<Verdict>
}

const standardOf = (given: unknown) => (given as { '~standard'?: StandardSchema } | undefined | null)?.['~standard']

/** What `z.toJSONSchema` gives: JSON Schema, and unseen in it the Standard Schema that it was made of. */
const isJsonSchema = (given: object) =>
  Object.getPrototypeOf(given) === Object.prototype && !Object.keys(given).includes('~standard')

/** What converts the schemas of libraries that do not say themselves how. */
const converters: Readonly<Record<string, string>> = {
  arktype: 'schema.toJsonSchema()',
  effect: 'Schema.toStandardJSONSchemaV1(schema)',
  valibot: 'toStandardJsonSchema(schema) of @valibot/to-json-schema',
  zod: 'one of Zod 4.2 or later, or z.toJSONSchema(schema) of Zod 4',
}

/**
 * A Standard Schema, which may be a function, in JSON Schema; anything else as it is. All schemas of callers are read here. Throws
 * `invalid-argument` if it cannot be converted.
 */
export const converted: Reader<unknown> = (given, what) => {
  const standard = standardOf(given)
  if (!standard || isJsonSchema(given as object)) return given
  const { vendor = '', jsonSchema } = standard
  const refused = (why: string, error?: unknown) =>
    refuse(`${what}: this schema of ${vendor || 'a library'} cannot be converted: ${why}`, error)
  if (!jsonSchema) throw refused(`give ${Object.hasOwn(converters, vendor) ? converters[vendor] : 'a JSON schema'}`)
  try {
    return { ...jsonSchema.input({ target: 'draft-2020-12' }), $schema: undefined } // it tells a model nothing
  } catch (error) {
    throw refused((error as Error)?.message ?? String(error), error)
  }
}

/** Throws `invalid-argument` for parameters that are no schema, or cannot be converted. */
export const parametersOf: Reader<Parameters> = (given, what) => {
  const standard = standardOf(given)
  const schema = converted(given, what)
  if (schema !== undefined && !isSchema(schema)) throw new Mismatch('a JSON schema of an object')
  return { schema: copyOfData(schema, what) as Json, validate: value => standard?.validate(value) ?? { value } }
}
