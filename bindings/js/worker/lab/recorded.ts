// Values at points of one text, read once for a sweep, and edits made of them.
import type { DecoderRun, EngineEdit, EnginePoint } from '../engine.js'
import { copyOf } from '../reading.js'
import { valuesByPoint } from './points.js'

/** Edit::Kind in src/runtime/changes/edits.hpp. */
const replace = 1

/** The values at each point: tokens x parts x width, or heads x queries x keys. */
export interface Recorded {
  readonly tokens: number
  readonly at: ReadonlyMap<string, Float32Array>
}

/** A copy of the values that a run over `tokens` tokens has recorded at its points. */
export function recordedBy(reading: DecoderRun, tokens: number): Recorded {
  return { tokens, at: valuesByPoint({ values: copyOf(reading.watched()), shapes: reading.shapes() }) }
}

export const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const isOfPairs = ({ axes }: EnginePoint) => axes === 3

/** The rows of one head, or of all heads, at some positions, for an edit whose vector has a row for each position. */
function rowsOf({ tokens, at }: Recorded, point: EnginePoint, positions: readonly number[], head?: number): Float32Array {
  const values = at.get(point.point)!
  const { parts } = point
  const width = isOfPairs(point) ? tokens : point.width
  const heads = head === undefined ? all(parts) : [head]
  const rows = new Float32Array(positions.length * heads.length * width)
  let to = 0
  for (const position of positions) {
    for (const one of heads) {
      const from = (isOfPairs(point) ? one * tokens + position : position * parts + one) * width
      rows.set(values.subarray(from, from + width), to)
      to += width
    }
  }
  return rows
}

/** Whether both texts have the same values at a point, at a position. */
export function isAlike(one: Recorded, other: Recorded, point: EnginePoint, position: number, head?: number): boolean {
  const rows = rowsOf(other, point, [position], head)
  return rowsOf(one, point, [position], head).every((value, at) => Object.is(value, rows[at]))
}

/** The edit that puts the recorded values at a point. */
export const restored = (recorded: Recorded, point: EnginePoint, positions: readonly number[], head?: number): EngineEdit => ({
  kind: replace,
  at: point.point,
  head,
  positions,
  each: true,
  vector: rowsOf(recorded, point, positions, head),
})

/** The edit that sets the values at a point to zero. */
export function zeroed(point: EnginePoint, tokens: number, positions: readonly number[], head?: number): EngineEdit {
  const width = isOfPairs(point) ? tokens : point.width
  const vector = new Float32Array(positions.length * (head === undefined ? point.parts : 1) * width)
  return { kind: replace, at: point.point, head, positions, each: true, vector }
}

/** The edit that sets the values at a point to means (`parts` x `width`), at each of these positions. */
export function averaged(means: Float64Array, point: EnginePoint, positions: readonly number[], head?: number): EngineEdit {
  const own = head === undefined ? means : means.subarray(head * point.width, (head + 1) * point.width)
  const vector = new Float32Array(positions.length * own.length)
  positions.forEach((_, index) => {
    vector.set(own, index * own.length)
  })
  return { kind: replace, at: point.point, head, positions, each: true, vector }
}
