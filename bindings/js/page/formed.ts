// The form that a text must have, made of the options that give it.
import { refuse } from '../wire/errors.js'
import type { Form } from '../wire/form.js'
import { type calls, formOptions } from './calls.js'
import type { Read } from './readers.js'

type Given = Partial<Read<Pick<(typeof calls)['generate'], keyof typeof formOptions | 'constraint'>>>

/** Options with the form in place of what gives it. */
export type Formed<Options> = Omit<Options, keyof Given> & { form?: Form }

/** Throws `invalid-argument` for several forms in one, and for options of schemas without one. */
export function formed<Options extends Given>(call: string, options: Options): Formed<Options> {
  const rest: Record<string, unknown> = {}
  const given: string[] = []
  const how: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (!(name in formOptions || name === 'constraint')) rest[name] = value
    else if ((value as Form | undefined)?.notation) given.push(name)
    else if (value !== undefined) how[name] = value
  }
  if (given.length > 1) throw refuse(`${call}: ${given.join(' and ')} exclude each other`)
  const [name] = given as (keyof Given)[]
  const [option] = Object.keys(how)
  if (option && name !== 'jsonSchema') throw refuse(`${call}: ${option} is an option of jsonSchema`)
  if (name) rest.form = option ? { ...(options[name] as Form), options: how } : options[name]
  return rest as Formed<Options>
}
