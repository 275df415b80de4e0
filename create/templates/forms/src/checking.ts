// Whether values match the schema. The engine checks them: by the same rules to which the model is held while it writes.
import type { Model } from 'heed'
import type { Field } from './field.ts'

/** What is wrong with a field's value; empty if nothing is. */
export async function faultOf(model: Model, { value, schema, required }: Field): Promise<string> {
  if (value === undefined) return required ? 'Please fill this in.' : ''
  await using constraint = await model.compile({ jsonSchema: schema })
  return (await constraint.accepts(JSON.stringify(value))) ? '' : `This does not match: ${rules(schema)}.`
}

/** The rules of a schema in words, as far as they are of interest to who fills in the form. */
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
