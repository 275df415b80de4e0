// The two answers, without and with the edits, side by side, with their differences marked.
import type { Token } from 'heed'
import { make } from '../support/dom.js'
import { visible } from '../support/words.js'
import { commonOf } from './difference.js'

export interface Answers {
  readonly without: readonly Token[]
  readonly with: readonly Token[]
}

export class AnswersView {
  readonly #place: HTMLElement
  readonly #without: HTMLElement
  readonly #with: HTMLElement

  /** `place` contains the elements of the two answers. */
  constructor(place: HTMLElement, without: HTMLElement, changed: HTMLElement) {
    this.#place = place
    this.#without = without
    this.#with = changed
  }

  show(answers: Answers): void {
    const common = commonOf(
      answers.without.map(({ id }) => id),
      answers.with.map(({ id }) => id),
    )
    this.#place.hidden = false
    this.#without.replaceChildren(...written(answers.without, common[0], 'del'))
    this.#with.replaceChildren(...written(answers.with, common[1], 'ins'))
  }

  clear(): void {
    this.#place.hidden = true
    for (const place of [this.#without, this.#with]) place.replaceChildren()
  }
}

/** Creates the elements of two answers with these names, and their view. */
export function answersNamed(without: string, changed: string): { element: HTMLElement; view: AnswersView } {
  const section = (name: string, place: HTMLElement) => make('section', { ariaLabel: name }, make('h4', {}, name), place)
  const [first, second] = [make('p', { dir: 'auto' }), make('p', { dir: 'auto' })]
  const element = make('div', { className: 'edits-answers', hidden: true }, section(without, first), section(changed, second))
  return { element, view: new AnswersView(element, first, second) }
}

/** Adjacent differences become one mark. */
function written(tokens: readonly Token[], common: readonly boolean[], tag: 'del' | 'ins'): (Node | string)[] {
  const parts: (Node | string)[] = []
  let text = ''
  tokens.forEach((token, index) => {
    text += token.text
    if (index + 1 < tokens.length && common[index + 1] === common[index]) return
    if (text !== '') parts.push(common[index] ? text : make(tag, {}, text.trim() === '' ? visible({ text }) : text))
    text = ''
  })
  return parts.length > 0 ? parts : ['(nothing)']
}

/** A sentence that compares the answers. */
export function inWords({ without, with: changed }: Answers): string {
  const parting = without.findIndex(({ id }, index) => id !== changed[index]?.id)
  if (parting < 0 && without.length === changed.length) return 'Both answers are the same.'
  const at = parting < 0 ? without.length : parting
  return at === 0
    ? 'They differ from the first token on.'
    : `The first ${at === 1 ? 'token is' : `${at} tokens are`} the same in both.`
}
