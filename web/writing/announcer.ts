// Announces text to screen readers one sentence at a time: single tokens would be impossible to follow.
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
    for (let found; (found = sentence.exec(this.#waiting)?.[0]); ) {
      this.say(found)
      this.#waiting = this.#waiting.slice(found.length)
    }
  }

  /** Announces the remaining text. */
  end(): void {
    this.say(this.#waiting)
    this.#waiting = ''
  }

  say(text: string): void {
    if (text.trim() !== '') this.#place.append(make('p', {}, text.trim()))
  }
}
