// “What each layer would say”: the part of the lens that is there from the start. What it shows is fetched when it is opened first.
import type { Model } from 'heed'
import { type HeedViewer, tokensOf } from 'heed/viewer'
import { kindOf } from '../model/kind.js'
import type { Cell, Selected } from '../sharing/link.js'
import { byId } from '../support/dom.js'
import { explain, notify } from '../support/notices.js'
import type { LensView } from './lens-view.js'

export class Lens {
  readonly #place = byId('lens', HTMLDetailsElement)
  readonly #viewer: HeedViewer
  #model?: Model
  #view?: Promise<LensView>
  #shown?: LensView

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    this.#place.addEventListener('toggle', () => void this.#show())
    viewer.addEventListener('passagechange', () => void this.#show())
  }

  use(model: Model): void {
    this.#model = kindOf(model.info) === 'writes' ? model : undefined
    this.#place.hidden = !this.#model
    this.#shown?.clear()
  }

  /** The state of a page for a link, with that of the lens. */
  linked<State extends Selected>(state: State | string): State | string {
    if (typeof state === 'string' || this.#place.hidden || !this.#place.open) return state
    return { ...state, lens: this.#shown?.cell ?? 'open' }
  }

  /** Opens the lens as a link has it. */
  async follow(lens: Selected['lens']): Promise<void> {
    if (lens === undefined || !this.#model) return
    this.#place.open = true
    await this.#show(lens === 'open' ? undefined : lens)
    this.#place.scrollIntoView()
  }

  /** Shows the text that is in the viewer. */
  async #show(cell?: Cell): Promise<void> {
    const model = this.#model
    if (!model || !this.#place.open) return
    try {
      this.#shown = await (this.#view ??= import('./lens-view.js').then(({ LensView }) => new LensView()))
      const tokens = tokensOf(this.#viewer.passage)
      if (model === this.#model) await this.#shown.show(model, tokens, cell)
    } catch (error) {
      if (!this.#shown) this.#view = undefined  // its script could not be fetched: the next time, perhaps
      if (model === this.#model) notify(explain('The model', error))
    }
  }
}
