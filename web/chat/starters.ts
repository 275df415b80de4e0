// Messages to start a conversation from.
import { byId, make } from '../support/dom.js'
import type { Prompt } from '../writing/prompt.js'

export class Starters {
  readonly place = byId('starters', HTMLDivElement)
  readonly #send: (text: string) => void

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  offer(starters: readonly Prompt[]): void {
    this.place.replaceChildren(
      ...starters.map(([text]) => {
        const starter = make('button', { type: 'button', className: 'example' }, text)
        starter.addEventListener('click', () => this.#send(text))
        return starter
      }),
    )
  }
}
