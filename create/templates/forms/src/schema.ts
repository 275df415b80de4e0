// The part of JSON Schema that a form can show: an object of texts, numbers, choices, switches and lists of texts.

export interface TextSchema {
  readonly title?: string
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

export type FieldSchema =
  | TextSchema
  | { readonly title?: string; readonly type: 'number' | 'integer'; readonly minimum?: number; readonly maximum?: number }
  | { readonly title?: string; readonly type: 'boolean' }
  | { readonly title?: string; readonly type?: undefined; readonly enum: readonly string[] }
  | {
      readonly title?: string
      readonly type: 'array'
      readonly items: TextSchema
      readonly minItems?: number
      readonly maxItems?: number
    }

export interface FormSchema {
  readonly title: string
  readonly type: 'object'
  readonly additionalProperties: false
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly examples?: readonly string[]
}

export type Value = string | number | boolean | readonly string[] | undefined

/** The label of a field: its title, or its key. */
export const labelOf = (key: string, { title }: FieldSchema): string => title ?? key

/** The schema with the values that the user has corrected. The model must keep these, and adapts the others to them. */
export function withFixed(schema: FormSchema, fixed: Readonly<Record<string, Value>>): object {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, fixed[key] === undefined ? field : { const: fixed[key] }]),
  )
  return { ...schema, properties }
}
