// The rooms of the page: chat, free text and images. Which ones are offered, and which one opens first, depends on the model.
import type { Room } from '../model/kind.js'
import { byId } from '../support/dom.js'

/** The forms that contain the sampling settings. */
const forms: Partial<Record<Room, string>> = { chat: 'chat-compose', text: 'compose' }

export class Rooms {
  readonly #place = byId('rooms', HTMLFieldSetElement)
  readonly #settings = byId('sampling-details', HTMLDetailsElement)
  readonly #enter: (room: Room) => void
  /** The user's choice, which applies to later models, too. */
  #chosen: Room

  /** The open room. */
  current: Room = 'chat'

  constructor(enter: (room: Room) => void) {
    this.#enter = enter
    this.#chosen = this.#place.querySelector<HTMLInputElement>('input:checked')!.value as Room // may have changed already
    this.#place.addEventListener('change', ({ target }) => {
      this.#chosen = (target as HTMLInputElement).value as Room
      this.open(this.#chosen)
    })
  }

  /** Offers the rooms of a model and opens the chosen one, by default the chat, or else the first. */
  offer(rooms: readonly Room[]): void {
    this.#place.hidden = rooms.length === 1
    this.open(rooms.includes(this.#chosen) ? this.#chosen : rooms[0]!)
  }

  /** Opens a room and moves the sampling settings, which rooms share, into it. */
  open(room: Room): void {
    this.current = room
    for (const input of this.#place.querySelectorAll('input')) input.checked = input.value === room
    byId('main', HTMLElement).classList.toggle('chatting', room === 'chat')
    const form = forms[room] && byId(forms[room], HTMLFormElement)
    if (form && !form.contains(this.#settings)) form.append(this.#settings)
    this.#enter(room)
  }
}
