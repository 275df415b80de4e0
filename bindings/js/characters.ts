// The texts of tokens, one by one. In a vocabulary of bytes, a token may hold no more than a part of a character: such tokens
// have its text together, and say which of them they are.
import type { AttentionToken } from './types.js'

/** What stands for bytes that make up no whole character. */
const replacement = '\uFFFD'

/** A character has four bytes at most; tokens that hold the end of one and the start of the next make longer chains. */
const mostParts = 8

/** `detokenize` gives the text of tokens together, with control tokens as their text. */
export function namesOf(ids: readonly number[], detokenize: (ids: number[]) => string): AttentionToken[] {
  const names: AttentionToken[] = []
  while (names.length < ids.length) {
    const rest = ids.slice(names.length, names.length + mostParts)
    const count = [...rest.keys()].map(index => index + 1)
      .find(count => !detokenize(rest.slice(0, count)).includes(replacement)) ?? 1
    const text = detokenize(rest.slice(0, count))
    for (let index = 0; index < count; index++) {
      names.push(count === 1 ? { id: rest[0]!, text } : { id: rest[index]!, text, part: { index, count } })
    }
  }
  return names
}
