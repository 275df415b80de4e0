// The choice of whose attention to look at, where a model has an encoder and a decoder.
import type { AttentionOf } from 'heed'
import { byId, make } from '../support/dom.js'
import { Observable } from '../support/observable.js'

const names: Record<AttentionOf, string> = {
  encoder: 'text to itself', cross: 'answer to text', decoder: 'answer to itself',
}

export class Whose {
  readonly of = new Observable<AttentionOf>('decoder')
  readonly #place = byId('whose', HTMLFieldSetElement)
  readonly #inputs = new Map<AttentionOf, HTMLInputElement>()

  constructor() {
    for (const [of, name] of Object.entries(names) as [AttentionOf, string][]) {
      const input = make('input', { type: 'radio', name: 'of', value: of })
      this.#inputs.set(of, input)
      this.#place.append(make('label', {}, input, name))
      input.addEventListener('change', () => { this.of.value = of })
    }
    this.of.watch(of => { this.#inputs.get(of)!.checked = true })
  }

  /** Offers what there is, and starts with the first of it. */
  offer(kinds: readonly [AttentionOf, ...AttentionOf[]]): void {
    this.#place.hidden = kinds.length === 1
    this.of.value = kinds[0]
  }

  hide(): void {
    this.#place.hidden = true
  }
}
