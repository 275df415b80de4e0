// The text on the page, as tokens: grows while the model writes, and shades what one of them attends to.
import type { Look } from '../attention/layer.js'
import { make } from '../support/dom.js'
import { spoken } from '../support/format.js'
import { answerOf, isWritten, type Passage, type PassageToken } from './passage.js'

const isControl = (text: string) => /^(<.+>|\[[A-Z]+\])$/s.test(text)

/** What is shaded: what a token looks at, and the tokens that it is about. */
export interface Shading {
  subject?: number
  object?: number
  look?: Look
}

export class PassageView {
  readonly #place: HTMLElement
  #tokens: HTMLElement[] = []
  #subject?: HTMLElement
  #object?: HTMLElement

  constructor(place: HTMLElement) {
    this.#place = place
  }

  get length(): number {
    return this.#tokens.length
  }

  /** Shows a passage from scratch. A prompt that is not yet taken apart is shown as it was typed. */
  show(passage: Passage): void {
    this.#subject = this.#object = undefined
    this.#place.ariaBusy = `${!passage.promptTokens}`
    this.#place.replaceChildren()
    this.#tokens = []
    if (!passage.promptTokens) this.#place.append(make('span', { className: 'typed' }, passage.prompt))
    for (const token of passage.promptTokens ?? []) this.append(token)
    if (passage.start) this.#place.append(make('hr', { role: 'presentation' }))
    for (const token of answerOf(passage)) this.append(token)
  }

  append(token: PassageToken): void {
    const element = tokenElement(token, this.#tokens.length)
    this.#tokens.push(element)
    this.#place.append(element)
  }

  shade({ subject, object, look }: Shading): void {
    const strongest = look?.weights.reduce((most, weight) => Math.max(most, weight), 0) ?? 0
    this.#tokens.forEach((element, index) => {
      const weight = look?.weights[index - look.first] ?? 0
      if (weight > 0) element.style.setProperty('--weight', (weight / strongest).toFixed(3))
      else element.style.removeProperty('--weight')
    })
    this.#subject?.setAttribute('aria-selected', 'false')
    this.#subject = move('subject', this.#subject, this.element(subject))
    this.#object = move('object', this.#object, this.element(object))
    this.#subject?.setAttribute('aria-selected', 'true')
    if (this.#subject) this.#place.setAttribute('aria-activedescendant', this.#subject.id)
    else this.#place.removeAttribute('aria-activedescendant')
  }

  /** The position of the token that an event happened on. */
  tokenAt(event: Event): number | undefined {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>('.token') : null
    return element ? Number(element.dataset.position) : undefined
  }

  element(token: number | undefined): HTMLElement | undefined {
    return token === undefined ? undefined : this.#tokens[token]
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
}

/** Takes a class from one element and gives it to another. */
function move(name: string, old?: HTMLElement, element?: HTMLElement): HTMLElement | undefined {
  old?.classList.remove(name)
  element?.classList.add(name)
  return element
}

function tokenElement(token: PassageToken, position: number): HTMLElement {
  const { text } = token
  const classes = ['token', isWritten(token) ? 'written' : 'given']
  if (isControl(text)) classes.push('control-token')
  if (text.startsWith('\n')) classes.push('break')
  const element = make('span', {
    className: classes.join(' '), id: `token-${position}`,
    role: 'option', ariaSelected: 'false', ariaLabel: spoken(text),
  }, text)
  element.dataset.position = `${position}`
  return element
}
