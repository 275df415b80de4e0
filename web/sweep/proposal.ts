// The word that a sweep proposes to exchange.

const words = (text: string): readonly string[] => text.match(/\p{L}+/gu) ?? []

/**
 * The longest word of the user's own text (`own`) that `text` has only there, and not also in a chat template, for example; if
 * there is none, the longest that `text` has. Empty if it has none of them.
 */
export function proposedWord(own: string, text: string): string {
  const count = (all: readonly string[], word: string) => all.filter(one => one === word).length
  const [mine, all] = [words(own), words(text)]
  const there = mine.filter(word => all.includes(word))
  const alone = there.filter(word => count(mine, word) === count(all, word))
  return (alone.length > 0 ? alone : there).reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
