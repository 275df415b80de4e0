// Checks values against the schema, with the same rules of the engine that constrain the model while it writes.
import type { Model } from 'heed'
import type { Field } from './field.ts'

/** The problem with a field's value; empty if there is none. */
export async function faultOf(model: Model, { value, schema, required }: Field): Promise<string> {
  if (value === undefined) return required ? 'Please fill this in.' : ''
  await using constraint = await model.compile({ jsonSchema: schema })
  return (await constraint.accepts(JSON.stringify(value))) ? '' : `This does not match: ${rules(schema)}.`
}

/** The rules of a schema in words that help the user to fill in the form. */
function rules(schema: Field['schema']): string {
  const said = (rule: string, value: unknown) => (value === undefined ? [] : [`${rule} ${value}`])
  if (schema.type === 'array')
    return [...said('at least', schema.minItems), ...said('at most', schema.maxItems), 'in number'].join(' ')
  if (schema.type === 'number' || schema.type === 'integer') {
    return [
      `a${schema.type === 'integer' ? 'n integer' : ' number'}`,
      ...said('from', schema.minimum),
      ...said('to', schema.maximum),
    ].join(' ')
  }
  if (schema.type !== 'string') return 'one of the choices'
  const length = [...said('at least', schema.minLength), ...said('at most', schema.maxLength)]
  const form = schema.format ?? (schema.pattern && `like ${schema.pattern}`)
  return [...(length.length > 0 ? [`${length.join(', ')} characters`] : []), ...(form ? [`a valid ${form}`] : [])].join(', ')
}
