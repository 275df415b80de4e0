// Presentation: one part of the page in large type, for a screen in front of a class.
import type { HeedViewer } from 'heed/viewer'
import type { Room } from '../model/kind.js'
import { byId } from '../support/dom.js'

type Part = 'conversation' | 'text' | 'attention'

export class Presentation {
  readonly #viewer: HeedViewer
  readonly #bar = byId('presenting', HTMLElement)
  readonly #conversation = byId('present-conversation', HTMLInputElement)
  #room: Room = 'chat'

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    byId('present', HTMLButtonElement).addEventListener('click', () => this.begin())
    byId('present-end', HTMLButtonElement).addEventListener('click', () => this.end())
    this.#bar.addEventListener('change', ({ target }) => this.#show((target as HTMLInputElement).value as Part))
    // Components that handle Escape call stopPropagation; rooms call preventDefault.
    addEventListener('keydown', event => {
      if (event.key === 'Escape' && !this.#bar.hidden && !event.defaultPrevented) this.end()
    })
  }

  /** Follows a change of the room. Only the chat has a conversation to present. */
  enter(room: Room): void {
    this.#room = room
    this.#conversation.parentElement!.hidden = room !== 'chat'
    if (!this.#bar.hidden && room !== 'chat' && this.#conversation.checked) this.#choose('text')
  }

  begin(): void {
    this.#bar.hidden = false
    this.#choose(this.#room === 'chat' ? 'conversation' : 'text')
    this.#bar.querySelector<HTMLElement>(':checked')?.focus()
  }

  end(): void {
    this.#bar.hidden = true
    delete document.documentElement.dataset.presenting
    this.#viewer.removeAttribute('only')
    byId('view-menu', HTMLDetailsElement).querySelector('summary')?.focus()
  }

  #choose(part: Part): void {
    for (const input of this.#bar.querySelectorAll('input')) input.checked = input.value === part
    this.#show(part)
  }

  #show(part: Part): void {
    document.documentElement.dataset.presenting = part
    if (part === 'conversation') this.#viewer.removeAttribute('only')
    else this.#viewer.setAttribute('only', part)
    scrollTo(0, 0)
  }
}
