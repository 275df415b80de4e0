// The button in the token card that generates another version from that token on.
import type { HeedViewer } from 'heed/viewer'
import { make } from '../support/dom.js'
import type { Branch } from './version.js'
import type { Versions } from './versions.js'

export class GoOn {
  readonly #viewer: HeedViewer
  readonly #versions: Versions
  readonly #button = make('button', { id: 'go-on', type: 'button', slot: 'token' }, 'Continue from here')

  constructor(viewer: HeedViewer, versions: Versions, goOn: (from: Branch) => void) {
    this.#viewer = viewer
    this.#versions = versions
    this.#button.title = 'Generates another text that is the same up to the selected token'
    this.#button.addEventListener('click', () => {
      const version = versions.current
      const token = viewer.token
      if (version?.outcome && token !== undefined) goOn({ version, length: token + 1 })
    })
    versions.inView.watch(() => this.#enable())
    versions.onAdded(version => version.progress.watch(() => this.#enable()))
  }

  /** Shows or hides the button, depending on whether the model can continue from any token. */
  offer(offered: boolean): void {
    if (offered) this.#viewer.append(this.#button)
    else this.#button.remove()
  }

  /** Only a complete text can be continued. Uses `aria-disabled`, because a disabled button would lose the focus. */
  #enable(): void {
    this.#button.ariaDisabled = `${!this.#versions.current?.outcome}`
  }
}
