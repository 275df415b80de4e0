// Answers in JSON: the constraint for a requested format, compiled before the answer begins.
import type { Model } from '../../page/model.js'
import type { ConstraintOptions } from '../../types/index.js'
import type { HeedError } from '../../wire/errors.js'
import type { SchemaOptions } from '../../wire/options.generated.js'
import { ofRequests, ParameterError } from './errors.js'
import { offeredForm } from './offered.generated.js'
import { oneOf } from './read.js'
import { schemaOptions } from './schemas.js'

export type Json = Pick<ConstraintOptions, 'jsonSchema'>

export const formatType = oneOf('text', 'json_object', 'json_schema')

/** The constraint for a `type` of answer; `json_schema` has a `schema`. */
export function jsonOf(type: ReturnType<typeof formatType> | undefined, schema?: Record<string, unknown>): Json {
  if (type === 'json_schema') return { jsonSchema: schema ?? true }
  return type === 'json_object' ? { jsonSchema: { type: 'object' } } : {}
}

/**
 * The constraint options of an answer. Compiles the constraint first, so that errors in it name `param`, as in OpenAI's API; the
 * model caches the result for the answer.
 */
export async function formOf(
  model: Model,
  json: Json = {},
  request: { readonly [name in keyof typeof offeredForm]?: unknown },
  schemas: SchemaOptions,
  param: string,
): Promise<ConstraintOptions> {
  if (json.jsonSchema === undefined) {
    const idle = (Object.keys(offeredForm) as (keyof typeof offeredForm)[]).find(name => request[name] !== undefined)
    if (idle) throw new ParameterError(idle, `needs a \`${param}\` of JSON`)
    return {}
  }
  const form = { jsonSchema: json.jsonSchema, ...schemas, ...schemaOptions(request) }
  const constraint = await model.compile(form).catch((error: HeedError) => {
    throw ofRequests.includes(error.code) ? new ParameterError(param, error.message, error.code) : error
  })
  await constraint.dispose()
  return form
}
