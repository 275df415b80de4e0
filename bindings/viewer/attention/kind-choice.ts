// Selects the kind of attention of a model with an encoder and a decoder.
import type { AttentionOf } from 'heed'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { Observable } from '../support/observable.js'

const names: Record<AttentionOf, string> = {
  encoder: 'text to itself',
  cross: 'answer to text',
  decoder: 'answer to itself',
}

export class KindChoice {
  readonly kind = new Observable<AttentionOf>('decoder')
  /** The kinds that the model has. */
  offered: readonly AttentionOf[] = []
  readonly #place: HTMLFieldSetElement
  readonly #inputs = new Map<AttentionOf, HTMLInputElement>()

  constructor({ attention: { kinds } }: Parts) {
    this.#place = kinds
    for (const [kind, name] of Object.entries(names) as [AttentionOf, string][]) {
      const input = make('input', { type: 'radio', name: 'kind', value: kind })
      this.#inputs.set(kind, input)
      kinds.append(make('label', {}, input, name))
      input.addEventListener('change', () => {
        this.kind.value = kind
      })
    }
    this.kind.watch(kind => {
      this.#inputs.get(kind)!.checked = true
    })
  }

  /** Offers these kinds and selects the first. */
  offer(kinds: readonly AttentionOf[]): void {
    this.offered = kinds
    this.#place.hidden = kinds.length === 1
    this.kind.value = kinds[0]!
  }

  hide(): void {
    this.#place.hidden = true
  }
}
