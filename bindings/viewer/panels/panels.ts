// What is folded away below the map, one idea in each. At most one is open, and only that one reads.
import { Observable } from '../support/observable.js'

/**
 * `overview`: all layers and heads; `heads`: several heads side by side; `layers`: one token across all layers; `inside`: how one weight comes about;
 * `drawing`: how the next token is drawn; `sentences`: two of them, compared by an encoder.
 */
export type PanelName = 'overview' | 'heads' | 'layers' | 'inside' | 'drawing' | 'sentences'

export interface Panel {
  readonly place: HTMLDetailsElement
  /** Shows what is selected now, if it is open; otherwise frees what it holds. */
  refresh(): void
}

export class Panels {
  readonly open = new Observable<PanelName | undefined>(undefined)
  readonly #panels: Readonly<Record<PanelName, Panel>>

  constructor(panels: Readonly<Record<PanelName, Panel>>) {
    this.#panels = panels
    for (const [name, { place }] of Object.entries(panels) as [PanelName, Panel][]) {
      place.addEventListener('toggle', () => {
        if (place.open) this.open.value = name
        else if (this.open.value === name) this.open.value = undefined
      })
    }
    this.open.watch(open => {
      for (const [name, { place }] of Object.entries(panels)) place.open = name === open
      this.refresh()
    })
  }

  get names(): readonly string[] {
    return Object.keys(this.#panels)
  }

  /** Scrolls to the open one, which gets the focus, so that the keyboard goes on from there. Does nothing if none is open. */
  go(): void {
    const { value } = this.open
    if (value === undefined) return
    const { place } = this.#panels[value]
    place.scrollIntoView()
    place.querySelector('summary')!.focus({ preventScroll: true })
  }

  refresh(): void {
    for (const panel of Object.values(this.#panels)) panel.refresh()
  }
}
