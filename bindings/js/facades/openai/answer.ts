// Answers to chats and plain completions: several choices, which are generated at once and returned whole or in chunks.
import { randomSeed } from '../../page/seed.js'
import { now } from './directory.js'
import { during } from './life.js'
import { merged } from './stream.js'
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
  /** The value of the field `object` in whole answers; `chunk` is its value in chunks. */
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

/** Answers a request. */
// biome-ignore lint/suspicious/noExplicitAny: the overloads of the callers declare the result
export async function answer<Choice, Whole, Piece>(kind: Kind<Choice, Whole, Piece>): Promise<any> {
  return during(kind.signal, kind.stream, stop => {
    const head = { id: `${kind.prefix}-${randomSeed().toString(36)}`, object: kind.object, created: now(), model: kind.model }
    const choices = kind.start(stop)
    return {
      chunks: chunksOf(kind, { ...head, object: kind.chunk }, choices, stop),
      whole: async () => ({
        ...head,
        choices: await Promise.all(choices.map(kind.whole)),
        usage: await usage(kind, choices),
      }),
    }
  })
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

/**
 * Counts each prompt once for its `n` choices. A choice may reuse tokens that another one has processed, so the smallest
 * `reusedTokens` is what was cached before the request.
 */
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
