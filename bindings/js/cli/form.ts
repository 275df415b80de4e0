// The options that hold texts to a form, which have the names of the native program's.
import type { GenerateOptions } from 'heed'
import { type readArguments, text, textOf, UsageError } from './arguments.js'
import { readText } from './files.js'

export const formArguments = { 'json-schema': text, 'regex': text, 'grammar': text } as const

/** The files are read. */
export function formOptions(values: ReturnType<typeof readArguments>['values']): Pick<GenerateOptions, 'jsonSchema' | 'regex' | 'grammar'> {
  const given = Object.keys(formArguments).filter(name => values[name] !== undefined)
  if (given.length > 1) throw new UsageError(`${given.map(name => `--${name}`).join(' and ')} cannot be used together`)
  const contentOf = (name: keyof typeof formArguments) => values[name] === undefined ? undefined : readText(textOf(values, name)!)
  return { jsonSchema: contentOf('json-schema'), regex: textOf(values, 'regex'), grammar: contentOf('grammar') }
}
