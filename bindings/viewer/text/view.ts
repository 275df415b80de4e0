// The text in the viewer, token by token: grows while the model writes, and shades what one of them attends to.
import type { AttentionRow } from '../attention/layer-attention.js'
import { make } from '../support/dom.js'
import { fraction, nameOf, spoken } from '../support/format.js'
import { answerOf, goesOnFrom, isWritten, type Passage, type PassageToken, tokensOf } from './passage.js'

const isControl = (text: string) => /^(<.+>|\[[A-Z]+\])$/s.test(text)

/** What is shaded: what a token looks at, and the tokens that it is about. */
export interface Shading {
  subject?: number
  /** The token whose row is shown, where that is another one. */
  chooser?: number
  object?: number
  look?: AttentionRow
}

export class TextView {
  readonly #place: HTMLElement
  readonly #prefix: string
  #passage?: Passage
  #tokens: HTMLElement[] = []
  #marked = new Map<string, HTMLElement | undefined>()
  /** The tokens that are shaded, and how many are not hidden: of a long text, only what changes is touched. */
  #shaded: readonly HTMLElement[] = []
  #revealed = Infinity

  /** `prefix` begins the ids of the tokens. */
  constructor(place: HTMLElement, prefix = 'token') {
    this.#place = place
    this.#prefix = prefix
  }

  get length(): number {
    return this.#tokens.length
  }

  /** Shows a passage; of one that goes on from what is shown, only the rest is added. */
  show(passage: Passage): void {
    const shown = this.#passage
    this.#passage = passage
    if (!shown || !goesOnFrom(passage, shown)) return this.#showAll(passage)
    const renamed = tokensOf(passage).some((token, position) => this.#isRenamed(token, position))
    if (renamed) return this.#showAll(passage)
    for (const token of passage.written.slice(shown.written.length)) this.#append(token)
  }

  /** A prompt that is not yet taken apart is shown as it was typed. */
  #showAll(passage: Passage): void {
    this.#marked.clear()
    this.#place.ariaBusy = `${!passage.promptTokens}`
    this.#place.replaceChildren()
    this.#tokens = []
    this.#shaded = []
    this.#revealed = Infinity
    if (!passage.promptTokens) this.#place.append(make('span', { className: 'typed' }, passage.prompt))
    for (const token of passage.promptTokens ?? []) this.#append(token)
    if (passage.start) this.#place.append(make('hr', { role: 'presentation' }))
    for (const token of answerOf(passage)) this.#append(token)
  }

  /** Whether a token that is shown is now known to be a part of a character. */
  #isRenamed({ part }: PassageToken, position: number): boolean {
    const element = this.#tokens[position]
    return part !== undefined && element !== undefined && element.dataset.part !== fraction(part)
  }

  #append(token: PassageToken): void {
    const element = tokenElement(token, this.#prefix, this.#tokens.length)
    element.classList.toggle('to-come', this.#tokens.length >= this.#revealed)
    this.#tokens.push(element)
    this.#place.append(element)
  }

  /** Hides the tokens from a position on, in their places: they are still to come. */
  reveal(count: number): void {
    const [from, to] = [Math.min(count, this.#revealed), Math.max(count, this.#revealed)]
    this.#revealed = count
    for (const element of this.#tokens.slice(from, to)) element.classList.toggle('to-come', from === count)
  }

  /** Marks the tokens that another text begins with, too, and the first that it does not. */
  markCommon(count: number | undefined): void {
    this.#tokens.forEach((element, position) => {
      element.classList.toggle('common', count !== undefined && position < count)
      element.classList.toggle('parting', position === count)
    })
  }

  shade({ subject, chooser, object, look }: Shading): void {
    const strongest = look?.weights.reduce((most, weight) => Math.max(most, weight), 0) ?? 0
    const shaded = look ? this.#tokens.slice(look.first, look.first + look.weights.length) : []
    const stay = new Set(shaded)
    for (const element of this.#shaded) if (!stay.has(element)) element.style.removeProperty('--weight')
    shaded.forEach((element, index) => {
      const weight = look!.weights[index]!
      if (weight > 0) element.style.setProperty('--weight', (weight / strongest).toFixed(3))
      else element.style.removeProperty('--weight')
    })
    this.#shaded = shaded
    this.#marked.get('subject')?.setAttribute('aria-selected', 'false')
    this.#mark('subject', subject)
    this.#mark('chooser', chooser)
    this.#mark('object', object)
    const selected = this.element(subject)
    selected?.setAttribute('aria-selected', 'true')
    if (selected) this.#place.setAttribute('aria-activedescendant', selected.id)
    else this.#place.removeAttribute('aria-activedescendant')
  }

  /** The position of the token that an event happened on. */
  tokenAt(event: Event): number | undefined {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>('.token:not(.to-come)') : null
    return element ? Number(element.dataset.position) : undefined
  }

  element(token: number | undefined): HTMLElement | undefined {
    return token === undefined ? undefined : this.#tokens[token]
  }

  /** Scrolls the text, and not the page, to where a token is in sight. */
  scrollTo(token: number): void {
    const element = this.element(token)
    if (!element) return
    const [inner, outer] = [element.getBoundingClientRect(), this.#place.getBoundingClientRect()]
    const [above, below] = [outer.top - inner.top, inner.bottom - outer.bottom]
    if (above > 0) this.#place.scrollTop -= above
    else if (below > 0) this.#place.scrollTop += below
  }

  /** Scrolls the text, and not the page, to where a token has some of what is before it above it. */
  bring(token: number): void {
    const element = this.element(token)
    if (element) this.#place.scrollTop += element.getBoundingClientRect().top - this.#place.getBoundingClientRect().top - this.#place.clientHeight / 3
  }

  /** The token above or below another one, the nearest in the neighbouring line. */
  neighbour(token: number, direction: 'above' | 'below'): number {
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

/** A character of several tokens stands in the first of them; each says which part of it it is. */
function tokenElement(token: PassageToken, prefix: string, position: number): HTMLElement {
  const { text, part } = token
  const classes = ['token', isWritten(token) ? 'written' : 'given']
  if (isControl(text)) classes.push('control-token')
  if (text.startsWith('\n')) classes.push('break')
  const element = make('span', {
    className: classes.join(' '), id: `${prefix}-${position}`,
    role: 'option', ariaSelected: 'false', ariaLabel: part ? nameOf(token) : spoken(text),
  }, part && part.index > 0 ? '' : text)
  element.dataset.position = `${position}`
  if (part) element.dataset.part = fraction(part)
  return element
}
