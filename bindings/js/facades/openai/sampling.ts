// The sampling parameters, which chats and plain completions share, and their conversion to Heed's options.
import { laterSeed, randomSeed } from '../../page/seed.js'
import type { GenerateOptions } from '../../types/index.js'
import { offered } from './offered.generated.js'
import { boolean, fields, integer, type Read, type Reader, type Warn } from './read.js'
import type { SamplingParams } from './types.js'
import { ofStreams } from './unread.js'

/** A limit; -1 means none, as on other servers. */
export const limit: Reader<number | undefined> = (value, param) => (value === -1 ? undefined : integer(1)(value, param))

export const sampling = { ...offered, n: integer(1, 128) } satisfies Record<keyof SamplingParams, Reader<unknown>>

export const streaming = {
  stream: boolean,
  stream_options: fields({ include_usage: boolean, ...ofStreams }),
}

/** Whether chunks report usage. */
export function wantsUsage({ stream, stream_options }: Read<typeof streaming>, warn: Warn): boolean {
  if (stream_options && !stream) warn('stream_options', 'has no effect without `stream: true`')
  return stream_options?.include_usage === true
}

/** The options of `generate` for each of the `n` texts. Only their seeds differ. */
export function generateOptions(read: Read<typeof sampling>, rest: GenerateOptions): GenerateOptions[] {
  const { n = 1, seed = randomSeed() } = read
  const options: Record<string, unknown> = { ...rest }
  for (const name of Object.keys(sampling) as (keyof typeof sampling)[]) {
    if (name !== 'n') options[name.replace(/_./g, ([, letter]) => letter!.toUpperCase())] = read[name]
  }
  return Array.from({ length: n }, (_, index) => ({ ...options, seed: laterSeed(seed, index) }))
}
