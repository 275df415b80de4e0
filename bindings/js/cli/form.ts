// The options that hold texts to a form, which have the names of the native program's.
import type { GenerateOptions } from 'heed'
import { numberOf, type readArguments, text, textOf, UsageError } from './arguments.js'
import { readText } from './files.js'

const forms = { 'json-schema': text, 'regex': text, 'grammar': text } as const
export const formArguments = { ...forms, whitespace: text } as const

type Values = ReturnType<typeof readArguments>['values']

/** The files are read. */
export function formOptions(values: Values): Pick<GenerateOptions, 'jsonSchema' | 'regex' | 'grammar' | 'whitespace'> {
  const given = Object.keys(forms).filter(name => values[name] !== undefined)
  if (given.length > 1) throw new UsageError(`${given.map(name => `--${name}`).join(' and ')} cannot be used together`)
  const contentOf = (name: keyof typeof forms) => values[name] === undefined ? undefined : readText(textOf(values, name)!)
  return { jsonSchema: contentOf('json-schema'), regex: textOf(values, 'regex'), grammar: contentOf('grammar'), ...whitespaceOf(values) }
}

function whitespaceOf(values: Values): Pick<GenerateOptions, 'whitespace'> {
  const given = textOf(values, 'whitespace')
  if (given === undefined) return {}
  if (values['json-schema'] === undefined) throw new UsageError('--whitespace needs --json-schema')
  return { whitespace: given === 'any' || given === 'compact' ? given : { indent: numberOf(values, 'whitespace')! } }
}
