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

export const showPace = (place: HTMLElement, { tokens, firstTokenMs, tokensPerSecond }: Pace): void =>
  place.replaceChildren(figures(tokens, tokensPerSecond, firstTokenMs))

/** Shows how a text ended. `keepSeed` adds a button that keeps its random seed; `goesOn` adds the number of reused tokens. */
export function showOutcome(
  place: HTMLElement, outcome: Outcome, { keepSeed, goesOn = false }: { keepSeed?: () => void, goesOn?: boolean } = {},
): void {
  const { seed, tokens, finishReason, firstTokenMs, tokensPerSecond, promptTokens, reusedTokens } = outcome
  const seedText = make('span', {}, `Seed ${seed}`)
  if (keepSeed) {
    const keep = make('button', { type: 'button', className: 'quiet' }, 'reuse it')
    keep.addEventListener('click', () => {
      keepSeed()
      keep.replaceWith('used for the next text')
    })
    seedText.append(': ', keep)
  }
  const end = make('span', {}, ends[finishReason])
  const parts = [figures(tokens, tokensPerSecond, firstTokenMs), end, seedText]
  if (goesOn) parts.push(make('span', {}, `${reusedTokens} of ${promptTokens} earlier tokens reused`))
  place.replaceChildren(...parts)
}

/** The same for screen readers. */
export const outcomeInWords = ({ tokens, finishReason }: Outcome) =>
  `${ends[finishReason]}: ${plural(tokens, 'token')}.`

function figures(tokens: number, tokensPerSecond: number, firstTokenMs: number | undefined): HTMLElement {
  const parts = [plural(tokens, 'token')]
  if (tokensPerSecond > 0) parts.push(rate(tokensPerSecond))
  if (firstTokenMs !== undefined) parts.push(`first token after ${milliseconds(firstTokenMs)}`)
  return make('span', {}, parts.join(', '))
}
