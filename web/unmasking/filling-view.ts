// Shows how a text fills in: masks as boxes, the tokens that replace them, and the tokens of the last pass in color. Afterwards, a
// slider goes back through the passes.
import { make } from '../support/dom.js'
import { percent, plural } from '../support/format.js'
import type { Filled, Filling } from './filling.js'

export class FillingView {
  readonly #text = make('p', { className: 'filling-text', dir: 'auto' })
  readonly #state = make('output')
  readonly #slider = make('input', { type: 'range', min: '1', step: '1', ariaLabel: 'Pass' })
  readonly #back = make('label', { className: 'filling-back', hidden: true }, 'Pass ', this.#slider)
  readonly #summary = make('summary', {}, 'Filling in…')
  readonly place = make(
    'details',
    { className: 'filling', hidden: true },
    this.#summary,
    this.#text,
    make('div', { className: 'filling-controls' }, this.#back, this.#state),
  )
  #filling?: Filling
  #isWhole = false

  constructor() {
    this.#slider.addEventListener('input', () => this.#draw(Number(this.#slider.value)))
  }

  /** Shows the last pass of a text that is being written, or folds up once it is whole; undefined: there is nothing to show. */
  show(filling: Filling | undefined, isWhole: boolean): void {
    const isOther = filling !== this.#filling
    const passes = filling?.passes ?? 0
    this.place.hidden = passes === 0
    const isDrawn = !isOther && isWhole === this.#isWhole && passes === Number(this.#slider.max)
    if (!filling || passes === 0 || isDrawn) return
    if (isOther || isWhole !== this.#isWhole) this.place.open = !isWhole
    this.#filling = filling
    this.#isWhole = isWhole
    this.#summary.textContent = isWhole ? `How it filled in, in ${passes} ${passes === 1 ? 'pass' : 'passes'}` : 'Filling in…'
    this.#back.hidden = !isWhole || passes === 1
    this.#slider.max = this.#slider.value = `${passes}`
    this.#draw(passes)
  }

  #draw(pass: number): void {
    const all = this.#filling!.after(pass)
    const filled = all.filter(token => token !== undefined).length
    this.#text.replaceChildren(...all.map(token => (token ? tokenIn(token, pass) : make('span', { className: 'mask' }))))
    const later = this.#filling!.places - all.length
    const rest = this.#isWhole || later === 0 ? '' : `; ${later} more may follow`
    this.#state.value = `Pass ${pass}: ${filled} of ${plural(all.length, 'place')} filled${rest}`
    this.#slider.ariaValueText = this.#state.value
  }
}

function tokenIn({ text, pass, logprob }: Filled, shown: number): HTMLElement {
  const isBlank = text.trim() === ''
  return make(
    'span',
    {
      className: [pass === shown && 'new', isBlank && 'blank'].filter(Boolean).join(' '),
      title: `Pass ${pass}, ${percent(Math.exp(logprob))} certain${text === '' ? '; a control token' : ''}`,
    },
    text === '' ? '∅' : text,
  )
}
