// Panels below a bar of buttons, at most one of which is open.
import { byId } from '../support/dom.js'

export class Panels {
  readonly #panels: ReadonlyMap<string, { button: HTMLButtonElement; panel: HTMLElement }>
  readonly #onOpen: (name: string) => void

  /** For each of `names`, the button `NAME-button` opens and closes the panel `NAME-panel`. */
  constructor(names: readonly string[], onOpen: (name: string) => void) {
    this.#onOpen = onOpen
    this.#panels = new Map(
      names.map(name => {
        const button = byId(`${name}-button`, HTMLButtonElement)
        const panel = byId(`${name}-panel`, HTMLElement)
        button.setAttribute('aria-controls', panel.id)
        button.addEventListener('click', () => this.open(panel.hidden ? name : undefined))
        return [name, { button, panel }]
      }),
    )
    this.open(undefined)
    addEventListener('keydown', event => {
      const { button, panel } = this.#opened ?? {}
      const { activeElement: at } = document
      // Not every browser focuses a clicked button.
      if (event.key !== 'Escape' || !panel || !(at === document.body || at === button || panel.contains(at))) return
      event.preventDefault()
      event.stopImmediatePropagation() // the key must end nothing else
      this.close()
    })
  }

  /** Closes the open panel; the focus returns to its button. */
  close(): void {
    const button = this.#opened?.button
    this.open(undefined)
    ;(button?.closest('details')?.querySelector('summary') ?? button)?.focus()
  }

  get #opened() {
    return [...this.#panels.values()].find(({ panel }) => !panel.hidden)
  }

  /** Opens one panel and closes the others; undefined closes all. */
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

  /** Shows or hides a panel's button; hiding it closes the panel. */
  offer(name: string, offered: boolean): void {
    const { button } = this.#panels.get(name)!
    button.hidden = !offered
    if (!offered && this.isOpen(name)) this.open(undefined)
  }
}
