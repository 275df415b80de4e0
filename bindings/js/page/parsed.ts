// The value of a text that has a form.
import type { Form } from '../wire/form.js'

/** The value of a text of a schema; undefined for other forms, and for a text that was cut off. */
export function parsed(form: Form | undefined, text: string): unknown {
  if (form?.notation !== 'schema') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
