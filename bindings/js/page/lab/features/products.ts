// Products of rows with the matrices of a dictionary, in single precision: here as in the engine, products are added one after
// another along a row, so both give the same bits.
import type { WebAbortSignal } from '../../../types/web.js'
import type { Connection } from '../../connection.js'

/** Row-major [inputs][outputs], or, transposed, [outputs][inputs]; `columns` is the number of outputs. */
export interface Matrix {
  values: Float32Array
  columns: number
  isTransposed?: boolean
}

/** The products x M of several rows: x is rows x inputs, the result rows x outputs. */
export type Multiply = (x: Float32Array, rows: number, matrix: Matrix) => Promise<Float32Array>

/** With fewer rows, sending a matrix to the engine takes longer than multiplying here. */
const fewRows = 4
/** The most elements of a matrix that are sent at once: multiplying by them takes the engine less time than a pass. */
const mostNumbers = 2 ** 21

/** Multiplies few rows here, and more rows in the engine. Throws `aborted`, and the engine's errors. */
export const multiplier =
  (connection: Connection, signal?: WebAbortSignal): Multiply =>
  async (x, rows, matrix) => {
    if (rows < fewRows) return productsHere(x, rows, matrix)
    const products = new Float32Array(rows * matrix.columns)
    const step = Math.ceil((mostNumbers * rows) / x.length)
    for (let from = 0; from < matrix.columns; from += step) {
      const part = columnsOf(matrix, from, step)
      const { columns } = part
      const found = await connection.call({ type: 'multiply', x, rows, ...part }, { signal })
      for (let row = 0; row < rows; row++)
        products.set(found.subarray(row * columns, (row + 1) * columns), row * matrix.columns + from)
    }
    return products
  }

/** A copy of some of a matrix's columns, at most `most`. */
function columnsOf({ values, columns, isTransposed }: Matrix, from: number, most: number): Matrix {
  const height = values.length / columns
  const count = Math.min(most, columns - from)
  const part = isTransposed ? values.slice(from * height, (from + count) * height) : new Float32Array(height * count)
  for (let row = 0; !isTransposed && row < height; row++)
    part.set(values.subarray(row * columns + from, row * columns + from + count), row * count)
  return { values: part, columns: count, isTransposed }
}

function productsHere(x: Float32Array, rows: number, { values, columns, isTransposed }: Matrix): Float32Array {
  const products = new Float32Array(rows * columns)
  const height = values.length / columns
  const [lines, length] = isTransposed ? [columns, height] : [height, columns]
  for (let row = 0; row < rows; row++) {
    for (let line = 0, at = 0; line < lines; line++) {
      for (let place = 0; place < length; place++, at++) {
        const column = isTransposed ? line : place
        const index = isTransposed ? place : line
        products[row * columns + column]! += Math.fround(x[row * height + index]! * values[at]!)
      }
    }
  }
  return products
}
