// The text of each token. In a byte-level vocabulary, a token may hold only part of a character: each token of a character then has
// the character's whole text, and its position in it.
import type { AttentionToken } from '../types/index.js'

/** The character that an incomplete character decodes to. */
const replacement = '\uFFFD'

/**
 * A character has at most four bytes, but tokens that hold the end of one character and the start of the next form longer chains.
 */
const mostParts = 8

/** The text of each token; none for tokens of images, whose ids are below 0. `detokenize` must show control tokens as text. */
export function namesOf(ids: readonly number[], detokenize: (ids: number[]) => string): AttentionToken[] {
  const names: AttentionToken[] = []
  while (names.length < ids.length) {
    const rest = ids.slice(names.length, names.length + mostParts)
    const image = rest.findIndex(id => id < 0)
    if (image === 0) {
      names.push({ id: rest[0]!, text: '' })
      continue
    }
    if (image > 0) rest.length = image
    const count =
      [...rest.keys()].map(index => index + 1).find(count => !detokenize(rest.slice(0, count)).includes(replacement)) ?? 1
    const text = detokenize(rest.slice(0, count))
    for (let index = 0; index < count; index++) {
      names.push(count === 1 ? { id: rest[0]!, text } : { id: rest[index]!, text, part: { index, count } })
    }
  }
  return names
}
