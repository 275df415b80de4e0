// The parameters of a tool: a JSON Schema, or a Standard Schema (https://standardschema.dev), which converts to one and validates.
import type { Json } from '../../chat/types.js'
import { refuse } from '../../wire/errors.js'
import { copyOfData, Mismatch, type Reader } from '../readers.js'
import { isSchema } from './schema.js'

/** The result of a Standard Schema's validation: the value to use, or the issues. */
interface Verdict {
  readonly value?: unknown
  readonly issues?: readonly { readonly message: string }[]
}

/** The parts of https://standardschema.dev/json-schema that are used here. */
interface StandardSchema {
  readonly vendor?: string
  validate(value: unknown): Verdict | Promise<Verdict>
  readonly jsonSchema?: { input(options: { target: string }): Record<string, Json> }
}

export interface Parameters {
  /** The parameters as JSON Schema, for the model. */
  readonly schema?: Json
  validate(value: unknown): Verdict | Promise<Verdict>
}

const standardOf = (given: unknown) => (given as { '~standard'?: StandardSchema } | undefined | null)?.['~standard']

/** Whether an object is the result of `z.toJSONSchema`: JSON Schema with the original Standard Schema as a hidden property. */
const isJsonSchema = (given: object) =>
  Object.getPrototypeOf(given) === Object.prototype && !Object.keys(given).includes('~standard')

/** The converters of libraries whose schemas do not have one themselves. */
const converters: Readonly<Record<string, string>> = {
  arktype: 'schema.toJsonSchema()',
  effect: 'Schema.toStandardJSONSchemaV1(schema)',
  valibot: 'toStandardJsonSchema(schema) of @valibot/to-json-schema',
  zod: 'one of Zod 4.2 or later, or z.toJSONSchema(schema) of Zod 4',
}

/**
 * Converts a Standard Schema, which may be a function, to JSON Schema; returns anything else unchanged. All schemas of callers are
 * read here. Throws `invalid-argument` if the schema cannot be converted.
 */
export const converted: Reader<unknown> = (given, what) => {
  const standard = standardOf(given)
  if (!standard || isJsonSchema(given as object)) return given
  const { vendor = '', jsonSchema } = standard
  const refused = (why: string, error?: unknown) =>
    refuse(`${what}: this schema of ${vendor || 'a library'} cannot be converted: ${why}`, error)
  if (!jsonSchema) throw refused(`give ${Object.hasOwn(converters, vendor) ? converters[vendor] : 'a JSON schema'}`)
  try {
    return { ...jsonSchema.input({ target: 'draft-2020-12' }), $schema: undefined } // a model has no use for it
  } catch (error) {
    throw refused((error as Error)?.message ?? String(error), error)
  }
}

/** Reads the parameters of a tool. Throws `invalid-argument` if they are not a schema, or cannot be converted. */
export const parametersOf: Reader<Parameters> = (given, what) => {
  const standard = standardOf(given)
  const schema = converted(given, what)
  if (schema !== undefined && !isSchema(schema)) throw new Mismatch('a JSON schema of an object')
  return { schema: copyOfData(schema, what) as Json, validate: value => standard?.validate(value) ?? { value } }
}
