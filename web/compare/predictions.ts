// The predictions of both models at a place, side by side, and the layer from which on their most probable tokens differ.
import { HeedError, type LensPrediction, type Model } from 'heed'
import { make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain } from '../support/notices.js'
import { visible } from '../support/words.js'
import { nameOfRow } from './reading.js'

const alternatives = 6

export class Predictions {
  readonly element: HTMLElement
  readonly #title = make('h3')
  readonly #said = make('p', { className: 'lens-help', role: 'status', ariaLabel: 'Where the models part' })
  readonly #lists: readonly [HTMLOListElement, HTMLOListElement]
  #stop = new AbortController()

  constructor(names: readonly [string, string]) {
    const lists = names.map(() => make('ol', { className: 'bars' })) as [HTMLOListElement, HTMLOListElement]
    this.#lists = lists
    this.element = make(
      'section',
      { className: 'predictions', hidden: true, ariaLabel: 'What both models would say' },
      this.#title,
      this.#said,
      make(
        'div',
        { className: 'edits-answers' },
        ...names.map((name, index) => make('section', { ariaLabel: name }, make('h4', {}, name), lists[index]!)),
      ),
    )
  }

  /** Shows what both models predict after the tokens up to `position`, at the layer of `row`. */
  async show(models: readonly [Model, Model], ids: readonly number[], row: number, position: number, title: string): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    this.element.hidden = false
    this.#title.textContent = title
    this.#said.textContent = ''
    for (const list of this.#lists) list.replaceChildren()
    try {
      const layers = []
      for (const model of models)
        layers.push((await model.lens([...ids], { positions: [position], top: alternatives, signal })).layers)
      if (signal.aborted) return
      const [one, other] = layers.map(of => of.map(({ predictions }) => predictions[0]!))
      this.#said.textContent = partingInWords(one!, other!)
      this.#lists[0].replaceChildren(...barsOf(one![row]!))
      this.#lists[1].replaceChildren(...barsOf(other![row]!))
    } catch (error) {
      if (!signal.aborted && HeedError.from(error).code !== 'disposed') this.#said.textContent = explain('The model', error)
    }
  }

  clear(): void {
    this.#stop.abort()
    this.element.hidden = true
  }
}

const barsOf = ({ top }: LensPrediction) =>
  top.map(token => {
    const item = make(
      'li',
      {},
      make('span', { className: 'bar-text' }, visible(token)),
      make('span', { className: 'bar-share' }, percent(Math.exp(token.logprob))),
    )
    item.style.setProperty('--share', Math.exp(token.logprob).toFixed(4))
    return item
  })

/** A sentence that says from which layer on the two models predict different tokens. */
function partingInWords(one: readonly LensPrediction[], other: readonly LensPrediction[]): string {
  const isSame = (row: number) => one[row]!.top[0]?.id === other[row]!.top[0]?.id
  const rows = [...one.keys()]
  if (rows.every(isSame)) return 'Both would say the same token after each layer.'
  if (isSame(rows.length - 1)) return 'They part on the way, and say the same token in the end.'
  const last = rows.findLast(isSame)
  return last === undefined
    ? 'They would say different tokens from the input on.'
    : `They part after ${nameOfRow(last).toLowerCase()}.`
}
