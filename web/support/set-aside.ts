// Texts of the user that something else has replaced in a text box, with an offer to bring them back.
import { button, make } from './dom.js'
import { Observable } from './observable.js'

export class SetAside {
  /** The texts that were replaced, the last one first. */
  readonly texts = new Observable<readonly string[]>([])
  readonly #box: HTMLTextAreaElement
  readonly #isOwn: (text: string) => boolean

  /** `what` names a text of the box; `isOwn` returns whether the user has written it, so that it must not be lost. */
  constructor(box: HTMLTextAreaElement, what: string, isOwn: (text: string) => boolean) {
    this.#box = box
    this.#isOwn = isOwn
    const note = make('p', { className: 'chat-note set-aside', role: 'status' })
    box.before(note)
    const offer = [
      `Your ${what} was set aside. `,
      button('Bring it back', () => this.#bringBack(), `Bring your ${what} back`),
      ' ',
      button('Discard it', () => this.#discard(), `Discard your ${what}`),
    ]
    this.texts.watch(texts => {
      if (texts.length === 0) note.replaceChildren()
      else if (!note.hasChildNodes()) note.append(...offer)
    })
  }

  /** Sets the current text aside if it is the user's own and `next` is about to replace it. */
  makeWay(next: string): void {
    const { value } = this.#box
    this.withdraw(next)
    if (value !== next && value.trim() !== '' && this.#isOwn(value)) this.add([value])
  }

  add(texts: readonly string[]): void {
    this.texts.value = [...new Set([...texts, ...this.texts.value])]
  }

  /** No longer offers a text, for example because it is in the box again. */
  withdraw(text: string): void {
    if (this.texts.value.includes(text)) this.texts.value = this.texts.value.filter(one => one !== text)
  }

  clear(): void {
    this.texts.value = []
  }

  #bringBack(): void {
    const [text] = this.texts.value
    if (text === undefined) return
    this.makeWay(text)
    this.#box.value = text
    this.#box.dispatchEvent(new Event('input', { bubbles: true }))
    this.#box.focus()
  }

  #discard(): void {
    this.texts.value = this.texts.value.slice(1)
    if (this.texts.value.length === 0) this.#box.focus() // the button is removed
  }
}
