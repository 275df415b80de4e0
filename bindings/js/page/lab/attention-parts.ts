// What one row of attention weights is computed from, with the steps in between (AttentionParts in types/lab.ts).
import type { AttentionOf, AttentionParts } from '../../types/index.js'
import type { Results } from '../../wire/protocol.js'
import type { OfText } from '../text-images.js'

/** The steps are computed in double from the numbers that the engine multiplied. */
export function partsOf(
  { numbers, ...rest }: OfText<Results['attentionParts']>,
  place: { layer: number; head: number; of: AttentionOf },
): AttentionParts {
  const [from, to, scale, softCap, hasSink, hasBias, sink] = numbers as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const count = to - from
  let at = 7
  const take = (length: number) => Float32Array.from(numbers.subarray(at, (at += length)))
  const dim = count === 0 ? 0 : (numbers.length - at - count * (1 + hasBias)) / (count + 1)
  const queryVector = take(dim)
  const keyVectors = Array.from({ length: count }, () => take(dim))
  const bias = hasBias ? take(count) : undefined
  const weights = take(count)
  const dots = Float64Array.from(keyVectors, key => key.reduce((sum, value, i) => sum + value * queryVector[i]!, 0))
  const scores = dots.map((dot, i) => {
    const scaled = scale * dot
    return (softCap ? softCap * Math.tanh(scaled / softCap) : scaled) + (bias?.[i] ?? 0)
  })
  return {
    ...rest,
    ...place,
    from,
    to,
    scale,
    ...(softCap ? { softCap } : {}),
    ...(hasSink ? { sink } : {}),
    ...(bias ? { bias } : {}),
    queryVector,
    keyVectors,
    dots,
    scores,
    weights,
  }
}
