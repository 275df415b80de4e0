// The texts of a model, whether or not they are versions of one another: any number can be generated at the same time, one is in
// view, and another can be shown beside it.
import type { Model } from 'heed'
import type { Passage } from 'heed/viewer'
import { Observable } from '../support/observable.js'
import type { Order } from '../writing/writer.js'
import { type Branch, Version } from './version.js'

/** Empty if there is no text yet, or if the user is editing another prompt. */
export interface InView {
  readonly current?: Version
  readonly beside?: Version
}

/** A text that is shown token by token and is not complete yet. */
export interface Partly {
  readonly version: Version
  showAll(): void
}

export class Versions {
  readonly list = new Observable<readonly Version[]>([])
  readonly inView = new Observable<InView>({})
  readonly partly = new Observable<Partly | undefined>(undefined)
  /** How many of the current text's generated tokens are shown: all (Infinity), unless it is shown token by token. */
  readonly shown = new Observable(Infinity)
  /** The last text that was removed individually. */
  readonly removed = new Observable<Version | undefined>(undefined)
  /** The last removed text that was put back. */
  readonly broughtBack = new Observable<Version | undefined>(undefined)
  readonly #onError: (error: unknown) => void
  readonly #followers: ((version: Version) => void)[] = []
  #count = 0

  /** `onError` is called when a text could not be generated and was removed. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls `follow` with each new text, before it is listed or shown. */
  onAdded(follow: (version: Version) => void): void {
    this.#followers.push(follow)
  }

  get current(): Version | undefined {
    return this.inView.value.current
  }

  /** Starts a text and shows it, beside the text that it continues, if any. Resolves when it has ended. */
  async write(model: Model, beginning: Passage, order: Order, from?: Branch): Promise<void> {
    const version = new Version(++this.#count, beginning, order, from)
    for (const follow of this.#followers) follow(version)
    this.list.value = [...this.list.value, version]
    this.inView.value = { current: version, beside: from?.version }
    try {
      await version.write(model)
    } catch (error) {
      if (!this.#has(version)) return // removed in the meantime
      this.remove(version)
      this.#onError(error)
    }
  }

  /** Shows a text. If it was beside the current one, the two swap places. */
  show(version: Version): void {
    const { current, beside } = this.inView.value
    this.inView.value = { current: version, beside: version === beside ? current : beside }
  }

  /** Shows another text beside the current one; undefined removes it. */
  compare(beside: Version | undefined): void {
    this.inView.value = { current: this.current, beside }
  }

  /** Takes all texts out of view. They stay in the list. */
  leave(): void {
    if (this.current) this.inView.value = {}
  }

  /** Stops and removes a text. If it was the current one, the one beside it, its origin or a neighbor replaces it. */
  remove(version: Version): void {
    const { list } = this
    version.stop()
    const index = list.value.indexOf(version)
    list.value = list.value.filter(other => other !== version)
    const { current, beside } = this.inView.value
    this.removed.value = version
    this.broughtBack.value = undefined
    if (beside === version) this.compare(undefined)
    if (current !== version) return
    const from = version.from && this.#has(version.from.version) ? version.from.version : undefined
    this.inView.value = { current: beside ?? from ?? list.value[Math.min(index, list.value.length - 1)] }
  }

  /** Lists a removed text again, and shows it. */
  putBack(version: Version): void {
    if (this.#has(version)) return
    this.list.value = [...this.list.value, version].sort((one, other) => one.number - other.number)
    this.#count = Math.max(this.#count, version.number)
    this.removed.value = undefined
    this.broughtBack.value = version
    this.show(version)
  }

  /** Adopts texts of an earlier visit, to be listed by `bringBack`. */
  adopt(texts: readonly Version[]): void {
    for (const version of texts) for (const follow of this.#followers) follow(version)
  }

  /** Lists texts again if they were cleared. */
  bringBack(texts: readonly Version[]): void {
    if (texts.some(text => this.#has(text))) return
    this.#count = Math.max(this.#count, ...texts.map(({ number }) => number))
    this.list.value = [...texts, ...this.list.value]
  }

  /** Stops and removes all texts. */
  clear(): void {
    const ended = this.list.value
    this.list.value = []
    this.inView.value = {}
    this.#count = 0
    for (const version of ended) version.stop()
  }

  #has(version: Version): boolean {
    return this.list.value.includes(version)
  }
}
