// Keeps what the user has written in a text box, for example, when something else replaces it, and offers to bring it back.
import { button, make } from './dom.js'
import { Observable } from './observable.js'

/** A place for something that the user writes. */
export interface Box<Kept> {
  /** The offer is placed before this element. */
  readonly place: HTMLElement
  /** Setting it notifies listeners, as if the user had written it. */
  value: Kept
  /** Whether the user has written something, so that it must not be lost. */
  isOwn(kept: Kept): boolean
  isSame(one: Kept, other: Kept): boolean
  focus(): void
}

/** A text box as a `Box`; `isOwn` returns whether the user has written a text. */
export const textBox = (box: HTMLTextAreaElement, isOwn: (text: string) => boolean): Box<string> => ({
  place: box,
  get value() {
    return box.value
  },
  set value(text) {
    box.value = text
    box.dispatchEvent(new Event('input', { bubbles: true }))
  },
  isOwn: text => text.trim() !== '' && isOwn(text),
  isSame: (one, other) => one === other,
  focus: () => box.focus(),
})

export class SetAside<Kept = string> {
  /** The replaced contents, the last ones first. */
  readonly list = new Observable<readonly Kept[]>([])
  readonly #box: Box<Kept>

  /** `what` names what the user writes there, in the plural if `areSeveral`. */
  constructor(box: Box<Kept>, what: string, areSeveral = false) {
    this.#box = box
    const note = make('p', { className: 'chat-note set-aside', role: 'status' })
    box.place.before(note)
    const [were, them] = areSeveral ? ['were', 'them'] : ['was', 'it']
    const offer = [
      `Your ${what} ${were} set aside. `,
      button(`Bring ${them} back`, () => this.#bringBack(), `Bring your ${what} back`),
      ' ',
      button(`Discard ${them}`, () => this.#discard(), `Discard your ${what}`),
    ]
    this.list.watch(list => {
      if (list.length === 0) note.replaceChildren()
      else if (!note.hasChildNodes()) note.append(...offer)
    })
  }

  /** Sets the contents of the box aside if they are the user's own and `next` is about to replace them. */
  makeWay(next: Kept): void {
    const { value } = this.#box
    this.withdraw(next)
    if (!this.#box.isSame(value, next) && this.#box.isOwn(value)) this.add([value])
  }

  add(some: readonly Kept[]): void {
    const isNew = (one: Kept) => !some.some(other => this.#box.isSame(one, other))
    this.list.value = [...some, ...this.list.value.filter(isNew)]
  }

  /** No longer offers something, for example because it is in the box again. */
  withdraw(one: Kept): void {
    const rest = this.list.value.filter(other => !this.#box.isSame(one, other))
    if (rest.length < this.list.value.length) this.list.value = rest
  }

  clear(): void {
    this.list.value = []
  }

  #bringBack(): void {
    const [last] = this.list.value
    if (last === undefined) return
    this.makeWay(last)
    this.#box.value = last
    this.#box.focus()
  }

  #discard(): void {
    this.list.value = this.list.value.slice(1)
    if (this.list.value.length === 0) this.#box.focus() // the button is removed
  }
}
