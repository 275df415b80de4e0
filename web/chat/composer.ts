// The message box. Typed text stays until it is sent, or is set aside for a text that the page puts there; a message sent before
// the model has loaded waits for it.
import type { Attachments } from '../images/attachments.js'
import type { Medium } from '../media/medium.js'
import { byId } from '../support/dom.js'
import { opensKeyboard } from '../support/keyboard.js'
import { type Box, SetAside } from '../support/set-aside.js'

/** A message that is not sent yet. */
export interface Message {
  readonly text: string
  readonly pictures: readonly Medium[]
}

export class Composer {
  readonly form = byId('chat-compose', HTMLFormElement)
  readonly #box = byId('message', HTMLTextAreaElement)
  readonly #send = byId('send', HTMLButtonElement)
  readonly #stop = byId('chat-stop', HTMLButtonElement)
  /** Messages of the user that the page has replaced. */
  readonly aside: SetAside<Message>
  /** The last text that the page has put into the box. */
  #placed?: string
  readonly #attachments: Attachments
  #isReady = false
  #isWaiting = false
  #isWriting = false
  #isShowing = false
  #giveBack?: () => void

  /** `attachments` are the images to send, which need no text. */
  constructor(attachments: Attachments, send: (text: string) => void, stop: () => void) {
    this.#attachments = attachments
    const hasPictures = () => attachments.pictures.value.length > 0 || attachments.reading !== undefined
    this.aside = new SetAside(this.#written, 'message')
    this.form.addEventListener('submit', event => {
      event.preventDefault()
      const text = this.#box.value
      if (this.#isWriting || (text.trim() === '' && !hasPictures())) return
      if (!this.#isReady) return this.#wait(true)
      this.text = ''
      send(text)
    })
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey) return
      event.preventDefault()
      if (!event.repeat) this.form.requestSubmit()
    })
    this.#box.addEventListener('input', () => {
      this.#wait(false)
      this.#exchange()
    })
    this.#stop.addEventListener('click', stop)
  }

  get text(): string {
    return this.#box.value
  }

  set text(text: string) {
    this.#box.value = text
    this.#box.dispatchEvent(new Event('change')) // notifies listeners
    this.#exchange()
  }

  /** Whether there is a model to send to. */
  set isReady(isReady: boolean) {
    const isDue = isReady && this.#isWaiting
    this.#isReady = isReady
    this.#send.disabled = !isReady
    this.#wait(false)
    if (isDue) this.form.requestSubmit()
  }

  /** Whether the text is sent once there is a model. */
  #wait(isWaiting: boolean): void {
    this.#isWaiting = isWaiting
    this.#send.textContent = isWaiting ? 'Sent when loaded' : 'Send'
  }

  /** The message in the box, with its pictures. */
  get #written(): Box<Message> {
    const box = this.#box
    const { pictures: attached } = this.#attachments
    return {
      place: box,
      get value() {
        return { text: box.value, pictures: attached.value }
      },
      set value({ text, pictures }) {
        box.value = text
        attached.value = pictures
        box.dispatchEvent(new Event('input', { bubbles: true }))
      },
      isOwn: ({ text, pictures }) => pictures.length > 0 || (text.trim() !== '' && text !== this.#placed),
      isSame: (one, other) =>
        one.text === other.text &&
        one.pictures.length === other.pictures.length &&
        one.pictures.every(({ url }, at) => url === other.pictures[at]!.url),
      focus: () => box.focus(),
    }
  }

  /** Puts a text into the box, with these pictures, and sets the user's own message aside. */
  #place(text: string, pictures: readonly Medium[]): void {
    this.aside.makeWay({ text, pictures })
    this.text = this.#placed = text
    this.#attachments.pictures.value = pictures
  }

  /** Sends a text with the pictures in the box, as if it had been typed. */
  submit(text: string): void {
    if (this.text.trim() === '') this.text = this.#placed = text
    else this.#place(text, this.#attachments.pictures.value)
    this.form.requestSubmit()
  }

  /** Focuses the box for a user who wants to write. */
  focus(): void {
    this.#box.focus()
  }

  /** Focuses the box for a user who may want to write next, unless an on-screen keyboard would cover the text to read. */
  beReady(): void {
    if (opensKeyboard()) this.catchFocus()
    else this.focus()
  }

  /** Puts a text into the box, for the user to send. */
  offer(text: string): void {
    this.#place(text, [])
    if (opensKeyboard()) this.#send.focus()
    else this.focus()
  }

  /**
   * Takes the focus if the focused element was removed. If Stop still has the focus when the answer ends, `giveBack` moves it.
   */
  catchFocus(giveBack?: () => void): void {
    const focused = document.activeElement
    if (focused && focused !== document.body && focused.checkVisibility()) return
    const catcher = this.#isWriting ? this.#stop : opensKeyboard() ? this.#send : this.#box
    catcher.focus({ preventScroll: true })
    this.#giveBack = giveBack
  }

  /**
   * While an answer is shown token by token, a button in place of Stop shows all of it; Send appears once there is something to
   * send.
   */
  set isShowing(isShowing: boolean) {
    this.#isShowing = isShowing
    this.#exchange()
  }

  /** While an answer is generated, Stop replaces Send and takes its focus. */
  set isWriting(isWriting: boolean) {
    this.#isWriting = isWriting
    const giveBack = isWriting ? undefined : this.#giveBack
    this.#giveBack = undefined
    this.#exchange(giveBack)
  }

  /** Shows the buttons that are useful now. If that hides the focused one, calls `giveBack`; default: focuses the other one. */
  #exchange(giveBack = () => (this.#stop.hidden ? this.#send : this.#stop).focus()): void {
    const { activeElement: focused } = document
    this.#send.hidden = this.#isWriting || (this.#isShowing && this.#box.value === '')
    this.#stop.hidden = !this.#isWriting && !this.#isShowing
    this.#stop.textContent = this.#isWriting ? 'Stop' : 'Show all'
    if ((focused === this.#send && this.#send.hidden) || (focused === this.#stop && this.#stop.hidden)) giveBack()
  }
}
