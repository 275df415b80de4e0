// The form of a sweep: the word that is exchanged, the one in its place, and what is restored.
import { make } from '../support/dom.js'
import { labeled } from '../view/frame.js'
import { type Asked, type Point, points } from './plan.js'

export class SweepFields {
  readonly element: HTMLFormElement
  readonly #word = make('input', { type: 'text', maxLength: 100, spellcheck: false, autocomplete: 'off' })
  readonly #other = make('input', { type: 'text', maxLength: 100, spellcheck: false, autocomplete: 'off' })
  readonly #at = make('select', {}, ...Object.entries(points).map(([value, name]) => make('option', { value }, name)))
  readonly #run = make('button', { type: 'submit', className: 'primary' }, 'Sweep')
  readonly #stop = make('button', { type: 'button', className: 'primary', hidden: true }, 'Stop')

  constructor(run: () => void, stop: () => void) {
    this.element = make(
      'form',
      { className: 'lab-form' },
      labeled('A word of the text', this.#word),
      labeled('Another in its place', this.#other),
      labeled('What each cell restores', this.#at),
      make('div', { className: 'actions' }, this.#run, this.#stop),
    )
    this.element.addEventListener('submit', event => {
      event.preventDefault()
      run()
    })
    this.#stop.addEventListener('click', stop)
  }

  get asked(): Asked {
    return { word: this.#word.value.trim(), other: this.#other.value.trim(), at: this.#at.value as Point }
  }

  set asked({ word, other, at }: Asked) {
    this.#word.value = word
    this.#other.value = other
    this.#at.value = at
  }

  /** Proposes a word if the user has named none. */
  propose(word: string): void {
    if (this.#other.value === '') this.#word.value = word
  }

  set isRunning(isRunning: boolean) {
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement instanceof HTMLButtonElement
    this.#run.hidden = isRunning
    this.#stop.hidden = !isRunning
    if (hadFocus) (isRunning ? this.#stop : this.#run).focus()
  }
}
