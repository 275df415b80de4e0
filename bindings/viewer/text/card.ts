// The card of the selected token: the attention it was chosen from, and the alternatives to it. Both belong to the same step: a
// row of weights, and the choice made from it.
import { type AttentionRow, sumOf } from '../attention/layer-attention.js'
import { type Measure, measures } from '../attention/measure.js'
import type { Parts } from '../frame/parts.js'
import type { Subject } from '../tokens/selection.js'
import { make } from '../support/dom.js'
import { nameOf, percent, quoted, visible } from '../support/format.js'
import { isWritten, type PassageToken, type WrittenToken } from '../tokens/passage.js'

const barsShown = 6

/** The smallest share of attention to no token that is worth listing. */
const leastLeak = 1e-3

interface Bar {
  text: string
  share: number
  chosen?: boolean
}

export interface CardContent {
  subject?: Subject
  /** Whether the token is pinned, so that actions apply to it. */
  isHeld: boolean
  tokens: readonly PassageToken[]
  /** The marked word that the subject is part of, if any. */
  word?: string
  /** The attention in the subject's row; undefined until it is known. */
  look?: AttentionRow
  /** The measure of that attention. */
  measure: Measure
  /** Whether the model generates text, so that there are alternatives. */
  writes: boolean
  /** Whether the first token of the text is an attention sink. */
  hasSinkToken: boolean
  /** Tokens in the model's vocabulary. */
  vocabulary: number
}

type Part = Parts['card']['attended']

export function showCard({ card }: Parts, content: CardContent): void {
  const { subject, tokens, look, writes } = content
  const token = subject && tokens[subject.token]
  card.hint.hidden = token !== undefined
  card.place.classList.toggle('empty', token === undefined)
  card.place.classList.toggle('held', content.isHeld)
  card.hintWritten.hidden = !writes
  showPart(card.attended, token && look && attendedTitle(content), look ? attendedBars(tokens, look) : [])
  const choice = subject && choiceOf(tokens, subject)
  card.note.textContent = remarks(content)
  card.note.hidden = card.note.textContent === ''
  showPart(card.choice, token && writes ? choiceTitle(content, choice) : undefined, choice ? choiceBars(choice) : [])
}

/** The largest weights in words, for screen readers. */
export function inWords({ subject, tokens, look, measure }: CardContent): string {
  const token = subject && tokens[subject.token]
  if (!token) return ''
  const chosen = isWritten(token) ? `, ${percent(Math.exp(token.logprob))}` : ''
  if (!look) return `${nameOf(token)}${chosen}`
  const most = attendedBars(tokens, look)
    .slice(0, 3)
    .map(({ text, share }) => `${text} ${percent(share)}`)
  const { does } = measures[measure]
  const verb = subject.row === subject.token ? does : `chosen from ${nameOf(tokens[subject.row]!)}, which ${does}`
  return `${nameOf(token)}${chosen}, ${verb} ${most.join(', ')}`
}

function attendedTitle({ subject, tokens, word, measure }: CardContent): string {
  const { token, row } = subject!
  const name = quoted(tokens[token]!) + (word === undefined ? '' : ` of “${word}”`)
  const { does, did } = measures[measure]
  return row === token ? `${name} ${does}` : `To choose ${name}, it ${did}`
}

/** The tokens with the largest weights, and the share that goes to no token, unless it is negligible. */
function attendedBars(tokens: readonly PassageToken[], { first, weights }: AttentionRow): Bar[] {
  const bars = [...weights.keys()]
    .sort((a, b) => weights[b]! - weights[a]!)
    .slice(0, barsShown)
    .map(index => {
      const token = tokens[first + index]
      return { text: token ? nameOf(token) : visible(''), share: weights[index]! }
    })
  const leak = 1 - sumOf(weights)
  return leak < leastLeak ? bars : [...bars.slice(0, barsShown - 1), { text: '(no token)', share: leak }]
}

/**
 * Notes, if they apply: how much choice a constraint left; that a draft proposed the token; whose row of weights is shown, if it
 * is not the token's own; and that the first token, which has the largest weight, is an attention sink.
 */
function remarks({ subject, tokens, look, hasSinkToken, vocabulary }: CardContent): string {
  if (!subject || !look) return ''
  const sentences = []
  const { allowed, draft } = choiceOf(tokens, subject) ?? {}
  if (allowed === 1) sentences.push('The form allowed no other token.')
  else if (allowed !== undefined)
    sentences.push(
      `The form allowed ${allowed.toLocaleString('en')} of ${vocabulary.toLocaleString('en')} tokens (${percent(allowed / vocabulary)}).`,
    )
  if (draft) sentences.push(`A draft had proposed it, at place ${draft}: the model verified it without a pass of its own.`)
  if (subject.row !== subject.token) sentences.push(`This is the row of ${quoted(tokens[subject.row]!)}, the token before.`)
  const toFirst = look.first === 0 && look.weights.every(weight => weight <= look.weights[0]!)
  if (hasSinkToken && toFirst && subject.row > 0) {
    sentences.push(`${quoted(tokens[0]!)} is an attention sink: it takes what is left over.`)
  }
  return sentences.join(' ')
}

/** The token chosen from the subject's row; undefined if the model did not generate it. */
function choiceOf(tokens: readonly PassageToken[], { token, row }: Subject): WrittenToken | undefined {
  const next = row === token ? tokens[row + 1] : tokens[token]
  return next && isWritten(next) ? next : undefined
}

function choiceTitle({ subject, tokens }: CardContent, choice: WrittenToken | undefined): string {
  const { token, row } = subject!
  if (row !== token) return 'and chose it among'
  if (choice) return `and so chose ${quoted(choice)} next, among`
  return isWritten(tokens[token]!) ? 'Nothing was chosen after it' : `${quoted(tokens[token]!)} was there before the model wrote`
}

function choiceBars(choice: WrittenToken): Bar[] {
  const best = choice.alternatives.slice(0, barsShown)
  const shown = best.some(other => other.id === choice.id) ? best : [...best.slice(0, -1), choice]
  return shown.map(other => {
    const chosen = other.id === choice.id
    return { text: nameOf(chosen ? choice : other), share: Math.exp(other.logprob), chosen }
  })
}

function showPart({ place, title, bars }: Part, words: string | undefined, list: readonly Bar[]): void {
  place.hidden = !words
  if (!words) return
  title.textContent = words
  bars.replaceChildren(...list.map(barElement))
}

function barElement({ text, share, chosen = false }: Bar): HTMLLIElement {
  const item = make(
    'li',
    { className: chosen ? 'chosen' : '' },
    make('span', { className: 'bar-text' }, text),
    make('span', { className: 'bar-share' }, percent(share)),
  )
  if (chosen) item.append(make('span', { className: 'visually-hidden' }, '(chosen)'))
  item.style.setProperty('--share', share.toFixed(4))
  return item
}
