// The message box. Typed text stays until it is sent.
import { byId } from '../support/dom.js'

export class Composer {
  readonly #form = byId('chat-compose', HTMLFormElement)
  readonly #box = byId('message', HTMLTextAreaElement)
  readonly #send = byId('send', HTMLButtonElement)
  readonly #stop = byId('chat-stop', HTMLButtonElement)
  #isWriting = false

  constructor(send: (text: string) => void, stop: () => void) {
    this.#form.addEventListener('submit', event => {
      event.preventDefault()
      const text = this.#box.value
      if (this.#isWriting || text.trim() === '') return
      this.text = ''
      send(text)
    })
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      if (!event.repeat) this.#form.requestSubmit()
    })
    this.#stop.addEventListener('click', stop)
  }

  get text(): string {
    return this.#box.value
  }

  set text(text: string) {
    this.#box.value = text
  }

  /** Whether there is a model to send to. */
  set isReady(isReady: boolean) {
    this.#send.disabled = !isReady
  }

  focus(): void {
    this.#box.focus()
  }

  /** While an answer is generated, Stop takes the place of Send, and its focus. */
  set isWriting(isWriting: boolean) {
    const hadFocus = [this.#send, this.#stop].some(button => button === document.activeElement)
    this.#isWriting = isWriting
    this.#send.hidden = isWriting
    this.#stop.hidden = !isWriting
    if (hadFocus) (isWriting ? this.#stop : this.#send).focus()
  }
}
