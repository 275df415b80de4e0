// One text being written: the model goes on from a passage until it ends, or a sentence does, or it is stopped.
import type { FinishReason, GenerateOptions, Model } from 'heed'
import { type Passage, tokensOf, type WrittenToken } from 'heed/viewer'

/** How a text came out. */
export interface Outcome {
  seed: number
  tokens: number
  finishReason: FinishReason | 'sentence'
  /** Milliseconds from the start to the first token; absent where there was none. */
  firstTokenMs?: number
  tokensPerSecond: number
  /** Tokens that it goes on from, and how many of them had been read before, for another text. */
  promptTokens: number
  reusedTokens: number
}

/** A text being written, as far as it is. */
export interface Pace {
  tokens: number
  firstTokenMs: number
  tokensPerSecond: number
}

/** How to write, and when it is enough. */
export interface Order {
  options: GenerateOptions
  oneSentence: boolean
}

/** Most probable tokens to ask for in place of each one written. */
const alternatives = 8

const endsSentence = /[.!?]\s*$/

/** Resolves when the text is there. Rejects with a HeedError; an abort of the signal is no error. */
export async function write(
  model: Model, passage: Passage, { options, oneSentence }: Order, signal: AbortSignal,
  onToken: (token: WrittenToken, pace: Pace) => void,
): Promise<Outcome> {
  // An encoder reads its text as a whole; any other model goes on from tokens.
  const prompt = passage.start ? passage.prompt : tokensOf(passage).map(token => token.id)
  const generation = model.generate(prompt, { topLogprobs: alternatives, ...options, signal })
  const start = performance.now()
  let first: number | undefined
  let tokens = 0
  let tokensPerSecond = 0
  let isWhole = false
  for await (const { id, text, logprob, alternatives = [] } of generation) {
    if (signal.aborted) break  // what was on its way when it was stopped
    const now = performance.now()
    first ??= now
    tokensPerSecond = now > first ? tokens * 1000 / (now - first) : 0
    tokens++
    onToken({ id, text, logprob, alternatives }, { tokens, firstTokenMs: first - start, tokensPerSecond })
    isWhole = oneSentence && endsSentence.test(text)
    if (isWhole) break
  }
  const { seed, finishReason, timings } = await generation
  return {
    seed, tokens, finishReason: isWhole ? 'sentence' : finishReason, firstTokenMs: first && first - start,
    tokensPerSecond: timings.decodeTokensPerSecond || tokensPerSecond,
    promptTokens: timings.promptTokens, reusedTokens: timings.reusedTokens,
  }
}
