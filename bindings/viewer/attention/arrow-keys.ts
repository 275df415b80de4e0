// Keys that move the selection of a heat map, or of a picture's patches.
import type { Cell } from './heat-map.js'

/**
 * The place that a key leads to; undefined for other keys. `last`: the last row; `within` returns the place in a row that is nearest to a
 * column.
 */
export function moved<Place>(
  key: string,
  { row, column }: Cell,
  last: number,
  within: (row: number, column: number) => Place,
): Place | undefined {
  switch (key) {
    case 'ArrowUp':
      return within(Math.max(row - 1, 0), column)
    case 'ArrowDown':
      return within(Math.min(row + 1, last), column)
    case 'ArrowLeft':
      return within(row, column - 1)
    case 'ArrowRight':
      return within(row, column + 1)
    case 'Home':
      return within(row, 0)
    case 'End':
      return within(row, Infinity)
    default:
      return undefined
  }
}
