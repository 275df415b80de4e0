// The options that hold texts to a form, which have the names of the native program's.
import type { GenerateOptions } from 'heed'
import { numberOf, type readArguments, text, textOf, UsageError } from './arguments.js'
import { readText } from './files.js'

const forms = { 'json-schema': text, regex: text, grammar: text } as const
const ofSchemas = { whitespace: text, closed: text } as const
export const formArguments = { ...forms, ...ofSchemas } as const

type Values = ReturnType<typeof readArguments>['values']

/** The files are read. */
export function formOptions(values: Values): Pick<GenerateOptions, 'jsonSchema' | 'regex' | 'grammar' | 'whitespace' | 'closed'> {
  const given = Object.keys(forms).filter(name => values[name] !== undefined)
  if (given.length > 1) throw new UsageError(`${given.map(name => `--${name}`).join(' and ')} cannot be used together`)
  const contentOf = (name: keyof typeof forms) => (values[name] === undefined ? undefined : readText(textOf(values, name)!))
  return {
    jsonSchema: contentOf('json-schema'),
    regex: textOf(values, 'regex'),
    grammar: contentOf('grammar'),
    ...schemaOptions(values),
  }
}

function schemaOptions(values: Values): Pick<GenerateOptions, 'whitespace' | 'closed'> {
  const [whitespace, closed] = [textOf(values, 'whitespace'), textOf(values, 'closed')]
  const given = Object.keys(ofSchemas).find(name => values[name] !== undefined)
  if (given !== undefined && values['json-schema'] === undefined) throw new UsageError(`--${given} needs --json-schema`)
  if (closed !== undefined && closed !== 'true' && closed !== 'false')
    throw new UsageError(`--closed: '${closed}' is not true or false`)
  return {
    ...(whitespace !== undefined && {
      whitespace: whitespace === 'any' || whitespace === 'compact' ? whitespace : { indent: numberOf(values, 'whitespace')! },
    }),
    ...(closed !== undefined && { closed: closed === 'true' }),
  }
}
