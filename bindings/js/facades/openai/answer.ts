// What chats and plain completions share: several choices are generated at once, and returned whole or in chunks.
import { onAbort } from '../../page/on-abort.js'
import { randomSeed } from '../../page/seed.js'
import { HeedError } from '../../wire/errors.js'
import { now } from './directory.js'
import { CompletionStream, merged } from './stream.js'
import type { Usage } from './types.js'

/** Token counts, as Heed reports them. */
export interface Counts {
  readonly promptTokens: number
  readonly reusedTokens: number
  readonly generatedTokens: number
}

/** How to answer requests of one kind: chats or plain completions. */
export interface Kind<Choice, Whole, Piece> {
  /** The prefix of ids. */
  readonly prefix: string
  /** The field `object` of answers; `chunk` is that of chunks. */
  readonly object: string
  readonly chunk: string
  /** The model's name. */
  readonly model: string
  /** The number of choices per prompt. */
  readonly n: number
  readonly stream: boolean
  /** Whether the chunks of a stream report usage. */
  readonly withUsage: boolean
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined
  /** Starts generating all choices, prompt by prompt. */
  start(signal: AbortSignal): Choice[]
  whole(choice: Choice): Promise<Whole>
  pieces(choice: Choice): AsyncGenerator<Piece>
  counts(choice: Choice): Promise<Counts>
}

/**
 * Answers a request. Its generations end if `signal` is aborted, if the request fails, or if the loop over its stream is exited. A
 * stream is returned once its first chunk has arrived, so that a request that fails returns none.
 */
// biome-ignore lint/suspicious/noExplicitAny: the overloads of the callers declare the result
export async function answer<Choice, Whole, Piece>(kind: Kind<Choice, Whole, Piece>): Promise<any> {
  const { signal } = kind
  if (signal?.aborted) throw HeedError.aborted(signal)
  const stop = new AbortController()
  onAbort(
    stop.signal,
    onAbort(signal, () => stop.abort()),
  ) // `stop` is always aborted at the end
  try {
    const head = { id: `${kind.prefix}-${randomSeed().toString(36)}`, object: kind.object, created: now(), model: kind.model }
    const choices = kind.start(stop.signal)
    const chunks = chunksOf(kind, { ...head, object: kind.chunk }, choices, stop.signal)
    const answered = kind.stream
      ? await chunks.next()
      : { ...head, choices: await Promise.all(choices.map(kind.whole)), usage: await usage(kind, choices) }
    if (stop.signal.aborted) throw HeedError.aborted(signal)
    if (kind.stream) return new CompletionStream(answered as IteratorResult<object>, chunks, stop)
    stop.abort()
    return answered
  } catch (error) {
    stop.abort()
    throw error
  }
}

async function* chunksOf<Choice, Whole, Piece>(
  kind: Kind<Choice, Whole, Piece>,
  head: object,
  choices: readonly Choice[],
  signal: AbortSignal,
): AsyncGenerator<object, void> {
  for await (const choice of merged(choices.map(kind.pieces))) {
    if (signal.aborted) return
    yield { ...head, choices: [choice], ...(kind.withUsage && { usage: null }) }
  }
  if (kind.withUsage) yield { ...head, choices: [], usage: await usage(kind, choices) }
}

/** Counts each prompt once. Its choices may reuse what another one has read, so the least reuse is what was cached before. */
async function usage<Choice, Whole, Piece>({ counts, n }: Kind<Choice, Whole, Piece>, choices: readonly Choice[]): Promise<Usage> {
  const all = await Promise.all(choices.map(counts))
  let [prompt, cached, completion] = [0, 0, 0]
  for (let at = 0; at < all.length; at += n) {
    const ofPrompt = all.slice(at, at + n)
    prompt += ofPrompt[0]!.promptTokens
    cached += Math.min(...ofPrompt.map(({ reusedTokens }) => reusedTokens))
    for (const { generatedTokens } of ofPrompt) completion += generatedTokens
  }
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  }
}
