// A folded part of the page that inspects the text in the viewer (the lens and others, which main.ts lists): its script is loaded
// when it is first opened.
import type { Model } from 'heed'
import type { HeedViewer, HeedViewerEvents, Passage } from 'heed/viewer'
import { kindOf } from '../model/kind.js'
import { byId } from '../support/dom.js'
import { explain, notify } from '../support/notices.js'

/** The view inside. `State` is the data that a link needs to show the same. */
export interface FoldedView<State> {
  readonly state: State | undefined
  /** Shows a text, possibly the same again; `state` comes from a link. Rejects with a HeedError. */
  show(model: Model, passage: Passage, state?: State): Promise<void>
  /** Clears the view after the model has changed. */
  clear(): void
}

export class Folded<State> {
  readonly #place: HTMLDetailsElement
  readonly #viewer: HeedViewer
  readonly #fetchView: () => Promise<FoldedView<State>>
  #model?: Model
  #view?: Promise<FoldedView<State>>
  #shown?: FoldedView<State>
  #latest?: Promise<void>

  /** `id` is the id of the part's element in the page. The part is shown again after each of these events of the viewer. */
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

  /** The state for a link; undefined if it is folded up. */
  get linked(): State | 'open' | undefined {
    return this.#place.hidden || !this.#place.open ? undefined : (this.#shown?.state ?? 'open')
  }

  /**
   * Opens the part as in a link. A link that does not name it folds it, because its contents belong to another text. Resolves to
   * whether it is open.
   */
  async restore(linked: State | 'open' | undefined): Promise<boolean> {
    if (linked === undefined) {
      this.#place.open = false
      this.#shown?.clear()
    }
    if (linked === undefined || !this.#model) return false
    this.#place.open = true
    void this.#show(linked === 'open' ? undefined : linked)
    // Unfolding fires `toggle`, after which the part is shown again.
    for (let latest; latest !== this.#latest; ) await (latest = this.#latest)
    return true
  }

  /**
   * As `restore`, and scrolls there. Once it is filled, the text and its attention above it also come into view, as far as there is
   * room.
   */
  async follow(linked: State | 'open' | undefined): Promise<void> {
    const filled = this.restore(linked)
    if (linked !== undefined) this.#place.scrollIntoView()
    if (!(await filled)) return
    this.#place.scrollIntoView({ block: this.#place.offsetHeight < innerHeight ? 'end' : 'start' })
    this.#place.querySelector('summary')!.focus({ preventScroll: true }) // keyboard navigation continues there
  }

  #show(state?: State): Promise<void> {
    return (this.#latest = this.#fill(state))
  }

  async #fill(state?: State): Promise<void> {
    const model = this.#model
    // The part only supports texts without images.
    this.#place.hidden = !model || this.#viewer.passage.parts !== undefined
    if (!model || this.#place.hidden || !this.#place.open) return
    try {
      this.#shown = await (this.#view ??= this.#fetchView())
      if (model === this.#model) await this.#shown.show(model, this.#viewer.passage, state)
    } catch (error) {
      if (!this.#shown) this.#view = undefined // its script could not be loaded; the next call tries again
      if (model === this.#model) notify(explain('The model', error), this.#place)
    }
  }
}
