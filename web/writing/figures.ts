// The line below the text: how fast it was generated, how it ended, and its seed.
import { make } from '../support/dom.js'
import { milliseconds, plural, rate } from '../support/format.js'
import type { Outcome, Pace } from './writer.js'

const ends: Record<Outcome['finishReason'], string> = {
  stop: 'The text is complete',
  length: 'The maximum number of tokens is reached',
  context: 'The context is full',
  abort: 'Stopped',
  sentence: 'The sentence is complete',
}

export const showPace = (place: HTMLElement, pace: Pace): void => place.replaceChildren(figures(pace))

/** How much of a prompt has been processed, between 0 and 1; `otherwise` is shown while the share is unknown. */
export const readingInWords = (share: number | undefined, otherwise: string): string =>
  share === undefined || share >= 1 ? otherwise : `Reading ${Math.floor(share * 100)} %`

/** Shows how a text ended. `keepSeed` adds a button that keeps its random seed; `goesOn` adds the number of reused tokens. */
export function showOutcome(
  place: HTMLElement,
  outcome: Outcome,
  { keepSeed, goesOn = false }: { keepSeed?: () => void; goesOn?: boolean } = {},
): void {
  const { seed, tokens, finishReason, firstTokenMs, tokensPerSecond, promptTokens, reusedTokens } = outcome
  const seedText = make('span', {}, `Seed ${seed}`)
  if (keepSeed) {
    const keep = make('button', { type: 'button', className: 'quiet' }, 'reuse it')
    keep.addEventListener('click', () => {
      if (keep.ariaDisabled) return
      keepSeed()
      keep.textContent = 'used for the next text'
      keep.ariaDisabled = 'true' // it keeps the focus
    })
    seedText.append(': ', keep)
  }
  const end = make('span', {}, ends[finishReason])
  const parts = [figures({ tokens, tokensPerSecond, firstTokenMs }), end, ...(seed === undefined ? [] : [seedText])]
  if (goesOn) parts.push(make('span', {}, `${reusedTokens} of ${promptTokens} earlier tokens reused`))
  place.replaceChildren(...parts)
}

/** Says how a text ended, for screen readers. */
export const outcomeInWords = ({ tokens, finishReason }: Outcome) => `${ends[finishReason]}: ${plural(tokens, 'token')}.`

const figures = (pace: Partial<Pace>): HTMLElement => make('span', {}, paceInWords(pace))

/**
 * The fewest tokens whose speed is shown: a pass can verify several guessed tokens at once, so the speed of a handful of
 * tokens says nothing about a longer text.
 */
const fewestTimed = 16

/** The number of tokens, the speed, and the time to the first token, as far as known. */
export function paceInWords({ tokens, tokensPerSecond = 0, firstTokenMs }: Partial<Pace>): string {
  const parts = tokens === undefined ? [] : [plural(tokens, 'token')]
  if (tokensPerSecond > 0 && (tokens ?? 0) >= fewestTimed) parts.push(rate(tokensPerSecond))
  if (firstTokenMs !== undefined) parts.push(`first after ${milliseconds(firstTokenMs)}`)
  return parts.join(', ')
}
