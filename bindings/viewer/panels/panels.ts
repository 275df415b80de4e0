// The panels below the map, one idea in each. At most one is open, and only that one reads from the model.
import { Observable } from '../support/observable.js'

/**
 * `overview`: all layers and heads; `heads`: several heads side by side; `layers`: one token across all layers; `inside`: the
 * computation of one weight; `drawing`: the sampling of the next token; `sentences`: two sentences, compared by an encoder.
 */
export type PanelName = 'overview' | 'heads' | 'layers' | 'inside' | 'drawing' | 'sentences'

export interface Panel {
  readonly place: HTMLDetailsElement
  /** Shows the current selection if the panel is open; otherwise frees its data. */
  refresh(): void
  /** Prepares for being scrolled to. */
  arrive?(): void
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

  /** Scrolls to the open panel and focuses it, so that keyboard navigation continues there. Does nothing if none is open. */
  go(): void {
    const { value } = this.open
    if (value === undefined) return
    const panel = this.#panels[value]
    panel.arrive?.()
    const { place } = panel
    place.scrollIntoView()
    place.querySelector('summary')!.focus({ preventScroll: true })
  }

  refresh(): void {
    for (const panel of Object.values(this.#panels)) panel.refresh()
  }
}
