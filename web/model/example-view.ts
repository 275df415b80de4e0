// Shows a model at an interesting place: in the kind of attention, the layer and the head that its example names.
import type { HeedViewer } from 'heed/viewer'
import type { Example } from './slot.js'

export class ExampleView {
  readonly #viewer: HeedViewer
  #view: Example['view']

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    // An answer's attention exists only once something was answered; the viewer then switches to it by itself.
    viewer.addEventListener('kindchange', () => this.#show())
  }

  /** Must be called once the viewer has the model. */
  use(example: Example | undefined): void {
    this.#view = example?.view
    this.#show()
  }

  #show(): void {
    const viewer = this.#viewer
    const view = this.#view
    if (!view || (view.kind && view.kind !== viewer.kind)) return
    this.#view = undefined // later, the user's choice stays
    viewer.layer = view.layer - 1
    viewer.head = view.head === undefined ? 'mean' : view.head - 1
  }
}
