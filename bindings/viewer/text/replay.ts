// Replays generated text token by token, slowly or step by step, to show the choice of each token.
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { Observable } from '../support/observable.js'

/** How text is shown: as it is generated, or token by token, each with the attention from which it was chosen. */
export type Pace = 'instant' | 'slow' | 'step'

const names: Record<Pace, string> = { instant: 'at once', slow: 'slowly', step: 'step by step' }

/** Milliseconds per token at the slow pace: enough to see what it attends to. */
const stepMs = 900

export class Replay {
  readonly pace = new Observable<Pace>('instant')
  /** How many tokens of the text are shown; Infinity for all. */
  readonly shown = new Observable(Infinity)
  readonly #place: HTMLElement
  readonly #inputs = new Map<Pace, HTMLInputElement>()
  readonly #steps = make('div', { className: 'steps', role: 'group', ariaLabel: 'Steps', hidden: true })
  readonly #again = button('From the start', () => this.#to(this.#first + 1))
  readonly #back = button('Back', () => this.#stepBy(-1))
  readonly #next = button('Next', () => this.#stepBy(1))
  /** The position of the first generated token, and the number of tokens. */
  #first = 0
  #total = 0
  #timer?: ReturnType<typeof setInterval>

  constructor({ reading: { replay } }: Parts) {
    this.#place = replay
    const choice = make('fieldset', {}, make('legend', {}, 'Show it'))
    for (const [pace, name] of Object.entries(names) as [Pace, string][]) {
      const input = make('input', { type: 'radio', name: 'pace', value: pace })
      this.#inputs.set(pace, input)
      choice.append(make('label', {}, input, name))
      input.addEventListener('change', () => {
        this.pace.value = pace
      })
    }
    this.#steps.append(this.#again, this.#back, this.#next)
    replay.append(choice, this.#steps)
    this.pace.watch(pace => this.#turn(pace))
    this.shown.watch(() => this.#enable())
  }

  /** Shows or hides the controls, depending on whether the model generates text. */
  offer(offered: boolean): void {
    this.#place.hidden = !offered
    this.wait(0)
  }

  /** Resets the replay for a new passage: hides its tokens from position `first` on, unless the pace is `instant`. */
  wait(first: number): void {
    this.#pause()
    this.#first = this.#total = first
    this.shown.value = this.pace.value === 'instant' ? Infinity : first
    this.#enable()
  }

  /** Starts the replay, once the text is complete and its attention is known. */
  start(first: number, total: number): void {
    this.#first = first
    this.#total = total
    this.#turn(this.pace.value)
  }

  /** Shows this many tokens, and stops the automatic replay. */
  reveal(count: number): void {
    this.#pause()
    if (this.#total > this.#first) this.shown.value = Math.min(Math.max(count, this.#first + 1), this.#total)
  }

  /** Pauses a running replay by switching to `step`. */
  hold(): void {
    if (this.#timer !== undefined) this.pace.value = 'step'
  }

  #turn(pace: Pace): void {
    this.#pause()
    this.#inputs.get(pace)!.checked = true
    this.#steps.hidden = pace === 'instant'
    if (pace === 'instant') this.shown.value = Infinity
    else if (this.#total > this.#first) {
      if (this.shown.value <= this.#first || this.shown.value >= this.#total) this.#to(this.#first + 1)
      if (pace === 'slow') this.#timer ??= setInterval(() => this.#tick(), stepMs)
    }
    this.#enable()
  }

  #tick(): void {
    this.#to(Math.min(this.shown.value, this.#total) + 1)
    if (this.shown.value >= this.#total) this.#pause()
  }

  /** Steps by hand, which ends automatic replay. */
  #stepBy(count: number): void {
    this.pace.value = 'step'
    this.#to(Math.min(this.shown.value, this.#total) + count)
  }

  #to(shown: number): void {
    this.shown.value = Math.min(Math.max(shown, this.#first + 1), this.#total)
    if (this.pace.value === 'slow' && this.#timer === undefined) this.#timer = setInterval(() => this.#tick(), stepMs)
  }

  #pause(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #enable(): void {
    const some = this.#total > this.#first
    const focused = (this.#back.getRootNode() as ShadowRoot | Document).activeElement // a button that is disabled loses the focus
    this.#again.disabled = !some
    this.#back.disabled = !some || this.shown.value <= this.#first + 1
    this.#next.disabled = !some || this.shown.value >= this.#total
    if (this.#back.disabled && focused === this.#back) this.#next.focus()
    if (this.#next.disabled && focused === this.#next) this.#back.focus()
  }
}

function button(name: string, press: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button' }, name)
  made.addEventListener('click', press)
  return made
}
