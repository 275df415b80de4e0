// What is one click away: panels of which one at a time is open, below the bar of their buttons.
import { byId } from '../support/dom.js'

export class Panels {
  readonly #panels: ReadonlyMap<string, { button: HTMLButtonElement, panel: HTMLElement }>
  readonly #onOpen: (name: string) => void

  /** `names`: a button `NAME-button` opens the panel `NAME-panel`. */
  constructor(names: readonly string[], onOpen: (name: string) => void) {
    this.#onOpen = onOpen
    this.#panels = new Map(names.map(name => {
      const button = byId(`${name}-button`, HTMLButtonElement)
      const panel = byId(`${name}-panel`, HTMLElement)
      button.setAttribute('aria-controls', panel.id)
      button.addEventListener('click', () => this.open(panel.hidden ? name : undefined))
      panel.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        this.open(undefined)
        button.focus()
      })
      return [name, { button, panel }]
    }))
    this.open(undefined)
  }

  /** Opens one, or none. */
  open(name: string | undefined): void {
    for (const [each, { button, panel }] of this.#panels) {
      panel.hidden = each !== name
      button.ariaExpanded = `${each === name}`
    }
    if (name) this.#onOpen(name)
  }

  isOpen(name: string): boolean {
    return !this.#panels.get(name)!.panel.hidden
  }

  /** Takes a panel and its button away, or brings them back. */
  offer(name: string, offered: boolean): void {
    const { button } = this.#panels.get(name)!
    button.hidden = !offered
    if (!offered && this.isOpen(name)) this.open(undefined)
  }
}
