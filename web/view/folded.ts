// A part of the page that looks into the text in the viewer, and is folded up: its script is fetched when it is opened first.
import type { Model } from 'heed'
import type { HeedViewer, HeedViewerEvents, Passage } from 'heed/viewer'
import { kindOf } from '../model/kind.js'
import { byId } from '../support/dom.js'
import { explain, notify } from '../support/notices.js'

/** What such a part shows. `State` is what a link needs to show the same. */
export interface FoldedView<State> {
  readonly state: State | undefined
  /** Shows a text, which may be the same again; `state` is that of a link. Rejects with a HeedError. */
  show(model: Model, passage: Passage, state?: State): Promise<void>
  /** Forgets what it shows: the model has changed. */
  clear(): void
}

export class Folded<State> {
  readonly #place: HTMLDetailsElement
  readonly #viewer: HeedViewer
  readonly #fetchView: () => Promise<FoldedView<State>>
  #model?: Model
  #view?: Promise<FoldedView<State>>
  #shown?: FoldedView<State>

  /** `id` is that of its place in the page; it follows these events of the viewer. */
  constructor(
    id: string,
    viewer: HeedViewer,
    fetchView: () => Promise<FoldedView<State>>,
    events: readonly (keyof HeedViewerEvents)[] = ['passagechange'],
  ) {
    this.#place = byId(id, HTMLDetailsElement)
    this.#viewer = viewer
    this.#fetchView = fetchView
    this.#place.addEventListener('toggle', () => void this.#show())
    for (const event of events) viewer.addEventListener(event, () => void this.#show())
  }

  use(model: Model): void {
    this.#model = kindOf(model.info) === 'writes' ? model : undefined
    this.#place.hidden = !this.#model
    this.#shown?.clear()
  }

  /** For a link; undefined if it is folded up. */
  get linked(): State | 'open' | undefined {
    return this.#place.hidden || !this.#place.open ? undefined : (this.#shown?.state ?? 'open')
  }

  /** Opens it as a link has it; a link that does not name it folds it up, as what it showed is of another text. Resolves to whether it is open. */
  async restore(linked: State | 'open' | undefined): Promise<boolean> {
    if (linked === undefined) {
      this.#place.open = false
      this.#shown?.clear()
    }
    if (linked === undefined || !this.#model) return false
    this.#place.open = true
    await this.#show(linked === 'open' ? undefined : linked)
    return true
  }

  /** The same, and goes there. */
  async follow(linked: State | 'open' | undefined): Promise<void> {
    if (!(await this.restore(linked))) return
    this.#place.scrollIntoView()
    this.#place.querySelector('summary')!.focus({ preventScroll: true }) // so that the keyboard goes on from there
  }

  async #show(state?: State): Promise<void> {
    const model = this.#model
    // What it asks of the model takes tokens alone.
    this.#place.hidden = !model || this.#viewer.passage.parts !== undefined
    if (!model || this.#place.hidden || !this.#place.open) return
    try {
      this.#shown = await (this.#view ??= this.#fetchView())
      if (model === this.#model) await this.#shown.show(model, this.#viewer.passage, state)
    } catch (error) {
      if (!this.#shown) this.#view = undefined // its script could not be fetched: the next time, perhaps
      if (model === this.#model) notify(explain('The model', error), this.#place)
    }
  }
}
