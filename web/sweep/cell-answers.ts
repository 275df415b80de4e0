// The two answers of a cell: what follows the text with the other word, and what follows it once the cell's values are restored.
import { type Edit, HeedError, type Model, type Token } from 'heed'
import { type AnswersView, answersNamed, inWords } from '../edits/answers.js'
import { make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import { editOf, type Plan } from './plan.js'

/** The most tokens of an answer. */
const mostTokens = 24

export class CellAnswers {
  readonly element: HTMLElement
  readonly #title = make('h3')
  readonly #said = make('p', { className: 'lens-help', role: 'status', ariaLabel: 'State of the answers' })
  readonly #answers: AnswersView
  readonly #texts: HTMLElement
  #plain?: { readonly plan: Plan; readonly tokens: Promise<readonly Token[]> }
  #stop = new AbortController()

  constructor() {
    const { element, view } = answersNamed('With the other word', 'With this cell restored')
    this.#answers = view
    this.#texts = element
    this.element = make('section', { className: 'sweep-cell', ariaLabel: 'The chosen cell' }, this.#title, this.#said, element)
  }

  async show(model: Model, plan: Plan, title: string, layer: number, column: number): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    this.#title.textContent = title
    const edit = editOf(plan, layer, column)
    this.#texts.hidden = !edit
    if (!edit) {
      this.#said.textContent = 'A path is measured at the token that follows; no answer is written along it.'
      return
    }
    this.#said.textContent = 'Answering …'
    try {
      if (this.#plain?.plan !== plan) this.#plain = { plan, tokens: answer(model, plan, []) }
      const without = await this.#plain.tokens
      const changed = await answer(model, plan, [edit], signal)
      if (signal.aborted) return
      const answers = { without, with: changed }
      this.#answers.show(answers)
      this.#said.textContent = inWords(answers)
    } catch (error) {
      this.#plain = undefined
      if (!signal.aborted && HeedError.from(error).code !== 'disposed') this.#said.textContent = explain('The model', error)
    }
  }

  clear(): void {
    this.#stop.abort()
    this.#plain = undefined
    this.#title.textContent = this.#said.textContent = ''
    this.#answers.clear()
  }
}

async function answer(model: Model, { corrupted }: Plan, edits: Edit[], signal?: AbortSignal) {
  const maxTokens = Math.max(0, Math.min(mostTokens, model.info.contextLength - corrupted.length))
  return (await model.generate([...corrupted], { temperature: 0, maxTokens, edits, signal })).tokens
}
