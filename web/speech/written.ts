// The transcript: segments with their times, and words of which one is lit; keys move from word to word.
import type { TranscriptSegment, TranscriptWord } from 'heed'
import { make } from '../support/dom.js'

/** 1:05.3 */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${(Math.floor((seconds % 60) * 10) / 10).toFixed(1).padStart(4, '0')}`

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export class Written {
  readonly element = make('ol', { className: 'heard' })
  readonly #interim = make('li', { className: 'interim', dir: 'auto' })
  readonly #words: { word: TranscriptWord; element: HTMLButtonElement; windowStart: number }[] = []
  readonly #onLight: (word?: TranscriptWord, windowStart?: number) => void
  readonly #onPress: (word: TranscriptWord) => void
  #played?: TranscriptWord

  /**
   * `onLight` is called with the word that is played, or that the pointer or the focus is on, and where its window of the sound
   * begins; `onPress` with a word that is pressed.
   */
  constructor(onLight: (word?: TranscriptWord, windowStart?: number) => void, onPress: (word: TranscriptWord) => void) {
    this.#onLight = onLight
    this.#onPress = onPress
    this.element.addEventListener('keydown', event => {
      const at = this.#words.findIndex(({ element }) => element === document.activeElement)
      const next = this.#words[at + (steps[event.key] ?? 0)]
      if (at < 0 || !next || !(event.key in steps)) return
      event.preventDefault()
      next.element.focus()
    })
  }

  clear(): void {
    this.element.replaceChildren()
    this.#words.length = 0
    this.#played = undefined
    this.#onLight()
  }

  add(segment: TranscriptSegment): void {
    const words = segment.words?.map(word => this.#button(word, segment.windowStart)) ?? [segment.text.trim()]
    const text = make('span', { dir: 'auto' }, ...words.flatMap(word => [word, ' ']))
    this.#interim.remove()
    this.element.append(make('li', {}, make('span', { className: 'when' }, clock(segment.start)), text))
  }

  /** Shows segments that may still change, after the settled ones. */
  perhaps(segments: readonly TranscriptSegment[]): void {
    const text = segments
      .map(segment => segment.text)
      .join('')
      .trim()
    if (text === '') return this.#interim.remove()
    this.#interim.textContent = `${text} …`
    this.element.append(this.#interim)
  }

  /** Lights the word that was heard at this time. */
  lightAt(time?: number): void {
    this.#light(this.#wordAt(time))
  }

  /** Lights the word played at this time, but only when it changes, so that a word that the pointer lights meanwhile stays lit. */
  playAt(time?: number): void {
    const word = this.#wordAt(time)
    if (word === this.#played) return
    this.#played = word
    this.#light(word)
  }

  #wordAt(time?: number): TranscriptWord | undefined {
    return time === undefined ? undefined : this.#words.find(({ word }) => word.start <= time && time < word.end)?.word
  }

  #light(word?: TranscriptWord): void {
    for (const one of this.#words) one.element.classList.toggle('lit', one.word === word)
    this.#onLight(word, this.#words.find(one => one.word === word)?.windowStart)
  }

  /** The button of a word. Tab reaches one word, and arrow keys move to the others. */
  #button(word: TranscriptWord, windowStart: number): HTMLButtonElement {
    const title = `${clock(word.start)} to ${clock(word.end)}`
    const element = make(
      'button',
      { type: 'button', className: 'word', title, tabIndex: this.#words.length === 0 ? 0 : -1 },
      word.text,
    )
    element.addEventListener('click', () => this.#onPress(word))
    element.addEventListener('pointerenter', () => this.#light(word))
    element.addEventListener('pointerleave', () => this.#light())
    element.addEventListener('focus', () => {
      for (const one of this.#words) one.element.tabIndex = one.element === element ? 0 : -1
      this.#light(word)
    })
    element.addEventListener('blur', () => this.#light())
    this.#words.push({ word, element, windowStart })
    return element
  }
}
