// The card of the token looked at: what it attended to, and what the model might have written in its place.
import { isWritten, type PassageToken } from '../passage/passage.js'
import { byId, make } from '../support/dom.js'
import { percent, quoted, visible } from '../support/format.js'
import { type Look, sumOf } from './layer.js'

const barsShown = 6

/** The least share that is worth saying of what goes to no token. */
const leastLeak = 1e-3

interface Bar {
  text: string
  share: number
  chosen?: boolean
}

export interface CardContent {
  token?: PassageToken
  tokens: readonly PassageToken[]
  /** What it attends to; absent while that is not known. */
  look?: Look
  /** Whether the model writes, and so chooses among tokens. */
  writes: boolean
}

export function showCard({ token, tokens, look, writes }: CardContent): void {
  byId('card-hint', HTMLParagraphElement).hidden = token !== undefined
  byId('card', HTMLElement).classList.toggle('empty', token === undefined)
  byId('card-hint-written', HTMLSpanElement).hidden = !writes
  showPart('card-attended', token && look && `${quoted(token.text)} looks at`, look ? attendedBars(tokens, look) : [])
  showPart('card-alternatives', token && writes ? alternativesTitle(token) : undefined, token ? alternativeBars(token) : [])
}

/** The largest weights, in words: for who cannot see the shading. */
export function inWords({ token, tokens, look }: CardContent): string {
  if (!token) return ''
  const chosen = isWritten(token) ? `, ${percent(Math.exp(token.logprob))}` : ''
  if (!look) return `${visible(token.text)}${chosen}`
  const most = attendedBars(tokens, look).slice(0, 3).map(({ text, share }) => `${text} ${percent(share)}`)
  return `${visible(token.text)}${chosen}, looks at ${most.join(', ')}`
}

/** The tokens that get most; and what none of them gets, where that is something. */
function attendedBars(tokens: readonly PassageToken[], { first, weights }: Look): Bar[] {
  const bars = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]!).slice(0, barsShown)
    .map(index => ({ text: visible(tokens[first + index]?.text ?? ''), share: weights[index]! }))
  const leak = 1 - sumOf(weights)
  return leak < leastLeak ? bars : [...bars.slice(0, barsShown - 1), { text: '(no token)', share: leak }]
}

const alternativesTitle = (token: PassageToken) =>
  isWritten(token) ? 'Most probable' : `${quoted(token.text)} was given, not chosen`

function alternativeBars(token: PassageToken): Bar[] {
  if (!isWritten(token)) return []
  const best = token.alternatives.slice(0, barsShown)
  const shown = best.some(other => other.id === token.id) ? best : [...best.slice(0, -1), token]
  return shown.map(({ id, text, logprob }) =>
    ({ text: visible(text), share: Math.exp(logprob), chosen: id === token.id }))
}

function showPart(id: string, title: string | undefined, bars: readonly Bar[]): void {
  const part = byId(id, HTMLDivElement)
  part.hidden = !title
  if (!title) return
  part.querySelector('h3')!.textContent = title
  part.querySelector('ol')!.replaceChildren(...bars.map(barElement))
}

function barElement({ text, share, chosen = false }: Bar): HTMLLIElement {
  const item = make('li', { className: chosen ? 'chosen' : '' },
    make('span', { className: 'bar-text' }, text), make('span', { className: 'bar-share' }, percent(share)))
  if (chosen) item.append(make('span', { className: 'visually-hidden' }, '(chosen)'))
  item.style.setProperty('--share', share.toFixed(4))
  return item
}
