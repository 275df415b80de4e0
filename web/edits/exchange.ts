// Replaces a word of a text by another word with as many tokens.
import { HeedError, type Model } from 'heed'

export const refuse = (message: string) => new HeedError('invalid-argument', message)

/** The tokens with the first occurrence of the word exchanged. Throws `invalid-argument`. */
export async function exchanged(
  model: Model,
  tokens: readonly { readonly id: number; readonly text: string }[],
  word: string,
  other: string,
): Promise<number[]> {
  const text = tokens.map(token => token.text).join('')
  const begin = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u'))
  if (begin < 0) throw refuse(`The text does not contain “${word}”.`)
  const read = (whole: string) => model.tokenize(whole, { addSpecial: false, parseSpecial: true })
  const ids = tokens.map(({ id }) => id)
  const same = await read(text)
  if (same.length !== ids.length || same.some((id, index) => id !== ids[index]))
    throw refuse('The characters of this text have other tokens: it cannot be patched here.')
  const found = await read(text.slice(0, begin) + other + text.slice(begin + word.length))
  if (found.length !== ids.length) {
    throw refuse(
      `With “${other}” in place of “${word}”, the text has ${found.length} tokens instead of ${ids.length}: choose a word of as many tokens.`,
    )
  }
  return found
}
