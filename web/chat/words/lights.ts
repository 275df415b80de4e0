// Lights words on the page with the browser's highlights: https://www.w3.org/TR/css-highlight-api-1/. If the browser has none,
// nothing is lit, and the sentence beside the answer names the words.
import '../../styles/words.css'

/** The least share of the attention for each strength, which are looked-1 to looked-4 in styles/words.css. */
const shares = [0.05, 0.15, 0.4, 0.7]

/** Words with a smaller share are not lit. */
export const leastLit = shares[0]!

export interface Lit {
  readonly range: Range
  readonly share: number
}

const names = ['looking', 'beneath', ...shares.map((_, index) => `looked-${index + 1}`)]

/** Lights words by their share of the attention, and marks the word that looked at them. */
export function light(words: readonly Lit[], looking: readonly Range[]): void {
  putOut()
  set('looking', looking)
  shares.forEach((least, index) =>
    set(
      `looked-${index + 1}`,
      words.filter(({ share }) => share >= least && share < (shares[index + 1] ?? Infinity)).map(({ range }) => range),
    ),
  )
}

/** Marks the word under the pointer. */
export const hint = (word: Range | undefined) => set('beneath', word ? [word] : [])

export function putOut(): void {
  for (const name of names) set(name, [])
}

function set(name: string, ranges: readonly Range[]): void {
  if (!globalThis.CSS?.highlights) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}
