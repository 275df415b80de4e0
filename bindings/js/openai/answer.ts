// What chats and plain completions have in common: several choices are written at once, and come whole or in chunks.
import { randomSeed } from '../seed.js'
import { HeedError } from '../errors.js'
import { now } from './directory.js'
import { CompletionStream, merged } from './stream.js'
import type { Usage } from './types.js'

/** Tokens, as Heed counts them. */
export interface Counts {
  readonly promptTokens: number
  readonly reusedTokens: number
  readonly generatedTokens: number
}

/** How one of the two is answered. */
export interface Kind<Choice, Whole, Piece> {
  /** What ids begin with. */
  readonly prefix: string
  /** What answers and chunks call themselves. */
  readonly object: string
  readonly chunk: string
  /** The model's name. */
  readonly model: string
  /** How many choices a prompt has. */
  readonly n: number
  readonly stream: boolean
  /** Whether a stream's chunks tell of usage. */
  readonly withUsage: boolean
  /** Ends the request. */
  readonly signal: AbortSignal | undefined
  /** Has all choices written, prompt by prompt. */
  start(signal: AbortSignal): Choice[]
  whole(choice: Choice): Promise<Whole>
  pieces(choice: Choice): AsyncGenerator<Piece>
  counts(choice: Choice): Promise<Counts>
}

/**
 * Answers a request. What runs for it ends where `signal` is aborted, where the request fails, and where its stream is left. A
 * stream is there once its first chunk is: a request that fails has none.
 */
// biome-ignore lint/suspicious/noExplicitAny: the overloads of its callers tell what it gives
export async function answer<Choice, Whole, Piece>(kind: Kind<Choice, Whole, Piece>): Promise<any> {
  const { signal } = kind
  if (signal?.aborted) throw HeedError.aborted(signal)
  const stop = new AbortController()
  // Nobody listens any more once all is done, since `stop` is then aborted, too.
  signal?.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
  try {
    const head = { id: `${kind.prefix}-${randomSeed().toString(36)}`, object: kind.object, created: now(), model: kind.model }
    const choices = kind.start(stop.signal)
    const chunks = chunksOf(kind, { ...head, object: kind.chunk }, choices, stop.signal)
    const answered = kind.stream ? await chunks.next()
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
  kind: Kind<Choice, Whole, Piece>, head: object, choices: readonly Choice[], signal: AbortSignal,
): AsyncGenerator<object, void> {
  for await (const choice of merged(choices.map(kind.pieces))) {
    if (signal.aborted) return
    yield { ...head, choices: [choice], ...kind.withUsage && { usage: null } }
  }
  if (kind.withUsage) yield { ...head, choices: [], usage: await usage(kind, choices) }
}

/** The choices of a prompt read it once: what one has read, another one may find. */
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
    prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  }
}
