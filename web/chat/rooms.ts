// The rooms of the page: a conversation, and free text. Which one is offered, and open first, goes by the model.
import { byId } from '../support/dom.js'

export type Room = 'chat' | 'text'

export class Rooms {
  readonly #place = byId('rooms', HTMLFieldSetElement)
  readonly #settings = byId('sampling-details', HTMLDetailsElement)
  readonly #enter: (room: Room) => void
  /** What the reader chose, for the models to come, too. */
  #chosen: Room = 'chat'

  constructor(enter: (room: Room) => void) {
    this.#enter = enter
    this.#place.addEventListener('change', ({ target }) => {
      this.#chosen = (target as HTMLInputElement).value as Room
      this.open(this.#chosen)
    })
  }

  /** Offers both rooms, and opens the chat, unless the reader chose otherwise; a model that does not chat has free text only. */
  offer(hasChat: boolean): void {
    this.#place.hidden = !hasChat
    this.open(hasChat ? this.#chosen : 'text')
  }

  /** Opens a room. The settings go along: they are the same in both. */
  open(room: Room): void {
    this.#place.querySelector<HTMLInputElement>(`[value=${room}]`)!.checked = true
    byId('main', HTMLElement).classList.toggle('chatting', room === 'chat')
    const form = byId(room === 'chat' ? 'chat-compose' : 'compose', HTMLFormElement)
    if (!form.contains(this.#settings)) form.append(this.#settings)
    this.#enter(room)
  }
}
