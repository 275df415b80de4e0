// The texts of a model, versions of one another or not: any number may be written at the same time, one is looked at, and
// another may stand beside it.
import type { Model } from 'heed'
import type { Passage } from 'heed/viewer'
import { Observable } from '../support/observable.js'
import type { Order } from '../writing/writer.js'
import { type Branch, Version } from './version.js'

/** Nothing is looked at where there is no text yet, or the reader is at another prompt. */
export interface InView {
  readonly current?: Version
  readonly beside?: Version
}

export class Versions {
  readonly list = new Observable<readonly Version[]>([])
  readonly inView = new Observable<InView>({})
  readonly #onError: (error: unknown) => void
  readonly #followers: ((version: Version) => void)[] = []
  #count = 0

  /** `onError` is told of a text that could not be written, which is then gone. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls `follow` with each text that comes, before anyone turns to it. */
  onAdded(follow: (version: Version) => void): void {
    this.#followers.push(follow)
  }

  get current(): Version | undefined {
    return this.inView.value.current
  }

  /** Starts a text, and turns to it. One that goes on from another stands beside that. Resolves when it has ended. */
  async write(model: Model, beginning: Passage, order: Order, from?: Branch): Promise<void> {
    const version = new Version(++this.#count, beginning, order, from)
    for (const follow of this.#followers) follow(version)
    this.list.value = [...this.list.value, version]
    this.inView.value = { current: version, beside: from?.version }
    try {
      await version.write(model)
    } catch (error) {
      if (!this.#has(version)) return  // nobody waits for it any more
      this.remove(version)
      this.#onError(error)
    }
  }

  /** Turns to a text. Where it stood beside the one looked at, the two change places. */
  show(version: Version): void {
    const { current, beside } = this.inView.value
    this.inView.value = { current: version, beside: version === beside ? current : beside }
  }

  /** Puts another text beside the one looked at, or none. */
  compare(beside: Version | undefined): void {
    this.inView.value = { current: this.current, beside }
  }

  /** Turns away from all texts, which stay. */
  leave(): void {
    if (this.current) this.inView.value = {}
  }

  /** Ends it, where it is written, and forgets it. In its place comes the one that it went on from, or a neighbour. */
  remove(version: Version): void {
    const { list } = this
    version.stop()
    const index = list.value.indexOf(version)
    list.value = list.value.filter(other => other !== version)
    const { current, beside } = this.inView.value
    if (beside === version) this.compare(undefined)
    if (current !== version) return
    const from = version.from && this.#has(version.from.version) ? version.from.version : undefined
    this.inView.value = { current: beside ?? from ?? list.value[Math.min(index, list.value.length - 1)] }
  }

  /** Ends and forgets all. */
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
