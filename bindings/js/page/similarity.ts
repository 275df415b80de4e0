// The similarity of two embeddings.
import { refuse } from '../wire/errors.js'

/**
 * The cosine similarity of two vectors, from -1 to 1; 0 if one is all zeros. Throws `invalid-argument` for vectors of different
 * lengths.
 *
 * @example
 * const [a, b] = await model.embed(['a fox', 'a vixen'])
 * similarity(a!, b!)
 */
export function similarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw refuse(`similarity: ${a.length} numbers cannot be compared with ${b.length}`)
  }
  let product = 0,
    squaresOfA = 0,
    squaresOfB = 0
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    squaresOfA += a[i]! ** 2
    squaresOfB += b[i]! ** 2
  }
  const lengths = Math.sqrt(squaresOfA * squaresOfB)
  return lengths === 0 ? 0 : product / lengths
}
