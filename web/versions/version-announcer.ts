// Reports on the current text: the line of figures below it and, for screen readers, its sentences once they are shown, and its
// end.
import { byId } from '../support/dom.js'
import { Announcer } from '../writing/announcer.js'
import { outcomeInWords, readingInWords, showOutcome, showPace } from '../writing/figures.js'
import { isReading, type Version } from './version.js'
import type { Versions } from './versions.js'

export class VersionAnnouncer {
  readonly #versions: Versions
  readonly #keepSeed: (seed: number) => void
  readonly #figures = byId('figures', HTMLParagraphElement)
  readonly #announcer = new Announcer(byId('announcer', HTMLDivElement))
  #current?: Version
  /** How many tokens of the current text the announcer was given, and whether its end has been announced. */
  #told = 0
  #isOver = false

  /** `keepSeed` is called with a seed to use for the next text. */
  constructor(versions: Versions, keepSeed: (seed: number) => void) {
    this.#versions = versions
    this.#keepSeed = keepSeed
    versions.onAdded(version => this.#follow(version))
    versions.inView.watch(({ current }) => {
      if (current !== this.#current) this.#begin(current)
    })
    versions.shown.watch(() => this.#tell())
  }

  /** Shows a sentence in place of the figures. */
  say(sentence: string): void {
    this.#figures.replaceChildren(sentence)
  }

  #follow(version: Version): void {
    version.passage.watch(() => {
      if (version === this.#current) this.#tell()
    })
    version.progress.watch(() => {
      if (version !== this.#current) return this.#tellEnd(version)
      this.#show(version)
      this.#tell()
    })
  }

  /** A text has come into view. What is shown of it already is not announced. */
  #begin(version: Version | undefined): void {
    this.#current = version
    this.#isOver = version?.outcome !== undefined
    const written = version?.passage.value.written ?? []
    this.#told = Math.min(this.#versions.shown.value, written.length)
    const goesOn = !this.#isOver || this.#told < written.length
    const before = goesOn ? written.slice(0, this.#told) : []
    this.#announcer.start(before.map(({ text }) => text).join(''))
    if (version) this.#show(version)
  }

  #tell(): void {
    const version = this.#current
    if (!version || version !== this.#versions.current) return // another text is coming into view
    const { written } = version.passage.value
    const shown = Math.min(this.#versions.shown.value, written.length)
    for (const { text } of written.slice(this.#told, shown)) this.#announcer.add(text)
    this.#told = Math.max(this.#told, shown) // it may be shown from the start again
    if (!version.outcome || shown < written.length) return
    this.#announcer.end()
    if (!this.#isOver) this.#tellEnd(version)
    this.#isOver = true
  }

  #tellEnd(version: Version): void {
    const { outcome } = version
    const { value: list } = this.#versions.list
    if (outcome && list.includes(version))
      this.#announcer.say(`${list.length === 1 ? '' : `${version.name}. `}${outcomeInWords(outcome)}`)
  }

  #show({ progress: { value: progress }, order, from }: Version): void {
    if (isReading(progress)) return this.say(readingInWords(progress.readShare, 'Reading the prompt…'))
    if (!('finishReason' in progress)) return showPace(this.#figures, progress)
    const { seed } = progress
    // The seed alone does not reproduce a text that continues another.
    const keepSeed = seed !== undefined && order.options.seed === undefined && !from ? () => this.#keepSeed(seed) : undefined
    showOutcome(this.#figures, progress, { keepSeed, goesOn: from !== undefined })
  }
}
