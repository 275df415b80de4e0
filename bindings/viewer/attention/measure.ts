// Selects the measure of attention shown: the weights, the weights times the norms of values, or rollout through all layers so far.
import type { AttentionOf } from 'heed'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { Observable } from '../support/observable.js'

/**
 * `weights`: the softmax weights; `values`: weighted by the norms of the values that they carry (value-weighted.ts); `rollout`: through
 * all layers up to the one shown (rollout.ts).
 */
export type Measure = 'weights' | 'values' | 'rollout'

/**
 * For each measure: its name, the verbs of a row's caption (present and past), and an explanation of what it means and does not
 * mean.
 */
export const measures: Record<Measure, { name: string; does: string; did: string; note: string }> = {
  weights: { name: 'weights', does: 'looks at', did: 'looked at', note: '' },
  values: {
    name: 'weights × values',
    does: 'takes from',
    did: 'took from',
    note:
      'Each weight times the length of the value that it carries into the residual stream, as a share of the row: a token with a large ' +
      'weight and a short value adds little. It does not mean that what is added points where it matters for the next token.',
  },
  rollout: {
    name: 'all layers',
    does: 'may draw from',
    did: 'may draw from',
    note:
      'The mean weights of all layers up to this one, multiplied, with half of each token staying where it is (attention rollout): from ' +
      'which tokens of the text something may have come. It does not mean that it did: values and MLPs are left out.',
  },
}

export class MeasureChoice {
  readonly measure = new Observable<Measure>('weights')
  readonly #place: HTMLFieldSetElement
  readonly #note: HTMLElement
  readonly #inputs = new Map<Measure, HTMLInputElement>()
  /** Whether the model has turned out to lack norms of values. */
  #isRefused = false
  #hasPictures = false

  constructor({ attention: { measures: place, measureNote } }: Parts) {
    this.#place = place
    this.#note = measureNote
    for (const [measure, { name }] of Object.entries(measures) as [Measure, { name: string }][]) {
      const input = make('input', { type: 'radio', name: 'measure', value: measure })
      this.#inputs.set(measure, input)
      place.append(make('label', {}, input, name))
      input.addEventListener('change', () => {
        this.measure.value = measure
      })
    }
    this.measure.watch(measure => {
      this.#inputs.get(measure)!.checked = true
      this.#explain()
    })
  }

  /**
   * Offers the measures of a kind of attention. For cross-attention, offers only the weights, because values and layers belong to
   * another text.
   */
  offer(of: AttentionOf): void {
    this.#isRefused = false
    this.#offerValues()
    this.#explain()
    this.#place.hidden = of === 'cross'
    if (of === 'cross') this.measure.value = 'weights'
  }

  /** Whether the text has images: norms of values can only be read for tokens. */
  readsPictures(hasPictures: boolean): void {
    this.#hasPictures = hasPictures
    this.#offerValues()
  }

  #offerValues(): void {
    const isMissing = this.#isRefused || this.#hasPictures
    this.#inputs.get('values')!.disabled = isMissing
    if (isMissing && this.measure.value === 'values') this.measure.value = 'weights'
  }

  /** Withdraws the measure `values` after the model has turned out to lack norms of values. */
  refuseValues(): void {
    this.#isRefused = true
    this.#offerValues()
    this.#note.textContent = 'In this model, gates change what heads write: what a weight carries depends on the token that looks.'
    this.#note.hidden = false
  }

  isOffered(measure: Measure): boolean {
    return !this.#place.hidden && this.#inputs.get(measure)?.disabled === false
  }

  hide(): void {
    this.#place.hidden = true
    this.measure.value = 'weights'
    this.#explain()
  }

  /** Shows the explanation of the measure. */
  #explain(): void {
    this.#note.textContent = measures[this.measure.value].note
    this.#note.hidden = this.measure.value === 'weights'
  }
}
