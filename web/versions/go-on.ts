// The button in the card of a token: another version that goes on from there.
import type { HeedViewer } from 'heed/viewer'
import { make } from '../support/dom.js'
import type { Branch } from './version.js'
import type { Versions } from './versions.js'

export class GoOn {
  readonly #viewer: HeedViewer
  readonly #versions: Versions
  readonly #button = make('button', { id: 'go-on', type: 'button', slot: 'token' }, 'Go on from here')

  constructor(viewer: HeedViewer, versions: Versions, goOn: (from: Branch) => void) {
    this.#viewer = viewer
    this.#versions = versions
    this.#button.title = 'Writes another text that begins like this one, up to the held token'
    this.#button.addEventListener('click', () => {
      const version = versions.current
      const token = viewer.token
      if (version?.outcome && token !== undefined) goOn({ version, length: token + 1 })
    })
    versions.inView.watch(() => this.#enable())
    versions.onAdded(version => version.progress.watch(() => this.#enable()))
  }

  /** Offers it, for a model that can go on from any token, or not. */
  offer(offered: boolean): void {
    if (offered) this.#viewer.append(this.#button)
    else this.#button.remove()
  }

  /** Of a text that is still written there is no telling where it ends. A disabled button would lose the focus. */
  #enable(): void {
    this.#button.ariaDisabled = `${!this.#versions.current?.outcome}`
  }
}
