// Shows the current text in the viewer as it grows, and the one beside it.
import { type HeedViewer, type Passage, tokensOf } from 'heed/viewer'
import type { Version } from './version.js'
import type { InView, Versions } from './versions.js'

export class VersionsInViewer {
  readonly #viewer: HeedViewer
  readonly #versions: Versions
  /** The token to select when the user returns to a text. */
  readonly #held = new WeakMap<Version, number>()
  #shown: InView = {}

  constructor(viewer: HeedViewer, versions: Versions) {
    this.#viewer = viewer
    this.#versions = versions
    versions.onAdded(version => this.#follow(version))
    versions.inView.watch(inView => this.#turn(inView))
    viewer.addEventListener('reveal', () => this.#tellPart())
    viewer.addEventListener('turn', ({ detail }) => {
      const { beside } = versions.inView.value
      if (!beside) return
      this.#held.set(beside, detail)
      versions.show(beside)
    })
  }

  /** Reports whether the current text is only shown in part, and how much of it is. */
  #tellPart(): void {
    const { current: version } = this.#shown
    const { passage, revealed } = this.#viewer
    const toCome = version ? tokensOf(passage).length - revealed : 0
    this.#versions.shown.value = toCome === 0 ? Infinity : passage.written.length - toCome
    if (!version?.outcome || toCome === 0) this.#versions.partly.value = undefined
    else if (this.#versions.partly.value?.version !== version)
      this.#versions.partly.value = {
        version,
        showAll: () => {
          this.#viewer.revealed = Infinity
        },
      }
  }

  /** Updates the viewer as a text grows. */
  #follow(version: Version): void {
    // Keep the token that it continues from selected, to show its attention and to continue from it again.
    if (version.from) this.#held.set(version, version.from.length - 1)
    version.passage.watch(passage => {
      const { current, beside } = this.#shown
      if (version === current && !version.outcome) {
        this.#viewer.grow(passage)
        this.#tellPart()
      }
      if (version === beside) this.#compare()
    })
    version.progress.watch(() => {
      if (version === this.#shown.current && version.outcome) this.#read(version)
    })
  }

  #turn(inView: InView): void {
    const { current, beside } = inView
    const old = this.#shown
    this.#shown = inView
    if (current !== old.current) {
      const { token } = this.#viewer
      if (old.current && token !== undefined) this.#held.set(old.current, token)
      if (current) this.#show(current)
    }
    this.#tellPart()
    if (current !== old.current || beside !== old.beside) this.#compare()
  }

  #show(version: Version): void {
    if (version.outcome) this.#read(version)
    else this.#viewer.grow(version.passage.value)
    const held = this.#held.get(version)
    this.#held.delete(version)
    if (held !== undefined) this.#viewer.token = held
  }

  /** Shows a complete text with its attention. */
  async #read(version: Version): Promise<void> {
    const passage: Passage = version.passage.value
    await this.#viewer.show(passage)
    // Keep what the viewer has learned about the tokens, such as characters that span several of them.
    if (version === this.#versions.current && version.outcome) version.passage.value = this.#viewer.passage
  }

  #compare(): void {
    const { current, beside } = this.#shown
    this.#viewer.compare(
      current &&
        beside && {
          passage: beside.passage.value,
          names: [current.name, beside.name],
          isFirst: beside.number < current.number,
        },
    )
  }
}
