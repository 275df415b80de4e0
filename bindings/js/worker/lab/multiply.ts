// The handler that multiplies by a matrix of the caller's.
import { type Handler, runPass } from '../host.js'

export const multiply: Handler<'multiply'> = (host, state, { x, rows, values, columns, isTransposed = false }) =>
  runPass(host, state, () => host.engine.multiply(rows, columns, x, values, isTransposed))
