// Exports of the lens: a table with all alternatives (CSV), and an image (SVG).
import { csv } from '../support/save.js'
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

const cell = { width: 84, height: 24, name: 64 }
/** Longer words are cut. */
const mostLetters = 11

const cut = (text: string) => {
  const letters = [...text]
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join('')}…` : text
}

/** The grid in the colors of an element. */
export function svgOf({ tokens, first, count, layers }: LensWindow, styled: HTMLElement): string {
  const colors = getComputedStyle(styled)
  const drawing = element('svg', {
    width: cell.name + count * cell.width,
    height: (layers.length + 1) * cell.height,
    'font-family': 'sans-serif',
    'font-size': 12,
  })
  const write = (text: string, column: number, row: number) => {
    const written = element('text', {
      x: column < 0 ? 4 : cell.name + column * cell.width + 4,
      y: row * cell.height + 16,
      fill: colors.color,
      ...(row === 0 || column < 0 ? { 'font-weight': 'bold' } : {}),
    })
    written.textContent = cut(text)
    drawing.append(written)
  }
  drawing.append(element('rect', { width: '100%', height: '100%', fill: colors.getPropertyValue('--paper') }))
  tokens.slice(first, first + count).forEach((token, column) => write(visible(token), column, 0))
  layers.forEach((predictions, row) => {
    write(nameOfRow(row), -1, row + 1)
    predictions.forEach(({ top: [best] }, column) => {
      if (!best) return
      drawing.append(
        element('rect', {
          x: cell.name + column * cell.width,
          y: (row + 1) * cell.height,
          width: cell.width - 1,
          height: cell.height - 1,
          fill: colors.getPropertyValue('--lens'),
          'fill-opacity': Math.exp(best.logprob).toFixed(3),
        }),
      )
      write(visible(best), column, row + 1)
    })
  })
  return new XMLSerializer().serializeToString(drawing)
}

const xmlns = 'http://www.w3.org/2000/svg'

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(xmlns, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, `${value}`)
  return made
}
