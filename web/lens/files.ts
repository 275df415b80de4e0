// Exports of the lens: a table with all alternatives (CSV), and an image (SVG).
import { csv } from '../support/save.js'
import { TableDrawing } from '../support/table-drawing.js'
import { nameOfRow, type LensWindow } from './reading.js'
import { visible } from '../support/words.js'

/** A line for each alternative of each cell. */
export function csvOf({ tokens, first, layers }: LensWindow): string {
  const lines: (string | number)[][] = [['layer', 'position', 'token', 'rank', 'prediction', 'id', 'logprob', 'probability']]
  layers.forEach((predictions, row) =>
    predictions.forEach(({ top }, column) => {
      top.forEach(({ text, id, logprob }, rank) => {
        lines.push([row, first + column, tokens[first + column]!.text, rank + 1, text, id, logprob, Math.exp(logprob)])
      })
    }),
  )
  return csv(lines)
}

/** The grid as an image, in the colors of an element. */
export function svgOf({ tokens, first, count, layers }: LensWindow, styled: HTMLElement): string {
  const drawing = new TableDrawing(count, layers.length, styled)
  tokens.slice(first, first + count).forEach((token, column) => drawing.write(visible(token), column, 0))
  layers.forEach((predictions, row) => {
    drawing.write(nameOfRow(row), -1, row + 1)
    predictions.forEach(({ top: [best] }, column) => {
      if (!best) return
      drawing.fill(column, row + 1, '--lens', Math.exp(best.logprob))
      drawing.write(visible(best), column, row + 1)
    })
  })
  return drawing.toString()
}
