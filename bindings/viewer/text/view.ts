// Renders the text token by token as the model generates it, and shades the tokens that the selected one attends to.
import { type Scale, strength } from '../attention/color-scale.js'
import type { AttentionRow } from '../attention/layer-attention.js'
import { make } from '../support/dom.js'
import { fraction, nameOf, spoken, turning } from '../support/format.js'
import {
  answerOf,
  givenOf,
  goesOnFrom,
  isOfPicture,
  isWritten,
  type Passage,
  type PassageToken,
  type Span,
  tokensOf,
} from '../tokens/passage.js'

/**
 * How many tokens of a prompt get elements of their own. The rest of a longer prompt is one text, because attention is shown for
 * at most the first thousand tokens.
 */
const mostGiven = 16_384

/**
 * Words longer than this, in characters, may be broken anywhere: otherwise a browser measures the whole word for each line that it
 * fills.
 */
const longWord = 200
const hasLongWord = new RegExp(`\\S{${longWord}}`)

const isControl = (text: string) => /^(<.+>|\[[A-Z]+\])$/s.test(text)

/** The highlights: the attention of a token, and the tokens involved. */
export interface Shading {
  subject?: number
  /** The token whose row is shown, if it is not the subject. */
  chooser?: number
  object?: number
  look?: AttentionRow
  /** Words of several tokens, each of which is shaded as one, by the sum of its tokens' weights. */
  words?: readonly Span[]
  scale: Scale
}

export class TextView {
  readonly #place: HTMLElement
  readonly #prefix: string
  #passage?: Passage
  #tokens: HTMLElement[] = []
  #marked = new Map<string, HTMLElement | undefined>()
  /** The shaded tokens, and how many tokens are visible: in a long text, only tokens that change are updated. */
  #shaded: readonly HTMLElement[] = []
  #revealed = Infinity
  #words: readonly HTMLElement[] = []
  /** The number of characters since the last white space. */
  #unbroken = 0

  /** `prefix` is the prefix of the token elements' ids. */
  constructor(place: HTMLElement, prefix = 'token') {
    this.#place = place
    this.#prefix = prefix
  }

  get length(): number {
    return this.#tokens.length
  }

  /** Shows a passage. If it extends the current one, only the new tokens are added. */
  show(passage: Passage): void {
    const shown = this.#passage
    this.#passage = passage
    // The token that starts an answer is hidden until there is an answer.
    this.#place.classList.toggle('unanswered', passage.start !== undefined && passage.written.length === 0)
    if (!shown || !goesOnFrom(passage, shown)) return this.#showAll(passage)
    const renamed = tokensOf(passage).some((token, position) => this.#isRenamed(token, position))
    if (renamed) return this.#showAll(passage)
    for (const token of passage.written.slice(shown.written.length)) this.#append(token)
  }

  /** Renders the whole passage anew. A prompt that is not tokenized yet is shown as plain text. */
  #showAll(passage: Passage): void {
    this.#marked.clear()
    this.#place.ariaBusy = `${!passage.promptTokens}`
    this.#place.replaceChildren()
    this.#tokens = []
    this.#shaded = this.#words = []
    this.#revealed = Infinity
    if (!passage.promptTokens) this.#place.append(plain(passage.prompt))
    const given = givenOf(passage)
    const own = Math.min(passage.named ?? given.length, mostGiven)
    for (const token of given.slice(0, own)) this.#append(token)
    this.#appendRest(given.slice(own))
    if (passage.start) this.#place.append(make('hr', { role: 'presentation' }))
    for (const token of answerOf(passage)) this.#append(token)
  }

  /** Adds one element for many tokens. */
  #appendRest(tokens: readonly PassageToken[]): void {
    if (tokens.length === 0) return
    const text = tokens.map(({ text, part }) => (part && part.index > 0 ? '' : text)).join('')
    const rest = plain(text)
    for (const _ of tokens) this.#tokens.push(rest)
    this.#place.append(rest)
  }

  /** Whether a token already shown is now known to be part of a character. */
  #isRenamed({ part }: PassageToken, position: number): boolean {
    const element = this.#tokens[position]
    return part !== undefined && element?.dataset.position !== undefined && element.dataset.part !== fraction(part)
  }

  #append(token: PassageToken): void {
    const element = tokenElement(token, this.#prefix, this.#tokens.length)
    element.classList.toggle('to-come', this.#tokens.length >= this.#revealed)
    this.#tokens.push(element)
    this.#place.append(element)
    this.#unbroken = /\s/.test(token.text) ? 0 : this.#unbroken + token.text.length
    if (this.#unbroken < longWord) return
    this.#place.append(make('wbr'))
    this.#unbroken = 0
  }

  /** Shows the first `count` tokens. The others are hidden but keep their space. */
  reveal(count: number): void {
    const [from, to] = [Math.min(count, this.#revealed), Math.max(count, this.#revealed)]
    this.#revealed = count
    for (const element of this.#tokens.slice(from, to)) element.classList.toggle('to-come', from === count)
  }

  /** Marks the first `count` tokens as shared with another text, and the next one as the first difference; undefined unmarks. */
  markCommon(count: number | undefined): void {
    this.#tokens.forEach((element, position) => {
      element.classList.toggle('common', count !== undefined && position < count)
      element.classList.toggle('parting', position === count)
    })
  }

  shade({ subject, chooser, object, look, words = [], scale }: Shading): void {
    const shaded = look ? this.#tokens.slice(look.first, look.first + look.weights.length) : []
    const stay = new Set(shaded)
    for (const element of this.#shaded) if (!stay.has(element)) element.style.removeProperty('--strength')
    shaded.forEach((element, index) => {
      const weight = look!.weights[index]!
      if (weight > 0) element.style.setProperty('--strength', strength(weight, scale).toFixed(3))
      else element.style.removeProperty('--strength')
    })
    this.#shaded = shaded
    this.#shadeWords(words, look, scale)
    this.#marked.get('subject')?.setAttribute('aria-selected', 'false')
    this.#mark('subject', subject)
    this.#mark('chooser', chooser)
    this.#mark('object', object)
    const selected = this.element(subject)
    selected?.setAttribute('aria-selected', 'true')
    if (selected) this.#place.setAttribute('aria-activedescendant', selected.id)
    else this.#place.removeAttribute('aria-activedescendant')
  }

  #shadeWords(words: readonly Span[], look: AttentionRow | undefined, scale: Scale): void {
    for (const element of this.#words) element.classList.remove('word')
    this.#words = words.flatMap(({ from, to }) => this.#tokens.slice(from, to))
    for (const { from, to } of words) {
      const [begin = 0, end = 0] = look ? [from, to].map(at => Math.max(at - look.first, 0)) : []
      const weight = Math.min(look?.weights.slice(begin, end).reduce((sum, each) => sum + each, 0) ?? 0, 1)
      for (const element of this.#tokens.slice(from, to)) {
        element.classList.add('word')
        if (weight > 0) element.style.setProperty('--strength', strength(weight, scale).toFixed(3))
      }
    }
  }

  /** The position of the token that is the target of an event. */
  tokenAt(event: Event): number | undefined {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>('.token:not(.to-come)') : null
    return element ? Number(element.dataset.position) : undefined
  }

  element(token: number | undefined): HTMLElement | undefined {
    return token === undefined ? undefined : this.#tokens[token]
  }

  /** Scrolls the text, not the page, until a token is in view. */
  scrollTo(token: number): void {
    const element = this.element(token)
    if (!element) return
    const [inner, outer] = [element.getBoundingClientRect(), this.#place.getBoundingClientRect()]
    const [above, below] = [outer.top - inner.top, inner.bottom - outer.bottom]
    if (above > 0) this.#place.scrollTop -= above
    else if (below > 0) this.#place.scrollTop += below
  }

  /** Scrolls the text, not the page, to a token, with some of the text before it in view. */
  bring(token: number): void {
    const element = this.element(token)
    if (element)
      this.#place.scrollTop +=
        element.getBoundingClientRect().top - this.#place.getBoundingClientRect().top - this.#place.clientHeight / 3
  }

  /** The nearest token in the line above or below a token; the same token if there is no such line. */
  neighbor(token: number, direction: 'above' | 'below'): number {
    const step = direction === 'above' ? -1 : 1
    const from = this.#tokens[token]!.getBoundingClientRect()
    let best = token
    let distance = Infinity
    let line: number | undefined
    for (let index = token + step; index >= 0 && index < this.#tokens.length; index += step) {
      const { left, top, height } = this.#tokens[index]!.getBoundingClientRect()
      if (Math.abs(top - from.top) < height / 2) continue
      line ??= top
      if (Math.abs(top - line) >= height / 2) break
      if (Math.abs(left - from.left) < distance) {
        distance = Math.abs(left - from.left)
        best = index
      }
    }
    return best
  }

  #mark(name: string, token: number | undefined): void {
    this.#marked.get(name)?.classList.remove(name)
    const element = this.element(token)
    element?.classList.add(name)
    this.#marked.set(name, element)
  }
}

/** Text without an element for each token. */
const plain = (text: string) => make('span', { className: hasLongWord.test(text) ? 'typed unbroken' : 'typed' }, text)

/** A character that spans several tokens is shown in the first of them; each shows its part number. */
function tokenElement(token: PassageToken, prefix: string, position: number): HTMLElement {
  const { text, part } = token
  const classes = ['token', isWritten(token) ? 'written' : 'given']
  if (isWritten(token) && token.draft) classes.push('drafted')
  if (isControl(text)) classes.push('control-token')
  if (text.startsWith('\n')) classes.push('break')
  if (turning.test(text)) classes.push('turning') // isolates its direction controls
  if (isOfPicture(token)) classes.push('image-token')
  const element = make(
    'span',
    {
      className: classes.join(' '),
      id: `${prefix}-${position}`,
      role: 'option',
      ariaSelected: 'false',
      ariaLabel: part || isOfPicture(token) ? nameOf(token) : spoken(text),
    },
    part && part.index > 0 ? '' : text,
  )
  element.dataset.position = `${position}`
  if (part) element.dataset.part = fraction(part)
  return element
}
