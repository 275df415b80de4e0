// Linear probes: logistic regression on values at a point, to the optimum.
import type { Probe, Prompt } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { readList, readPrompt } from '../arguments.js'
import type { Desk } from './desk.js'
import { valuesAt } from './features/features.js'
import { minimize } from './minimize.js'
import { readLabOptions } from './options.js'
import { pausing } from './pausing.js'

/** log(1 + exp(-margin)), and the logistic function of -margin. */
const softplus = (margin: number) => (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
const missed = (margin: number) => (margin > 0 ? Math.exp(-margin) / (1 + Math.exp(-margin)) : 1 / (1 + Math.exp(margin)))

export async function probe(
  { connection }: Desk,
  positive: readonly Prompt[],
  negative: readonly Prompt[],
  options: unknown,
): Promise<Probe> {
  const { point, positions, l2, standardize, signal, ...read } = readLabOptions('probe', options)
  const lists = [negative, positive].map((list, index) => readList('probe', index ? 'positive' : 'negative', list, readPrompt))
  if (lists.some(({ length }) => length === 0)) throw refuse('probe: each list needs a text')
  const rows: Float64Array[] = []
  const signs: number[] = []
  for (const [label, texts] of lists.entries()) {
    for (const prompt of texts) {
      const { tokens, at } = await valuesAt(connection, [point], { prompt, ...read }, signal)
      const [values] = at as [Float32Array]
      const width = values.length / tokens.length
      for (let token = positions === 'last' ? tokens.length - 1 : 0; token < tokens.length; token++) {
        rows.push(Float64Array.from(values.subarray(token * width, (token + 1) * width)))
        signs.push(label ? 1 : -1)
      }
    }
  }
  const width = rows[0]!.length
  const { mean, deviation } = standardize
    ? spreadOf(rows, width)
    : { mean: new Float64Array(width), deviation: new Float64Array(width).fill(1) }
  const scaled = rows.map(row => row.map((value, index) => (value - mean[index]!) / deviation[index]!))
  const margin = (point: Float64Array, row: Float64Array) => {
    let sum = point[width]!
    for (let index = 0; index < width; index++) sum += point[index]! * row[index]!
    return sum
  }
  const pause = pausing(signal)
  const found = await minimize(
    new Float64Array(width + 1),
    (point, gradient) => {
      let loss = 0
      gradient.fill(0)
      for (let index = 0; index < width; index++) {
        loss += (l2 / 2) * point[index]! ** 2
        gradient[index] = l2 * point[index]!
      }
      scaled.forEach((row, at) => {
        const sign = signs[at]!
        const score = sign * margin(point, row)
        loss += softplus(score)
        const pull = -sign * missed(score)
        for (let index = 0; index < width; index++) gradient[index]! += pull * row[index]!
        gradient[width]! += pull
      })
      return loss
    },
    pause,
  )
  const { least, at } = found
  const weights = Float64Array.from({ length: width }, (_, index) => at[index]! / deviation[index]!)
  const bias = at[width]! - weights.reduce((sum, weight, index) => sum + weight * mean[index]!, 0)
  const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0))
  if (!(length > 0)) throw new HeedError('invalid-argument', 'probe: the values do not differ between the lists')
  const right = scaled.reduce((count, row, index) => count + (signs[index]! * margin(at, row) > 0 ? 1 : 0), 0)
  const score = (values: ArrayLike<number>) => {
    if (values.length !== width) throw refuse(`probe: expected ${width} numbers, got ${values.length}`)
    return weights.reduce((sum, weight, index) => sum + weight * values[index]!, bias)
  }
  return {
    point,
    weights,
    bias,
    direction: Float32Array.from(weights, weight => weight / length),
    loss: least,
    accuracy: right / rows.length,
    rows: rows.length,
    score,
  }
}

/** The mean and the standard deviation of each channel over all rows; a deviation of 0 becomes 1. */
function spreadOf(rows: readonly Float64Array[], width: number) {
  const mean = new Float64Array(width)
  for (const row of rows) row.forEach((value, index) => (mean[index]! += value / rows.length))
  const variance = new Float64Array(width)
  for (const row of rows) row.forEach((value, index) => (variance[index]! += (value - mean[index]!) ** 2 / rows.length))
  return { mean, deviation: variance.map(value => Math.sqrt(value) || 1) }
}
