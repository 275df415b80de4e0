// Maps as files: PNG, SVG and CSV.
import { csvLine, pngOfCanvas } from '../support/files.js'
import type { Drawing, TitledMap } from './drawing.js'

/** The colors and the font of the viewer. */
export interface Look {
  readonly ink: string
  readonly paper: string
  readonly font: string
}

/** Characters that an XML document may not contain, not even escaped: most control characters, and unpaired surrogates. */
const notInXml = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

const escaped = (text: string) => text.replace(notInXml, '\ufffd').replace(/[<&>"]/g, letter => `&#${letter.charCodeAt(0)};`)

/** A self-contained file, without style sheets or fonts. */
export function svgOf({ width, height, runs, labels }: Drawing, { ink, paper, font }: Look): string {
  const round = (value: number) => Number(value.toFixed(2))
  const squares = runs.map(
    run =>
      `<rect x="${round(run.x)}" y="${round(run.y)}" width="${round(run.width)}" height="${round(run.height)}" fill="${run.color}"/>`,
  )
  const texts = labels.map(({ text, x, y, size, weight, from }) => {
    const turn = from === 'up' ? ` transform="rotate(-90 ${round(x)} ${round(y)})"` : ''
    const anchor = from === 'end' ? ' text-anchor="end"' : ''
    return `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}"${weight === 600 ? ' font-weight="600"' : ''}${anchor}${turn}>${escaped(text)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${escaped(paper)}"/>`,
    `<g shape-rendering="crispEdges">${squares.join('')}</g>`,
    `<g fill="${escaped(ink)}" font-family="${escaped(font)}" dominant-baseline="central">${texts.join('')}</g>`,
    '</svg>',
  ].join('\n')
}

export async function pngOf({ width, height, runs, labels }: Drawing, { ink, paper, font }: Look): Promise<Blob> {
  const scale = Math.max(width, height) > 4000 ? 1 : 2
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')!
  context.scale(scale, scale)
  context.fillStyle = paper
  context.fillRect(0, 0, width, height)
  for (const run of runs) {
    context.fillStyle = run.color
    context.fillRect(run.x, run.y, run.width, run.height)
  }
  context.fillStyle = ink
  context.textBaseline = 'middle'
  for (const { text, x, y, size, weight, from } of labels) {
    context.font = `${weight} ${size}px ${font}`
    context.textAlign = from === 'end' ? 'end' : 'start'
    context.save()
    context.translate(x, y)
    if (from === 'up') context.rotate(-Math.PI / 2)
    context.fillText(text, 0, 0)
    context.restore()
  }
  return pngOfCanvas(canvas, 'the heat map')
}

/**
 * For each map: its title, if there are several maps; the names of the columns; then a line for each row, which begins with its
 * name and has empty fields for columns that it cannot see.
 */
export function csvOf(maps: readonly TitledMap[]): string {
  return maps
    .map(({ title, picture: { rows, columns, weights, sights, shown } }) =>
      [
        ...(maps.length > 1 ? [csvLine([title])] : []),
        csvLine(['', ...columns]),
        ...rows.slice(0, shown).map((name, row) =>
          csvLine([
            name,
            ...columns.map((_, column) => {
              const { from, to } = sights[row]!
              return column >= from && column < to ? `${weights[row * columns.length + column]!}` : ''
            }),
          ]),
        ),
      ].join(''),
    )
    .join('\r\n')
}
