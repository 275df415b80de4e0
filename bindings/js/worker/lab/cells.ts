// The cells of a sweep: its axes, checked against the model and the text, and the point at each layer.
import type { ModelInfo } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { pointsFor } from '../../wire/points.js'
import type { SweepAxis, WireSweep } from '../../wire/sweep.js'
import type { EnginePoint } from '../engine.js'
import { all } from './recorded.js'

export interface Axes {
  over: readonly SweepAxis[]
  /** The indices along each axis. */
  indices: number[][]
  /** The number of layers of the model. */
  depth: number
  /** The swept point of each layer that has it. */
  points: ReadonlyMap<number, EnginePoint>
  /** The point of a path's receiver. */
  receiver?: EnginePoint
}

export interface Cell {
  layer: number
  position?: number
  head?: number
}

type Points = ReadonlyMap<string, EnginePoint>

const hasHeads = ({ axes, point }: EnginePoint) => (axes === 1 || axes === 3) && !point.startsWith('mlp.')

/**
 * The axes of a sweep. Throws `invalid-argument` for points, layers, heads and positions that the model or the text does not have.
 */
export function axesOf(sweep: WireSweep, info: Pick<ModelInfo, 'layers'>, points: Points, { length }: readonly number[]): Axes {
  const { at, over, path, ablate } = sweep
  const depth = info.layers
  const word = path ? 'z' : at!
  const found = all(depth).map(layer =>
    pointsFor(word, layer)
      .map(name => points.get(name))
      .find(Boolean),
  )
  const known = new Map(found.flatMap((point, layer) => (point ? [[layer, point] as const] : [])))
  const [any] = known.values()
  if (!any) throw refuse(`sweep: at: ${word} is at no layer of this model`)
  if (over.includes('head') && !hasHeads(any)) throw refuse(`sweep: over: ${word} has no heads`)
  if (ablate === 'mean' && any.axes === 3)
    throw new HeedError('unsupported', `sweep: ablate: ${word} has no mean: rows differ in length`)
  const heads = Math.max(...[...known.values()].map(({ parts }) => parts))
  const chosen = (name: string, asked: readonly number[] | undefined, count: number) => {
    const list = asked && asked.length > 0 ? asked.map(one => (name === 'positions' && one < 0 ? one + count : one)) : all(count)
    const outside = list.findIndex(one => one < 0 || one >= count)
    if (outside >= 0) throw refuse(`sweep: ${name}: ${asked![outside]} is out of range: there are ${count}`)
    return list
  }
  const from = path?.from
  const along = {
    layer: chosen('layers', from ? [from[0]] : sweep.layers, depth),
    head: chosen('heads', from ? [from[1]] : sweep.heads, heads),
    position: chosen('positions', sweep.positions, length),
  }
  const receiver = path && path.to !== 'logits' ? receiverOf(path.to, path.via, points) : undefined
  return { over, indices: over.map(axis => along[axis]), depth, points: path ? new Map() : known, receiver }
}

function receiverOf([layer, head]: readonly [number, number], via: string | undefined, points: Points): EnginePoint {
  if (via === undefined) throw refuse('sweep: path: via is required unless the path leads to the logits')
  const point = points.get(`attn.${layer}.${via}`)
  if (!point) throw refuse(`sweep: path: to: layer ${layer} has no ${via}`)
  if (head >= point.parts) throw refuse(`sweep: path: to: ${head} is out of range: ${point.point} has ${point.parts} heads`)
  return point
}

/** All cells, the last axis fastest. */
export function cellsOf({ over, indices }: Axes): Cell[] {
  return over.reduce<Partial<Cell>[]>(
    (cells, axis, at) => cells.flatMap(cell => indices[at]!.map(index => ({ ...cell, [axis]: index }))),
    [{}],
  ) as Cell[]
}
