// Another version of the text, shown beside it: marks their common prefix and where they diverge.
import type { Parts } from '../frame/parts.js'
import { quoted } from '../support/format.js'
import { commonLength, emptyPassage, type Passage, tokensOf } from '../tokens/passage.js'
import { TextView } from './view.js'

/** A text to compare with the one shown. */
export interface Compared {
  readonly passage: Passage
  /** The names of the text shown and of this one. */
  readonly names: readonly [shown: string, other: string]
  /** Whether it is placed before the text shown. Default: false. */
  readonly isFirst?: boolean
}

/** Navigation keys; pressed in the other text, they switch to that text. */
const turningKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Enter', ' ']

export class Comparison {
  readonly #parts: Parts['reading']
  readonly #view: TextView
  readonly #otherView: TextView
  #passage?: Passage
  #other?: Compared
  #parting?: number

  /** `turnTo` is called with the position of the token chosen in the other text. */
  constructor({ reading }: Parts, view: TextView, turnTo: (token: number) => void) {
    this.#parts = reading
    this.#view = view
    this.#otherView = new TextView(reading.other, 'other-token')
    const { other } = reading
    const turn = (token: number | undefined) => {
      const count = this.#otherView.length
      if (count === 0) return
      turnTo(Math.min(token ?? this.#parting ?? 0, count - 1))
      reading.text.focus({ preventScroll: true }) // this element now shows the text that was switched to
    }
    other.addEventListener('click', event => {
      const token = this.#otherView.tokenAt(event)
      if (token !== undefined) turn(token)
    })
    other.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || !turningKeys.includes(event.key)) return
      event.preventDefault()
      turn(undefined)
    })
  }

  /** Shows `other` beside `passage`; undefined removes it. */
  show(other: Compared | undefined, passage: Passage): void {
    const { place, shownName, otherName, otherText, note } = this.#parts
    const isNew = other !== undefined && this.#other === undefined
    this.#other = other
    place.classList.toggle('comparing', other !== undefined)
    otherText.hidden = shownName.hidden = note.hidden = other === undefined
    if (!other) {
      this.#parting = undefined
      this.#otherView.show(emptyPassage)
      return this.#view.markCommon(undefined)
    }
    shownName.textContent = other.names[0]
    otherName.textContent = other.names[1]
    this.#stand(other.isFirst ?? false)
    this.#parts.other.ariaLabel = `Tokens of ${other.names[1]}; choose one to look at that text`
    this.#otherView.show(other.passage)
    this.update(passage)
    if (isNew && this.#parting) this.#otherView.scrollTo(Math.min(this.#parting, this.#otherView.length - 1))
  }

  /** Updates the marks and the note after the text shown has changed. */
  update(passage: Passage): void {
    this.#passage = passage
    if (!this.#other) return
    const known = passage.promptTokens && this.#other.passage.promptTokens
    this.#parting = known ? commonLength(passage, this.#other.passage) : undefined
    this.#view.markCommon(this.#parting)
    this.#otherView.markCommon(this.#parting)
    this.#parts.note.textContent = this.#inWords()
  }

  /** Places the other text before or after the one shown. When the two trade places, so do their scroll positions. */
  #stand(otherIsFirst: boolean): void {
    const { texts, shownText, otherText, text, other } = this.#parts
    const [first, second] = otherIsFirst ? [otherText, shownText] : [shownText, otherText]
    if (texts.firstElementChild === first) return
    const [shownTop, otherTop] = [text.scrollTop, other.scrollTop]
    texts.replaceChildren(first, second)
    text.scrollTop = otherTop
    other.scrollTop = shownTop
  }

  #inWords(): string {
    const parting = this.#parting
    if (parting === undefined || !this.#other) return ''
    const [mine, others] = [tokensOf(this.#passage!), tokensOf(this.#other.passage)]
    const [shown, other] = this.#other.names
    if (parting === 0) return 'They have no beginning in common.'
    const alike = `The first ${parting} tokens are the same in both`
    const [next, otherNext] = [mine[parting], others[parting]]
    if (!next && !otherNext) return `${alike}, which is all.`
    if (!next || !otherNext) return `${alike}; then only ${next ? shown : other} goes on.`
    return `${alike}; then ${shown} has ${quoted(next)}, and ${other} ${quoted(otherNext)}.`
  }
}
