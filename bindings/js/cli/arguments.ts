// The arguments of the commands, which have the names of the native program's. A wrong argument is an error that names it.
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { GenerateOptions, LoadOptions } from 'heed'

export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

export const loadArguments = { threads: text, kv: text, context: text } satisfies Options
export const samplingArguments = {
  'max-tokens': { ...text, short: 'n' },
  temperature: text,
  'top-k': text,
  'top-p': text,
  'min-p': text,
  'repetition-penalty': text,
  'frequency-penalty': text,
  'presence-penalty': text,
  'penalty-window': text,
  seed: text,
  stop: texts,
  'logit-bias': texts,
} satisfies Options
export { flag, text, texts }

/** Parses arguments. `most`: how many are allowed besides the options. */
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

export const loadOptions = (values: Values): LoadOptions => ({
  threads: numberOf(values, 'threads'),
  kvCache: textOf(values, 'kv') as LoadOptions['kvCache'],
  contextLength: numberOf(values, 'context'),
})

function bias(given: string): [number, number] {
  const [, id, value] = /^(\d+)=(.+)$/.exec(given) ?? []
  const number = value === '-inf' ? -Infinity : Number(value)
  if (id === undefined || Number.isNaN(number)) throw new UsageError(`--logit-bias: ${given} is not ID=BIAS`)
  return [Number(id), number]
}

export function generateOptions(values: Values): GenerateOptions {
  const number = (name: string) => numberOf(values, name)
  const biases = textsOf(values, 'logit-bias').map(bias)
  return {
    maxTokens: number('max-tokens'),
    temperature: number('temperature'),
    topK: number('top-k'),
    topP: number('top-p'),
    minP: number('min-p'),
    repetitionPenalty: number('repetition-penalty'),
    frequencyPenalty: number('frequency-penalty'),
    presencePenalty: number('presence-penalty'),
    penaltyWindow: number('penalty-window'),
    seed: number('seed'),
    stop: textsOf(values, 'stop'),
    logitBias: biases.length > 0 ? new Map(biases) : undefined,
  }
}

/** `--think` and `--no-think`; undefined leaves the decision to the template. */
export function thinkOf(values: Values): boolean | undefined {
  if (values.think && values['no-think']) throw new UsageError('--think and --no-think cannot be used together')
  return values.think ? true : values['no-think'] ? false : undefined
}
