// Converts the engine's answers to the results of the lab's calls (types/lab.ts).
import type { ContinuationScore, Gates, Hidden, Lens, ModelInfo, Score, Trace } from '../../types/index.js'
import { formOf } from '../../wire/points.js'
import type { Results } from '../../wire/protocol.js'
import { splitAttention } from '../heads.js'
import type { Inspection } from '../inspect.js'

/** The layers that were read: the requested layers, or all, with -1 for the input of layer 0. */
const layersOf = (layers: readonly number[], info: ModelInfo) =>
  layers.length > 0 ? [...layers] : Array.from({ length: info.layers + 1 }, (_, depth) => depth - 1)

/** The arrays of states share one buffer. */
export function hiddenOf({ answer: { states, ...rest }, read, info }: Inspection<'hidden'>): Hidden {
  const layers = layersOf(read.layers, info)
  const size = states.length / layers.length
  return { ...rest, layers, states: layers.map((_, index) => states.subarray(index * size, (index + 1) * size)) }
}

export function lensOf({ answer: { predictions, ...rest }, read, info }: Inspection<'lens'>): Lens {
  const count = rest.positions.length
  return {
    ...rest,
    layers: layersOf(read.layers, info).map((layer, index) => ({
      layer,
      predictions: predictions.slice(index * count, (index + 1) * count),
    })),
  }
}

/** The axes of points, by their kind. */
const axesOf = [
  ['token', 'channel'],
  ['token', 'head', 'channel'],
  ['head', 'token'],
  ['head', 'query', 'key'],
  ['head', 'query', 'number'],
] as const

/** The values of each point: views of one buffer. */
export function numbersOf({ values, shapes }: Pick<Results['trace'], 'values' | 'shapes'>): Float32Array[] {
  let at = 0
  return shapes.map(({ shape }) => values.subarray(at, (at += shape.reduce((product, length) => product * length, 1))))
}

/** Transposes [head][token] to [token][head], and applies `form` to each value. */
function turned(data: Float32Array, [heads = 0, tokens = 0]: readonly number[], form: (value: number) => number): Float32Array {
  return data.map((_, at) => form(data[(at % heads) * tokens + Math.floor(at / heads)]!))
}

/** The tensors' arrays share one buffer, except those whose values have been converted. */
export function traceOf({ answer: { values, shapes, sourceTokens, ...rest }, read }: Inspection<'trace'>): Trace {
  const numbers = numbersOf({ values, shapes })
  const tensors = shapes.map(({ point, axes, shape: lengths }, index) => {
    const shape = [...lengths]
    const data = numbers[index]!
    const named = axesOf[axes]!
    const form = formOf(read.points[index]!)
    if (form && shape.length === 2)
      return { point, axes: ['token', 'head'] as const, shape: [shape[1]!, shape[0]!], data: turned(data, shape, form) }
    // A recurrent layer's `decay` and `write` may have a value per channel: one axis more.
    if (!point.startsWith('mlp.')) return { point, axes: shape.length > named.length ? [...named, 'channel'] : named, shape, data }
    const [tokens, experts, ...channels] = shape // a feed-forward block without experts counts as one
    return shape.length === 3 && experts === 1
      ? { point, axes: axesOf[0], shape: [tokens!, ...channels], data }
      : { point, axes: named.map(axis => (axis === 'head' ? 'expert' : axis)), shape, data }
  })
  return {
    ...rest,
    ...(sourceTokens.length > 0 ? { sourceTokens } : {}),
    positions: rest.positions ?? [...rest.tokens.keys()],
    tensors,
  }
}

export function gatesOf({ answer, read, info }: Inspection<'gates'>): Gates {
  const { values, shapes, sourceTokens, ...rest } = answer
  const { recurrentLayers, recurrentHeads } = info
  const layers = [...(read.layers.length > 0 ? read.layers : recurrentLayers)]
  const parts = splitAttention(values, { layers: [], heads: [] }, { layers: 2 * layers.length, heads: recurrentHeads })
  return { ...rest, layers, decay: layers.map((_, i) => parts[2 * i]!), write: layers.map((_, i) => parts[2 * i + 1]!) }
}

/** The scores with the indices of their texts, the best first. */
export const ranked = (scores: readonly Score[], by: 'sum' | 'mean'): ContinuationScore[] =>
  scores.map((score, index) => ({ ...score, index })).sort((a, b) => b[by] - a[by])
