// Scores of alternatives as probabilities.
import type { Score } from '../../types/index.js'

/** How probable each of these texts is, given that one of them follows the prompt: the sum is 1. */
export function sharesOf(scores: readonly Pick<Score, 'sum'>[]): number[] {
  const most = Math.max(...scores.map(({ sum }) => sum))
  const weights = scores.map(({ sum }) => Math.exp(sum - most))
  const total = weights.reduce((all, one) => all + one, 0)
  return weights.map(weight => weight / total)
}
