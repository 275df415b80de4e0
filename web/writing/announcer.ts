// Announces text to screen readers one sentence at a time: single tokens would be impossible to follow.
import { make } from '../support/dom.js'

/** White space follows a sentence in most languages; in Chinese and Japanese, the next one does. */
const sentence = /^[\s\S]*?(?:[.!?؟۔।][”’"')\]]*(?=\s)|[。！？]+[”’"」』）]*(?=[^。！？”’"」』）]))/

export class Announcer {
  readonly #place: HTMLElement
  #waiting = ''

  constructor(place: HTMLElement) {
    this.#place = place
  }

  /** Starts anew, after the text `before`, of which only an incomplete sentence at its end will be announced. */
  start(before = ''): void {
    this.#place.replaceChildren()
    this.#waiting = before
    while (this.#nextSentence());
  }

  add(text: string): void {
    this.#waiting += text
    for (let next; (next = this.#nextSentence()); ) this.say(next)
  }

  #nextSentence(): string | undefined {
    const next = sentence.exec(this.#waiting)?.[0]
    if (next) this.#waiting = this.#waiting.slice(next.length)
    return next
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
