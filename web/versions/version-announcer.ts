// Reports on the current text: the line of figures below it and, for screen readers, its sentences and its end.
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

  /** `keepSeed` is called with a seed to use for the next text. */
  constructor(versions: Versions, keepSeed: (seed: number) => void) {
    this.#versions = versions
    this.#keepSeed = keepSeed
    versions.onAdded(version => this.#follow(version))
    let shown: Version | undefined
    versions.inView.watch(({ current }) => {
      if (current === shown) return
      shown = current
      this.#announcer.start()
      if (current) this.#show(current)
    })
  }

  /** Shows a sentence in place of the figures. */
  say(sentence: string): void {
    this.#figures.replaceChildren(sentence)
  }

  #follow(version: Version): void {
    let told = version.passage.value.written.length
    version.passage.watch(({ written }) => {
      const added = written.slice(told)
      told = written.length
      if (version === this.#versions.current) for (const { text } of added) this.#announcer.add(text)
    })
    version.progress.watch(() => {
      const { outcome } = version
      if (version === this.#versions.current) {
        this.#show(version)
        if (outcome) this.#announcer.end()
      }
      if (!outcome || !this.#versions.list.value.includes(version)) return
      const isAlone = this.#versions.list.value.length === 1
      this.#announcer.say(`${isAlone ? '' : `${version.name}. `}${outcomeInWords(outcome)}`)
    })
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
