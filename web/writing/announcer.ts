// Speaks the text for screen readers, a sentence at a time: token by token, no one could follow.
import { make } from '../support/dom.js'

const sentence = /^[\s\S]*?[.!?][”’"')\]]*(?=\s)/

export class Announcer {
  readonly #place: HTMLElement
  #waiting = ''

  constructor(place: HTMLElement) {
    this.#place = place
  }

  start(): void {
    this.#waiting = ''
    this.#place.replaceChildren()
  }

  add(text: string): void {
    this.#waiting += text
    for (let found; (found = sentence.exec(this.#waiting)?.[0]);) {
      this.say(found)
      this.#waiting = this.#waiting.slice(found.length)
    }
  }

  /** Speaks what is left. */
  end(): void {
    this.say(this.#waiting)
    this.#waiting = ''
  }

  say(text: string): void {
    if (text.trim() !== '') this.#place.append(make('p', {}, text.trim()))
  }
}
