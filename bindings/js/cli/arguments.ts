// The arguments of the commands, which have the same names as in the native program. Errors name the wrong argument. The options
// are in options.ts, which is generated from the contract.
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { GenerateOptions, LoadOptions } from 'heed'
import { loadingOptions, samplingOptions } from './options.generated.js'

export class UsageError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>
type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** Arguments that are options of the package: for each, the option and its reader. */
type Table = Readonly<Record<string, { option: string; read: string }>>
type Reads = Readonly<Record<string, (values: Values, name: string) => unknown>>

/** Parses arguments. `most`: the maximum number of arguments besides options. */
export function readArguments(args: string[], options: Options, most: number): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (positionals.length > most) throw new UsageError(`unexpected argument '${positionals[most]}'`)
    return { values: values as Values, positionals }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const [said] = (error as Error).message.split(/\.?\s*\n|\. To specify /) // the rest is advice
    throw new UsageError(said!.startsWith('Unknown option') ? `${said}; --help lists them` : said)
  }
}

export function numberOf(values: Values, name: string): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN
  if (Number.isNaN(number)) throw new UsageError(`--${name}: '${given}' is not a number`)
  return number
}

export const textOf = (values: Values, name: string) => values[name] as string | undefined
export const textsOf = (values: Values, name: string) => (values[name] ?? []) as readonly string[]

function bias(given: string): [number, number] {
  const [, id, value] = /^(\d+)=(.+)$/.exec(given) ?? []
  const number = value === '-inf' ? -Infinity : Number(value)
  if (id === undefined || Number.isNaN(number)) throw new UsageError(`--logit-bias: ${given} is not ID=BIAS`)
  return [Number(id), number]
}

const reads: Reads = {
  number: numberOf,
  text: textOf,
  texts: textsOf,
  flag: (values, name) => values[name],
  biases: (values, name) => {
    const biases = textsOf(values, name).map(bias)
    return biases.length > 0 ? new Map(biases) : undefined
  },
}

/** The package's options from parsed arguments; `more`: further readers. */
export const optionsFrom = (values: Values, table: Table, more: Reads = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table)
      .map(([name, { option, read }]) => [option, (reads[read] ?? more[read])!(values, name)])
      .filter(([, value]) => value !== undefined), // an option may have two spellings
  )

export const loadOptions = (values: Values): LoadOptions => optionsFrom(values, loadingOptions)
export const generateOptions = (values: Values): GenerateOptions => optionsFrom(values, samplingOptions)

/** `--think` and `--no-think`; undefined leaves the decision to the template. */
export function thinkOf(values: Values): boolean | undefined {
  if (values.think && values['no-think']) throw new UsageError('--think and --no-think cannot be used together')
  return values.think ? true : values['no-think'] ? false : undefined
}
