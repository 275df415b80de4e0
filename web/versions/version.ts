// One version of a text: its beginning, what the model generates from there, and the outcome.
import type { Model } from 'heed'
import { type Alternative, type Passage, tokenizePassage } from 'heed/viewer'
import { Observable } from '../support/observable.js'
import { Filling } from '../unmasking/filling.js'
import { type Order, type Outcome, type Pace, write } from '../writing/writer.js'

/** Where a version branches off another one: after its first `length` tokens, perhaps with another token next. */
export interface Branch {
  readonly version: Version
  readonly length: number
  readonly next?: Alternative
}

/** The share of its beginning that has been processed, from 0 to 1. */
interface Reading {
  readonly readShare?: number
}

/** The most characters of a text's end: what a chip has room for. */
const mostOfEnd = 20

/** The state of a version: reading its beginning, being generated, or complete. */
export type Progress = Reading | Pace | Outcome

export const isReading = (progress: Progress): progress is Reading => !('tokens' in progress)

export class Version {
  readonly number: number
  /** Grows while it is generated; its beginning is tokenized first. */
  readonly passage: Observable<Passage>
  readonly progress = new Observable<Progress>({})
  /** How it fills in, if its model writes by unmasking; `filled` is the number of passes so far. */
  readonly filling = new Filling()
  readonly filled = new Observable(0)
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

  /** The outcome; undefined until it is complete. */
  get outcome(): Outcome | undefined {
    const progress = this.progress.value
    return 'finishReason' in progress ? progress : undefined
  }

  /** The last words that were written, by which texts of one prompt are told apart; empty if there are none. */
  get end(): string {
    const { written } = this.passage.value
    const whole = written
      .map(({ text, part }) => (part && part.index > 0 ? '' : text))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    if (whole.length <= mostOfEnd) return whole
    const end = whole.slice(-mostOfEnd)
    return `…${end.slice(end.indexOf(' ') + 1)}` // in a language without spaces, the whole end
  }

  /** Stops generation. The tokens generated so far stay. */
  stop(): void {
    this.#stop.abort()
  }

  /** Generates it with the model. Rejects with a HeedError; a stop is not an error. */
  async write(model: Model): Promise<void> {
    this.passage.value = await tokenizePassage(model, this.passage.value)
    this.progress.value = await write(model, this.passage.value, this.order, this.#stop.signal, {
      onRead: readShare => {
        this.progress.value = { readShare }
      },
      onUnmasked: step => {
        this.filling.add(step)
        this.filled.value = this.filling.passes
      },
      onToken: (token, pace) => {
        const passage = this.passage.value
        this.passage.value = { ...passage, written: [...passage.written, token] }
        this.progress.value = pace
      },
    })
  }
}
