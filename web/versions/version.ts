// One version of a text: what it begins with, what the model writes on from there, and how that came out.
import type { Model } from 'heed'
import { type Passage, takeApart } from 'heed/viewer'
import { Observable } from '../support/observable.js'
import { type Order, type Outcome, type Pace, write } from '../writing/writer.js'

/** Where a version goes on from another: behind so many tokens of it. */
export interface Branch {
  readonly version: Version
  readonly length: number
}

/** How far it is: its beginning is read, it is written, or it is whole. */
export type Progress = 'reading' | Pace | Outcome

export class Version {
  readonly number: number
  /** Grows while it is written; its beginning is taken apart first. */
  readonly passage: Observable<Passage>
  readonly progress = new Observable<Progress>('reading')
  readonly order: Order
  readonly from?: Branch
  readonly #stop = new AbortController()

  constructor(number: number, beginning: Passage, order: Order, from?: Branch) {
    this.number = number
    this.passage = new Observable(beginning)
    this.order = order
    this.from = from
  }

  get name(): string {
    return `Text ${this.number}`
  }

  /** How it came out, once it is whole. */
  get outcome(): Outcome | undefined {
    const progress = this.progress.value
    return progress !== 'reading' && 'finishReason' in progress ? progress : undefined
  }

  /** Ends the writing. The tokens so far stay. */
  stop(): void {
    this.#stop.abort()
  }

  /** Has the model write it. Rejects with a HeedError; a stop is no error. */
  async write(model: Model): Promise<void> {
    this.passage.value = await takeApart(model, this.passage.value)
    this.progress.value = await write(model, this.passage.value, this.order, this.#stop.signal, (token, pace) => {
      const passage = this.passage.value
      this.passage.value = { ...passage, written: [...passage.written, token] }
      this.progress.value = pace
    })
  }
}
