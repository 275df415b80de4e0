// Words lit on the page, by the browser's highlights: https://www.w3.org/TR/css-highlight-api-1/. Where it has none, nothing is lit, and
// the sentence beside the answer names them.
import '../../styles/words.css'

/** The least shares of the attention for each strength, as styles/words.css has them: looked-1 to looked-4. */
const shares = [0.05, 0.15, 0.4, 0.7]

/** Words with less are not lit. */
export const leastLit = shares[0]!

export interface Lit {
  readonly range: Range
  readonly share: number
}

const names = ['looking', 'beneath', ...shares.map((_, index) => `looked-${index + 1}`)]

/** Lights words by their share of the attention, and marks the one that looked at them. */
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

/** Marks a word that the pointer is over. */
export const hint = (word: Range | undefined) => set('beneath', word ? [word] : [])

export function putOut(): void {
  for (const name of names) set(name, [])
}

function set(name: string, ranges: readonly Range[]): void {
  if (!globalThis.CSS?.highlights) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}
