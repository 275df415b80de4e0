// The grid of the lens: layers by tokens.
import type { LensPrediction } from 'heed'
import { Cells, cell } from '../support/cells.js'
import { percent } from '../support/format.js'
import { isRight, nameOfRow, type LensWindow } from './reading.js'
import { quoted, visible } from '../support/words.js'

/** Number of alternatives to announce to screen readers. */
const mostSpoken = 3

export class Grid extends Cells {
  display(reading: LensWindow): void {
    const { tokens, first, count, layers } = reading
    this.show(
      'After',
      tokens.slice(first, first + count).map(visible),
      layers.map((predictions, row) => ({
        name: nameOfRow(row),
        cells: predictions.map((prediction, column) => cellOf(reading, row, column, prediction)),
      })),
    )
  }
}

function cellOf(reading: LensWindow, row: number, column: number, { top }: LensPrediction): HTMLTableCellElement {
  const [best] = top
  const after = reading.tokens[reading.first + column]!
  const said = top
    .slice(0, mostSpoken)
    .map(token => `${quoted(token)} ${percent(Math.exp(token.logprob))}`)
    .join(', ')
  const made = cell(`${nameOfRow(row)} after ${quoted(after)}: ${said}`, best ? visible(best) : '')
  made.classList.toggle('right', isRight(reading, column, best?.id))
  made.style.setProperty('--probability', Math.exp(best?.logprob ?? -Infinity).toFixed(3))
  return made
}
