// The points of the model's decoder, by their names.
import { pointNamed } from '../../wire/points.js'
import type { Engine, EnginePoint, Recorded } from '../engine.js'

const known = new WeakMap<Engine, ReadonlyMap<string, EnginePoint>>()

export function pointsOf(engine: Engine): ReadonlyMap<string, EnginePoint> {
  const points = known.get(engine) ?? new Map(engine.points().map(point => [point.point, point]))
  known.set(engine, points)
  return points
}

/** Replaces aliases by the points' own names; unknown names stay as they are, so that the engine rejects them. */
export const knownPoints = (engine: Engine, names: readonly string[]): string[] =>
  names.map(name => pointNamed(name, point => pointsOf(engine).has(point)))

/** The recorded values of each point, by its name: views of one array. */
export function valuesByPoint({ values, shapes }: Recorded): Map<string, Float32Array> {
  let from = 0
  return new Map(
    shapes.map(({ point, shape }) => {
      const size = shape.reduce((product, length) => product * length, 1)
      return [point, values.subarray(from, (from += size))]
    }),
  )
}

/** What was recorded, repeated where several of `names` are one point's: `embed` and `resid_pre.0`, for example. */
export async function forEachName(recorded: Recorded, names: readonly string[]): Promise<Recorded> {
  const { shapes } = recorded
  if (names.length === shapes.length) return recorded
  const found = valuesByPoint(recorded)
  const parts = names.map(name => found.get(name)!) as BlobPart[]
  return {
    values: new Float32Array(await new Blob(parts).arrayBuffer()), // the shortest way to put arrays together
    shapes: names.map(name => shapes.find(({ point }) => point === name)!),
  }
}
