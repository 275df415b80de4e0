// How alike two embeddings are.
import { HeedError } from './errors.js'

/**
 * The cosine of the angle between two vectors, from -1 to 1; 0 where one is all zeros. Throws `invalid-argument` for vectors
 * that are not equally long.
 */
export function similarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw new HeedError('invalid-argument', `similarity: ${a.length} numbers cannot be compared with ${b.length}`)
  }
  let product = 0, squaresOfA = 0, squaresOfB = 0
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    squaresOfA += a[i]! ** 2
    squaresOfB += b[i]! ** 2
  }
  const lengths = Math.sqrt(squaresOfA * squaresOfB)
  return lengths === 0 ? 0 : product / lengths
}
