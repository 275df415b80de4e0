// The steps from a query and its keys to one row of attention weights (AttentionParts in types/lab.ts).
import type { AttentionParts } from '../../types/index.js'
import type { Inspection } from '../inspect.js'
import { numbersOf } from './results.js'

/** Computes the steps in double precision from the numbers that the engine multiplied. */
export function attentionPartsOf({ answer, read: { layer, head, of } }: Inspection<'attentionParts'>): AttentionParts {
  const { values, shapes, sourceTokens, positions, ...rest } = answer
  const [sight, queryVector, keys, biases, allWeights] = numbersOf({ values, shapes }) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const [from, to, factor, softCap, sink, isBiased] = sight as unknown as [number, number, number, number, number, number]
  const dim = to === 0 ? 0 : queryVector.length
  const scale = to === 0 ? 1 : factor
  const hasSink = to > 0 && sink > -Infinity
  const keyVectors = Array.from({ length: to - from }, (_, i) => keys.slice((from + i) * dim, (from + i + 1) * dim))
  const bias = isBiased ? biases.slice(from, to) : undefined
  const weights = allWeights.slice(from, to)
  const dots = Float64Array.from(keyVectors, key => key.reduce((sum, value, i) => sum + value * queryVector[i]!, 0))
  const scores = dots.map((dot, i) => {
    const scaled = scale * dot
    return (softCap ? softCap * Math.tanh(scaled / softCap) : scaled) + (bias?.[i] ?? 0)
  })
  return {
    ...rest,
    keys: of === 'cross' ? sourceTokens : rest.tokens,
    of,
    layer,
    head,
    query: positions![0]!,
    from,
    to,
    scale,
    ...(softCap ? { softCap } : {}),
    ...(hasSink ? { sink } : {}),
    ...(bias ? { bias } : {}),
    queryVector: queryVector.slice(0, dim),
    keyVectors,
    dots,
    scores,
    weights,
  }
}
