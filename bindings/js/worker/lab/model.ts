// Handlers that read the model itself: its points, its weights, and files beside it.
import type { Handler } from '../host.js'
import { pointsOf } from './points.js'

export const points: Handler<'points'> = ({ engine }) => [...pointsOf(engine).values()]

export const unembed: Handler<'unembed'> = ({ engine }, _, { vector }) => engine.unembed(vector)

export const weights: Handler<'weights'> = ({ engine }, _, { name, rows }) => {
  const shape = [...engine.tensor(name, 0, 0)]
  const columns = shape.at(-1)!
  const count = shape.slice(0, -1).reduce((product, length) => product * length, 1)
  const [first, end] = rows ?? [0, count]
  const data = engine.tensor(name, first, end - first)
  return { shape: rows ? [end - first, columns] : shape, data }
}

export const readFile: Handler<'readFile'> = (host, state, file) => host.useFile(state, file, bytes => bytes)
