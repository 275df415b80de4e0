// The value of a text that has a form.
import type { Outline } from '../wire/form.js'

/** The value of a text of a schema; undefined for other outlines, and for a text that was cut off. */
export function parsed(form: Outline | undefined, text: string): unknown {
  if (typeof form !== 'object' || !('notation' in form) || form.notation !== 'schema') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
