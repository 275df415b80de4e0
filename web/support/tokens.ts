// Compares tokens, and converts them for the viewer.
import type { Token } from 'heed'
import type { WrittenToken } from 'heed/viewer'

type Ids = readonly { readonly id: number }[]

export const areSame = (one: Ids, other: Ids): boolean =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]!.id)

/** A token of an answer, without the fields that only concern its generation. */
export const writtenOf = ({ id, text, logprob, alternatives = [], allowed, draft }: Token): WrittenToken => ({
  id,
  text,
  logprob,
  alternatives,
  allowed,
  draft,
})
