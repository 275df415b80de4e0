// The rooms of the page: chat and free text. Which ones are offered, and which one opens first, depends on the model.
import { byId } from '../support/dom.js'

export type Room = 'chat' | 'text'

export class Rooms {
  readonly #place = byId('rooms', HTMLFieldSetElement)
  readonly #settings = byId('sampling-details', HTMLDetailsElement)
  readonly #enter: (room: Room) => void
  /** The user's choice, which is kept for later models. */
  #chosen: Room = 'chat'

  constructor(enter: (room: Room) => void) {
    this.#enter = enter
    this.#place.addEventListener('change', ({ target }) => {
      this.#chosen = (target as HTMLInputElement).value as Room
      this.open(this.#chosen)
    })
  }

  /** Offers both rooms and opens the chosen one, by default the chat. For a model that does not chat, there is only free text. */
  offer(hasChat: boolean): void {
    this.#place.hidden = !hasChat
    this.open(hasChat ? this.#chosen : 'text')
  }

  /** Opens a room and moves the sampling settings, which both rooms share, into it. */
  open(room: Room): void {
    this.#place.querySelector<HTMLInputElement>(`[value=${room}]`)!.checked = true
    byId('main', HTMLElement).classList.toggle('chatting', room === 'chat')
    const form = byId(room === 'chat' ? 'chat-compose' : 'compose', HTMLFormElement)
    if (!form.contains(this.#settings)) form.append(this.#settings)
    this.#enter(room)
  }
}
