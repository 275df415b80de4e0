// Combines the options that describe a constraint into one.
import { refuse } from '../wire/errors.js'
import type { WireConstraint } from '../wire/constraint.js'
import { type calls, constraintOptions } from './calls.generated.js'
import type { Choices } from './constraints.js'
import type { Read } from './readers.js'

type Given = Partial<Read<Pick<(typeof calls)['generate'], keyof typeof constraintOptions | 'constraint' | 'choiceProbabilities'>>>

/** Options with a single `constraint` in place of those that describe it, and `choices` if their probabilities are wanted. */
export type WithConstraint<Options> = Omit<Options, keyof Given> & { constraint?: WireConstraint; choices?: readonly string[] }

/**
 * Combines the options. Throws `invalid-argument` for several constraints, and for options of a constraint without a constraint.
 */
export function withConstraint<Options extends Given>(
  call: string,
  { choiceProbabilities, ...options }: Options,
): WithConstraint<Options> {
  const rest: Record<string, unknown> = {}
  const given: string[] = []
  const how: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (!(name in constraintOptions || name === 'constraint')) rest[name] = value
    else if ((value as WireConstraint | undefined)?.notation) given.push(name)
    else if (value !== undefined) how[name] = value
  }
  if (given.length > 1) throw refuse(`${call}: ${given.join(' and ')} exclude each other`)
  const [name] = given as (keyof typeof options)[]
  const [option] = Object.keys(how)
  if (option && name !== 'jsonSchema') throw refuse(`${call}: ${option} is an option of jsonSchema`)
  if (choiceProbabilities && name !== 'choices') throw refuse(`${call}: choiceProbabilities is an option of choices`)
  if (name) {
    const { texts, ...constraint } = options[name] as Choices
    rest.constraint = option ? { ...constraint, options: how } : constraint
    if (choiceProbabilities) rest.choices = texts
  }
  return rest as WithConstraint<Options>
}
