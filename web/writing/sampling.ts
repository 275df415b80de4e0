// The sampling controls: a slider for each option that has one (support/sliders.generated.ts), and a field for the seed.
import type { GenerateOptions } from 'heed'
import { byId, make } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import { sliders } from '../support/sliders.generated.js'

type Slider = (typeof sliders)[number]
type Option = Slider['option']

export class Sampling {
  /** Incremented when an option has changed. */
  readonly changes = new Observable(0)
  readonly #inputs = new Map<Option, HTMLInputElement>()
  readonly #outputs = new Map<Option, HTMLOutputElement>()
  readonly #seed = make('input', {
    id: 'seed',
    type: 'text',
    inputMode: 'numeric',
    pattern: '[0-9]{1,16}',
    title: 'A whole number of at most 16 digits', // part of the browser's message
    maxLength: 16,
    autocomplete: 'off',
    placeholder: 'random',
  })

  constructor() {
    const place = byId('sampling', HTMLDivElement)
    place.append(...sliders.map(slider => this.#field(slider)), this.#seedField())
    place.addEventListener('input', () => this.#refresh())
    // A folded element cannot get the focus, and the browser then does not report the problem.
    this.#seed.addEventListener('invalid', () => {
      byId('sampling-details', HTMLDetailsElement).open = true
    })
    byId('sampling-reset', HTMLButtonElement).addEventListener('click', () => this.reset())
    this.reset()
  }

  /** The options set by the controls. Without a seed, each generation draws its own. */
  get options(): GenerateOptions {
    const seed = this.#seed.value.trim()
    return seed === '' ? this.settings : { ...this.settings, seed: Number(seed) }
  }

  /** The options without the seed. */
  get settings(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#inputs].map(([option, input]) => [option, input.valueAsNumber]))
  }

  /** The options as far as they are valid: a seed may be half typed. */
  get known(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.options).filter(([, value]) => Number.isFinite(value)))
  }

  /** Whether the seed is empty or valid; otherwise the browser reports the problem. */
  check(): boolean {
    return this.#seed.reportValidity()
  }

  /** Sets the options that have a control. */
  set(options: Readonly<Record<string, number>>): void {
    for (const [option, input] of this.#inputs) {
      const value = options[option]
      if (value !== undefined) input.valueAsNumber = value
    }
    this.#refresh()
  }

  set seed(seed: number) {
    this.#seed.value = `${seed}`
    this.#refresh()
  }

  reset(): void {
    for (const { option, value } of sliders) this.#inputs.get(option)!.valueAsNumber = value
    this.#seed.value = ''
    this.#refresh()
  }

  #field({ option, label, hint, min, max, step }: Slider): HTMLElement {
    const hintId = `${option}-hint`
    const input = make('input', { id: option, type: 'range', min: `${min}`, max: `${max}`, step: `${step}` })
    input.setAttribute('aria-describedby', hintId)
    const output = make('output')
    output.htmlFor.add(option)
    this.#inputs.set(option, input)
    this.#outputs.set(option, output)
    return make(
      'div',
      { className: 'control' },
      make('label', { htmlFor: option }, label),
      output,
      input,
      make('small', { id: hintId }, hint),
    )
  }

  #seedField(): HTMLElement {
    this.#seed.setAttribute('aria-describedby', 'seed-hint')
    return make(
      'div',
      { className: 'control' },
      make('label', { htmlFor: 'seed' }, 'Seed'),
      this.#seed,
      make('small', { id: 'seed-hint' }, 'the same seed gives the same text, on every machine'),
    )
  }

  #refresh(): void {
    const isLarge = Number(this.#seed.value) > Number.MAX_SAFE_INTEGER
    this.#seed.setCustomValidity(isLarge ? `At most ${Number.MAX_SAFE_INTEGER}` : '')
    for (const [option, input] of this.#inputs) this.#outputs.get(option)!.value = input.value
    const { temperature, topK, topP, seed }: GenerateOptions = this.options
    byId('sampling-digest', HTMLSpanElement).textContent =
      `temperature ${temperature}, top-k ${topK}, top-p ${topP}, seed ${seed ?? 'random'}`
    this.changes.value++
  }
}
