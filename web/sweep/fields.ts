// The form of a sweep: the word that is exchanged, the one in its place, and what is restored.
import { make } from '../support/dom.js'
import { labeled } from '../view/frame.js'
import { PathFields } from './path-fields.js'
import { type Asked, type Point, points } from './plan.js'

const alike = 'a name for a name, or a thing for a thing'

export class SweepFields {
  readonly element: HTMLFormElement
  readonly #word = make('input', { type: 'text', dir: 'auto', maxLength: 100, spellcheck: false, autocomplete: 'off' })
  readonly #other = make('input', { type: 'text', dir: 'auto', maxLength: 100, spellcheck: false, autocomplete: 'off' })
  readonly #at = make('select', {}, ...Object.entries(points).map(([value, name]) => make('option', { value }, name)))
  readonly #path = new PathFields()
  readonly #run = make('button', { type: 'submit', className: 'primary' }, 'Sweep')
  readonly #stop = make('button', { type: 'button', className: 'primary', hidden: true }, 'Stop')

  constructor(run: () => void, stop: () => void) {
    this.element = make(
      'form',
      { className: 'lab-form' },
      make('p', { className: 'lens-help' }, `A sweep puts another word in the place of one that the text depends on: ${alike}.`),
      labeled('A word of the text', this.#word),
      labeled('Another in its place', this.#other),
      labeled('What each cell restores', this.#at),
      ...this.#path.elements,
      make('div', { className: 'actions' }, this.#run, this.#stop),
    )
    this.element.addEventListener('submit', event => {
      event.preventDefault()
      run()
    })
    this.#stop.addEventListener('click', stop)
    this.#at.addEventListener('change', () => this.#showPath())
  }

  get asked(): Asked {
    const at = this.#at.value as Point
    const own = at === 'path' ? { path: this.#path.path } : {}
    return { word: this.#word.value.trim(), other: this.#other.value.trim(), at, ...own }
  }

  set asked({ word, other, at, path }: Asked) {
    this.#word.value = word
    this.#other.value = other
    this.#at.value = at
    if (path) this.#path.path = path
    this.#showPath()
  }

  /** Focuses the field of a missing word, and returns a sentence about it; empty if none is missing. */
  missing(): string {
    const { word, other } = this.asked
    if (word !== '' && other !== '') return ''
    ;(word === '' ? this.#word : this.#other).focus()
    return word === ''
      ? 'Write a word of the text that another one is to take the place of.'
      : `Write another word to take the place of “${word}”: ${alike}.`
  }

  #showPath(): void {
    this.#path.isShown = this.#at.value === 'path'
  }

  /** Limits the fields to this number of layers, and of heads in each. */
  limit(layers: number, heads: number): void {
    this.#path.limit(layers, heads)
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
