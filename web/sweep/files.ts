// Exports of a sweep: a table (CSV), a picture (SVG), and the numbers (NPY).
import { csv } from '../support/save.js'
import { npy } from '../support/npy.js'
import { TableDrawing } from '../support/table-drawing.js'
import type { Swept } from './swept.js'

export const csvOf = ({ rows, columns, values, shares }: Swept): string =>
  csv([
    ['layer', 'column', 'name', 'metric', 'restored'],
    ...rows.flatMap((_, row) =>
      columns.map((name, column) => {
        const at = row * columns.length + column
        return [row, column, name, values[at]!, shares[at]!]
      }),
    ),
  ])

export const npyOf = ({ rows, columns, shares }: Swept): Blob => npy([rows.length, columns.length], shares)

const size = { width: 40, height: 24, name: 64 }

export function svgOf({ rows, columns, shares }: Swept, styled: HTMLElement): string {
  const drawing = new TableDrawing(columns.length, rows.length, styled, size)
  columns.forEach((name, column) => drawing.write(name.replace(/[“”]/g, '').slice(0, 6), column, 0))
  rows.forEach((name, row) => {
    drawing.write(name, -1, row + 1)
    columns.forEach((_, column) => {
      const share = shares[row * columns.length + column]!
      if (Number.isNaN(share)) return
      drawing.fill(column, row + 1, share < 0 ? '--against' : '--lens', Math.min(1, Math.abs(share)))
      drawing.write(share.toFixed(2), column, row + 1)
    })
  })
  return drawing.toString()
}
