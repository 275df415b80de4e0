// Generates one text: the model continues a passage until it ends the text, a sentence ends, or it is stopped.
import type { FinishReason, GenerateOptions, Model, UnmaskedStep } from 'heed'
import { type Passage, tokensOf, type WrittenToken } from 'heed/viewer'
import { writtenOf } from '../support/tokens.js'
import { unmaskingOptions } from '../unmasking/filling.js'
import { readingShare } from './reading.js'

/** How a text ended. */
export interface Outcome {
  /** The seed used; undefined for a text that was cut off when its page closed. */
  seed?: number
  tokens: number
  finishReason: FinishReason | 'sentence'
  /** Milliseconds from the start to the first token; undefined if there was none. */
  firstTokenMs?: number
  tokensPerSecond: number
  /** The number of prompt tokens, and how many of them were reused because they had been read for another text. */
  promptTokens: number
  reusedTokens: number
}

/** The progress of a text that is being generated. */
export interface Pace {
  tokens: number
  firstTokenMs: number
  tokensPerSecond: number
}

/** How to generate, and when to stop. */
export interface Order {
  options: GenerateOptions
  oneSentence: boolean
  /** Whether the text comes from a link, which can always reproduce it. */
  isOfLink?: boolean
}

/** The callbacks. */
interface Told {
  /** Called with the processed share of the prompt. */
  onRead(share: number): void
  onToken(token: WrittenToken, pace: Pace): void
  /** Called with the tokens that a pass has unmasked. */
  onUnmasked(step: UnmaskedStep): void
}

/** How many of the most probable tokens to request at each position. */
const alternatives = 8

const endsSentence = /[.!?]\s*$/

/** The prompt for a text with images, whose tokens have no ids; undefined for a text without images. */
const withPictures = ({ parts, written }: Passage) => parts && [...parts, { ids: written.map(({ id }) => id) }]

/** Resolves when the text is complete. Rejects with a HeedError; an abort through `signal` is not an error. */
export async function write(
  model: Model,
  passage: Passage,
  { options, oneSentence }: Order,
  signal: AbortSignal,
  { onRead, onToken, onUnmasked }: Told,
): Promise<Outcome> {
  // An encoder reads its text as a whole; any other model continues from tokens.
  const prompt = passage.start ? passage.prompt : (withPictures(passage) ?? tokensOf(passage).map(token => token.id))
  const share = readingShare()
  const generation = model.generate(prompt, {
    topLogprobs: alternatives,
    ...unmaskingOptions(model.info, onUnmasked),
    ...options,
    ...(passage.parts && { addSpecial: false }), // the first part contains the tokens that begin a text
    signal,
    onProgress: progress => onRead(share(progress)),
  })
  const start = performance.now()
  let first: number | undefined
  let tokens = 0
  let tokensPerSecond = 0
  let isWhole = false
  for await (const token of generation) {
    if (signal.aborted) break // a token already in flight when generation was stopped
    const now = performance.now()
    first ??= now
    tokensPerSecond = now > first ? (tokens * 1000) / (now - first) : 0
    tokens++
    onToken(writtenOf(token), { tokens, firstTokenMs: first - start, tokensPerSecond })
    isWhole = oneSentence && endsSentence.test(token.text)
    if (isWhole) break
  }
  const { seed, finishReason, timings } = await generation
  return {
    seed,
    tokens,
    finishReason: isWhole ? 'sentence' : finishReason,
    firstTokenMs: first && first - start,
    tokensPerSecond: timings.decodeTokensPerSecond || tokensPerSecond,
    promptTokens: timings.promptTokens,
    reusedTokens: timings.reusedTokens,
  }
}
