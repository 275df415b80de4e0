// Shows a model where there is something to see: in the kind of attention, the layer and the head that its example names.
import type { HeedViewer } from 'heed/viewer'
import type { Example } from './slot.js'

export class ExampleView {
  readonly #viewer: HeedViewer
  #view: Example['view']

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    // The attention of an answer is only there once something was answered, and the viewer switches to it by itself.
    viewer.addEventListener('kindchange', () => this.#show())
  }

  /** To be called once the viewer has the model. */
  use(example: Example | undefined): void {
    this.#view = example?.view
    this.#show()
  }

  #show(): void {
    const viewer = this.#viewer
    const view = this.#view
    if (!view || (view.kind && view.kind !== viewer.kind)) return
    this.#view = undefined // later, what the user chooses stays
    viewer.layer = view.layer - 1
    viewer.head = view.head === undefined ? 'mean' : view.head - 1
  }
}
