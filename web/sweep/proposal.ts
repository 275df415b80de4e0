// The word that a sweep proposes to exchange.

const words = (text: string): readonly string[] => text.match(/\p{L}+/gu) ?? []

/**
 * The longest word of what the user wrote (`own`) that occurs in `text` nowhere else, such as in a chat template, or else the longest
 * one that occurs there at all; empty if there is none.
 */
export function proposedWord(own: string, text: string): string {
  const count = (all: readonly string[], word: string) => all.filter(one => one === word).length
  const [mine, all] = [words(own), words(text)]
  const there = mine.filter(word => all.includes(word))
  const alone = there.filter(word => count(mine, word) === count(all, word))
  return (alone.length > 0 ? alone : there).reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
