// The sampling parameters, which chats and plain completions share, and their conversion to Heed's options.
import { mostIndex } from '../../page/readers.js'
import { laterSeed, randomSeed, seedOf } from '../../page/seed.js'
import type { GenerateOptions } from '../../types/index.js'
import { ParameterError } from './errors.js'
import { boolean, fields, integer, list, number, object, type Read, type Reader, text, type Warn } from './read.js'
import type { SamplingParams } from './types.js'
import { ofStreams } from './unread.js'

const stop: Reader<string[]> = (value, param) => {
  const texts = typeof value === 'string' ? [value] : list(text)(value, param)
  if (texts.includes('')) throw new ParameterError(param, 'an empty string is not allowed')
  return texts
}

const logitBias: Reader<Record<number, number>> = (value, param) => {
  for (const [id, bias] of Object.entries(object(value, param))) {
    integer(0, mostIndex)(Number(id), param)
    number(-100, 100)(bias, `${param}.${id}`)
  }
  return value as Record<number, number>
}

/** OpenAI's are integers of 64 bits, with a sign. */
const seed: Reader<number> = (value, param) => seedOf(Number.isInteger(value) ? (value as number) : integer(0)(value, param))

/** A limit, of which -1 is none, as other servers have it. */
export const limit: Reader<number | undefined> = (value, param) => (value === -1 ? undefined : integer(1)(value, param))

export const sampling = {
  temperature: number(0, 2),
  top_p: (value: unknown, param: string) => Math.max(number(0, 1)(value, param), 1e-9), // 0 means the most probable token
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  logit_bias: logitBias,
  seed,
  stop,
  n: integer(1, 128),
  top_k: (value: unknown, param: string) => (value === -1 ? 0 : integer(0, mostIndex)(value, param)),
  min_p: number(0, 0.99),
  repetition_penalty: number(0.1, 10),
} satisfies Record<keyof SamplingParams, Reader<unknown>>

export const streaming = {
  stream: boolean,
  stream_options: fields({ include_usage: boolean, ...ofStreams }),
}

/** Whether chunks report usage. */
export function wantsUsage({ stream, stream_options }: Read<typeof streaming>, warn: Warn): boolean {
  if (stream_options && !stream) warn('stream_options', 'has no effect without `stream: true`')
  return stream_options?.include_usage === true
}

/** The options of `generate` for each of the `n` texts, which differ only in their seeds. */
export function generateOptions(read: Read<typeof sampling>, rest: GenerateOptions): GenerateOptions[] {
  const { n = 1, seed = randomSeed() } = read
  const options: Record<string, unknown> = { ...rest }
  for (const name of Object.keys(sampling) as (keyof typeof sampling)[]) {
    if (name !== 'n') options[name.replace(/_./g, ([, letter]) => letter!.toUpperCase())] = read[name]
  }
  return Array.from({ length: n }, (_, index) => ({ ...options, seed: laterSeed(seed, index) }))
}
