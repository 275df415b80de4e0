// The options that constrain a text, with the same names as in the native program.
import type { GenerateOptions } from 'heed'
import { argumentsOf, numberOf, type Options, optionsFrom, type readArguments, textOf, UsageError } from './arguments.js'
import { readText } from './files.js'
import { formOptions as table } from './options.js'

export const formArguments: Options = argumentsOf(table)

type Values = ReturnType<typeof readArguments>['values']

/** Whether an argument is an option of schemas; the others are notations of a constraint. */
const isOfSchemas = (name: string) => ['whitespace', 'boolean'].includes(table[name as keyof typeof table].read)

function booleanOf(values: Values, name: string): boolean | undefined {
  const given = textOf(values, name)
  if (given !== undefined && given !== 'true' && given !== 'false')
    throw new UsageError(`--${name}: '${given}' is not true or false`)
  return given === undefined ? undefined : given === 'true'
}

function whitespaceOf(values: Values, name: string): GenerateOptions['whitespace'] {
  const given = textOf(values, name)
  return given === undefined || given === 'any' || given === 'compact' ? given : { indent: numberOf(values, name)! }
}

/** Returns the options, with files replaced by their contents. */
export function formOptions(values: Values): GenerateOptions {
  const given = Object.keys(table).filter(name => values[name] !== undefined)
  const forms = given.filter(name => !isOfSchemas(name))
  if (forms.length > 1) throw new UsageError(`${forms.map(name => `--${name}`).join(' and ')} cannot be used together`)
  const how = given.find(isOfSchemas)
  if (how !== undefined && values['json-schema'] === undefined) throw new UsageError(`--${how} needs --json-schema`)
  return optionsFrom(values, table, {
    file: (all, name) => (all[name] === undefined ? undefined : readText(textOf(all, name)!)),
    whitespace: whitespaceOf,
    boolean: booleanOf,
  })
}
