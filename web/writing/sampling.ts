// The sampling controls: the form fields are created from one table, which may narrow the ranges of the options (ranges.ts) for a slider.
import type { GenerateOptions } from 'heed'
import { byId, make } from '../support/dom.js'
import { ranges } from './ranges.js'

type Option = keyof typeof ranges

interface Control {
  option: Option
  label: string
  hint: string
  /** The ends of the slider; the option's own by default. */
  min?: number
  max?: number
  step: number
  /** The initial value; by default, the option's default. */
  value?: number
}

const controls: readonly Control[] = [
  {
    option: 'temperature',
    label: 'Temperature',
    hint: 'how much is left to chance; 0: nothing, always the most probable token',
    max: 2,
    step: 0.05,
  },
  { option: 'topK', label: 'Top-k', hint: 'choose among the k most probable tokens; 0 for all', max: 200, step: 1 },
  {
    option: 'topP',
    label: 'Top-p',
    hint: 'choose among the fewest tokens that together have this probability',
    min: 0.05,
    step: 0.01,
  },
  { option: 'minP', label: 'Min-p', hint: 'drop tokens below this share of the highest probability', max: 0.95, step: 0.01 },
  {
    option: 'repetitionPenalty',
    label: 'Repetition penalty',
    hint: 'how much what was written is avoided; 1: not at all',
    min: 1,
    max: 2,
    step: 0.01,
  },
  {
    option: 'maxTokens',
    label: 'Max tokens',
    hint: 'stop after this many tokens: words, or pieces of words',
    min: 8,
    max: 4096,
    step: 8,
    value: 400,
  },
]

/** The numbers of a control, including those of its option. */
function numbersOf({ option, min, max, value }: Control): { min: number; max: number; value: number } {
  const { least, most, standard }: { least?: number; most?: number; standard: number } = ranges[option]
  return { min: min ?? least!, max: max ?? most!, value: value ?? standard }
}

export class Sampling {
  readonly #inputs = new Map<Option, HTMLInputElement>()
  readonly #outputs = new Map<Option, HTMLOutputElement>()
  readonly #seed = make('input', {
    id: 'seed',
    type: 'text',
    inputMode: 'numeric',
    pattern: '[0-9]{1,16}',
    maxLength: 16,
    autocomplete: 'off',
    placeholder: 'random',
  })

  constructor() {
    const place = byId('sampling', HTMLDivElement)
    place.append(...controls.map(control => this.#field(control)), this.#seedField())
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

  /** The same without the seed. */
  get settings(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#inputs].map(([option, input]) => [option, input.valueAsNumber]))
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
    for (const control of controls) this.#inputs.get(control.option)!.valueAsNumber = numbersOf(control).value
    this.#seed.value = ''
    this.#refresh()
  }

  #field(control: Control): HTMLElement {
    const { option, label, hint, step } = control
    const { min, max } = numbersOf(control)
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
  }
}
