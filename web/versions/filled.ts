// Shows below the viewer how the current text fills in, if its model writes by unmasking.
import { byId } from '../support/dom.js'
import { FillingView } from '../unmasking/filling-view.js'
import type { Version } from './version.js'
import type { Versions } from './versions.js'

export class FilledVersions {
  readonly #versions: Versions
  readonly #view = new FillingView()

  constructor(versions: Versions) {
    this.#versions = versions
    byId('figures', HTMLParagraphElement).before(this.#view.place)
    versions.onAdded(version => {
      version.filled.watch(() => this.#show(version))
      version.progress.watch(() => this.#show(version))
    })
    versions.inView.watch(({ current }) => this.#show(current))
  }

  #show(version: Version | undefined): void {
    if (version !== this.#versions.current) return
    this.#view.show(version?.filling, version?.outcome !== undefined)
  }
}
