// The word that a sweep proposes to exchange.

const words = (text: string): readonly string[] => text.match(/\p{L}+/gu) ?? []

/**
 * The longest word that `text` contains only as part of the user's own text (`own`), not also in a chat template, for example; if
 * there is none, the longest word of `own` in `text`. Empty if `text` contains no word of `own`.
 */
export function proposedWord(own: string, text: string): string {
  const count = (all: readonly string[], word: string) => all.filter(one => one === word).length
  const [mine, all] = [words(own), words(text)]
  const there = mine.filter(word => all.includes(word))
  const alone = there.filter(word => count(mine, word) === count(all, word))
  return (alone.length > 0 ? alone : there).reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
