// The options that constrain a text, with the same names as in the native program.
import type { GenerateOptions } from 'heed'
import { numberOf, optionsFrom, type readArguments, textOf, UsageError } from './arguments.js'
import { readText } from './files.js'
import { formOptions as table } from './options.generated.js'

type Values = ReturnType<typeof readArguments>['values']

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
  const given = Object.entries(table).filter(([name]) => values[name] !== undefined)
  const alone = given.filter(([, argument]) => 'alone' in argument)
  if (alone.length > 1) throw new UsageError(`${alone.map(([name]) => `--${name}`).join(' and ')} cannot be used together`)
  for (const [name, argument] of given) {
    if ('needs' in argument && values[argument.needs] === undefined) throw new UsageError(`--${name} needs --${argument.needs}`)
  }
  return optionsFrom(values, table, {
    file: (all, name) => (all[name] === undefined ? undefined : readText(textOf(all, name)!)),
    whitespace: whitespaceOf,
    boolean: booleanOf,
  })
}
