// Where a path leads: to the token that follows, or to what a head of a later layer reads.
import { make } from '../support/dom.js'
import { labeled } from '../view/frame.js'
import { ends, type Path } from './path.js'

const counter = () => make('input', { type: 'number', min: '1', step: '1', value: '1', required: true })

export class PathFields {
  readonly elements: readonly HTMLElement[]
  readonly #end = make('select', {}, ...Object.entries(ends).map(([value, name]) => make('option', { value }, name)))
  readonly #layer = counter()
  readonly #head = counter()
  readonly #ofHead: readonly HTMLElement[]
  #isShown = false

  constructor() {
    this.#ofHead = [labeled('Layer of that head', this.#layer), labeled('Its number', this.#head)]
    this.elements = [labeled('Where the path leads', this.#end), ...this.#ofHead]
    this.#end.addEventListener('change', () => this.#show())
    this.#show()
  }

  /** Limits the fields to this number of layers, and of heads in each. */
  limit(layers: number, heads: number): void {
    this.#layer.max = `${layers}`
    this.#head.max = `${heads}`
  }

  set isShown(isShown: boolean) {
    this.#isShown = isShown
    this.#show()
  }

  get path(): Path {
    const end = this.#end.value as keyof typeof ends
    return end === 'logits' ? { to: end } : { to: [this.#layer.valueAsNumber - 1, this.#head.valueAsNumber - 1], via: end }
  }

  set path({ to, via }: Path) {
    this.#end.value = via ?? 'logits'
    if (to !== 'logits') [this.#layer.valueAsNumber, this.#head.valueAsNumber] = [to[0] + 1, to[1] + 1]
    this.#show()
  }

  /** Hides fields that do not apply, and disables them, so that the form does not check them. */
  #show(): void {
    for (const element of this.elements) element.hidden = !this.#isShown
    if (this.#end.value === 'logits') for (const element of this.#ofHead) element.hidden = true
    for (const input of [this.#layer, this.#head]) input.disabled = Boolean(input.parentElement!.hidden)
  }
}
