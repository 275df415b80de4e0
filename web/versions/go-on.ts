// Generates another version from a token on: the button in the token card, and the alternatives to a token.
import type { HeedViewer } from 'heed/viewer'
import { make } from '../support/dom.js'
import type { Branch } from './version.js'
import type { Versions } from './versions.js'

export class GoOn {
  readonly #viewer: HeedViewer
  readonly #versions: Versions
  #isOffered = false
  readonly #button = make('button', { id: 'go-on', type: 'button', slot: 'token' }, 'Continue from here')

  constructor(viewer: HeedViewer, versions: Versions, goOn: (from: Branch) => void) {
    this.#viewer = viewer
    this.#versions = versions
    this.#button.title = 'Generates another text that is the same up to the selected token'
    this.#button.addEventListener('click', () => {
      const version = versions.current
      const token = viewer.token
      if (version?.outcome && token !== undefined && !this.#isInPictures) goOn({ version, length: token + 1 })
    })
    viewer.addEventListener('alternative', ({ detail: next }) => {
      const version = versions.current
      if (version?.outcome) goOn({ version, length: next.position, next })
    })
    versions.inView.watch(() => this.#enable())
    viewer.addEventListener('tokenselect', () => this.#enable())
    versions.onAdded(version => version.progress.watch(() => this.#enable()))
  }

  /** Shows or hides the button, depending on whether the model can continue from any token. */
  offer(offered: boolean): void {
    this.#isOffered = offered
    if (offered) this.#viewer.append(this.#button)
    else this.#button.remove()
    this.#enable()
  }

  /** Whether the selected token is in a prompt with images, which cannot be cut, because an image must be whole. */
  get #isInPictures(): boolean {
    const { parts, promptTokens = [] } = this.#versions.current?.passage.value ?? {}
    return parts !== undefined && (this.#viewer.token ?? Infinity) < promptTokens.length - 1
  }

  /** Only a complete text can be continued. Uses `aria-disabled`, because a disabled button would lose the focus. */
  #enable(): void {
    const { current } = this.#versions
    const isComplete = current?.outcome !== undefined
    this.#button.ariaDisabled = `${!isComplete || this.#isInPictures}`
    this.#viewer.branches = this.#isOffered && isComplete
  }
}
