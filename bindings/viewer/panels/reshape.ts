// Applies a sampler's filters to logits as the engine does (src/sampling/sampler.cpp): top-k, top-p and min-p choose the candidates
// from the probabilities at temperature 1; then the temperature reshapes these. Penalties and biases are left out.

export interface Shape {
  readonly temperature: number
  readonly topK: number
  readonly topP: number
  readonly minP: number
}

interface Reshaped {
  readonly id: number
  /** The model's own probability. */
  readonly before: number
  /** The probability of being sampled; 0 if it is filtered out. */
  readonly after: number
}

/** The `count` most probable tokens, best first, and the number of all tokens that could be sampled. */
export function reshape(
  logits: Float32Array,
  { temperature, topK, topP, minP }: Shape,
  count: number,
): { tokens: Reshaped[]; candidates: number } {
  const ranked = [...logits.keys()].sort((a, b) => logits[b]! - logits[a]! || a - b)
  const best = logits[ranked[0]!]!
  const weight = (id: number) => Math.exp(logits[id]! - best)
  const total = ranked.reduce((sum, id) => sum + weight(id), 0)
  const limit = topK > 0 ? Math.min(topK, ranked.length) : ranked.length
  const enough = topP < 1 ? topP * ranked.slice(0, limit).reduce((sum, id) => sum + weight(id), 0) : Infinity
  const least = minP > 0 ? best + Math.log(minP) : -Infinity
  let kept = 0
  for (let mass = 0; kept < limit && mass < enough && logits[ranked[kept]!]! >= least; kept++) mass += weight(ranked[kept]!)
  if (temperature === 0) kept = 1
  const reshaped = ranked.slice(0, kept).map(id => (temperature === 0 ? 1 : Math.exp((logits[id]! - best) / temperature)))
  const sum = reshaped.reduce((sum, value) => sum + value, 0)
  const tokens = ranked
    .slice(0, count)
    .map((id, rank) => ({ id, before: weight(id) / total, after: rank < kept ? reshaped[rank]! / sum : 0 }))
  return { tokens, candidates: kept }
}
