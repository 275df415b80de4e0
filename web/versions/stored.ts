// Converts texts to saved records and back, with all tokens, so that they can be shown before the model could generate them again.
import type { Passage } from 'heed/viewer'
import type { Order, Outcome } from '../writing/writer.js'
import { isReading, Version } from './version.js'

export interface StoredText {
  readonly number: number
  readonly passage: Passage
  readonly order: Order
  readonly outcome: Outcome
  /** The text that this one continues: its number, and how many of its tokens are kept. */
  readonly from?: { readonly number: number; readonly length: number }
}

/** The outcome to save. A text that is still being generated is saved as stopped, in case nothing more is saved. */
function outcomeOf({ outcome, order, progress: { value: progress } }: Version): Outcome {
  if (outcome) return outcome
  const pace = isReading(progress) ? { tokens: 0, tokensPerSecond: 0 } : progress
  return { promptTokens: 0, reusedTokens: 0, ...pace, seed: order.options.seed, finishReason: 'abort' }
}

export function storedText(version: Version): StoredText {
  const { number, passage, from } = version
  const { signal: _, ...options } = version.order.options
  return {
    number,
    passage: passage.value,
    order: { ...version.order, options },
    outcome: outcomeOf(version),
    ...(from && { from: { number: from.version.number, length: from.length } }),
  }
}

const isStored = (value: unknown): value is StoredText => {
  const { number, passage, order, outcome } = (value ?? {}) as Partial<StoredText>
  return (
    Number.isSafeInteger(number) &&
    typeof passage?.prompt === 'string' &&
    Array.isArray(passage.written) &&
    typeof order?.options === 'object' &&
    typeof outcome?.tokens === 'number'
  )
}

/** Whether a text of a link is the same as the text of a record. */
export const isSameText = ({ passage, order }: Version, record: unknown): boolean =>
  order.isOfLink === true &&
  isStored(record) &&
  record.passage.prompt === passage.value.prompt &&
  record.outcome.seed === order.options.seed

/** The texts of these records, without damaged ones. Numbers that are `taken` are replaced. */
export function textsOf(records: readonly unknown[], taken: readonly number[]): Version[] {
  const numbers = new Set(taken)
  const made = new Map<number, Version>()
  for (const { number, passage, order, outcome, from } of records
    .filter(isStored)
    .sort((one, other) => one.number - other.number)) {
    let own = number
    while (numbers.has(own)) own++
    numbers.add(own)
    const origin = from && made.get(from.number)
    const version = new Version(own, passage, order, origin && { version: origin, length: from.length })
    version.progress.value = outcome
    made.set(number, version)
  }
  return [...made.values()]
}
