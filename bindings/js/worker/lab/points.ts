// The points of the model's decoder, by their names.
import { pointNamed } from '../../wire/points.js'
import type { Engine, EnginePoint } from '../engine.js'

const known = new WeakMap<Engine, ReadonlyMap<string, EnginePoint>>()

export function pointsOf(engine: Engine): ReadonlyMap<string, EnginePoint> {
  const points = known.get(engine) ?? new Map(engine.points().map(point => [point.point, point]))
  known.set(engine, points)
  return points
}

/** Replaces aliases by the points' own names; unknown names stay as they are, so that the engine rejects them. */
export const knownPoints = (engine: Engine, names: readonly string[]): string[] =>
  names.map(name => pointNamed(name, point => pointsOf(engine).has(point)))
