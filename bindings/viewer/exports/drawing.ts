// Maps as drawings that do not depend on the window: squares, the names of all rows and columns, a title, and the legend. Image
// files are made from these.
import { levelOf, type Ramp } from '../attention/color-scale.js'
import type { Picture } from '../attention/heat-map.js'

export interface TitledMap {
  readonly title: string
  readonly picture: Picture
}

/** Adjacent squares of one color in a row. */
export interface Run {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly color: string
}

interface Label {
  readonly text: string
  readonly x: number
  /** The vertical middle of the letters. */
  readonly y: number
  readonly size: number
  readonly weight: 400 | 600
  /** `end`: the text ends at x; `up`: it begins at x and runs upward. */
  readonly from: 'start' | 'end' | 'up'
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly runs: readonly Run[]
  readonly labels: readonly Label[]
}

const margin = 24
const titleSize = 14
const gap = 12
/** The sides of squares, in pixels: large for short texts, and small if the image would otherwise be too large. */
const largestSide = 16
const smallestSide = 8
const sides = 2200
/** The average width of a letter, relative to the font size. */
const letter = 0.62
const mostLabel = 160

const named = [0, 0.01, 0.1, 0.25, 0.5, 0.75, 1]

/** Draws maps one below the other. */
export function drawMaps(maps: readonly TitledMap[], { colors, scale }: Ramp): Drawing {
  const packed = colors.map(color => `rgb(${color.join(' ')})`)
  const colorOf = (weight: number) => packed[levelOf(weight, scale)]!
  const runs: Run[] = [],
    labels: Label[] = []
  let top = margin,
    right = 0
  for (const { title, picture } of maps) {
    const { rows, columns, weights, sights, shown } = picture
    const side = Math.min(Math.max(Math.floor(sides / Math.max(rows.length, columns.length)), smallestSide), largestSide)
    const size = Math.min(side * 0.85, 13)
    const widest = (names: readonly string[]) =>
      Math.min(names.reduce((most, name) => Math.max(most, name.length), 0) * size * letter, mostLabel)
    const left = margin + widest(rows) + gap / 2
    labels.push({ text: title, x: margin, y: top + titleSize / 2, size: titleSize, weight: 600, from: 'start' })
    top += titleSize + gap + widest(columns)
    columns.forEach((text, column) =>
      labels.push({ text, x: left + (column + 0.5) * side, y: top - gap / 2, size, weight: 400, from: 'up' }),
    )
    rows.slice(0, shown).forEach((text, row) => {
      labels.push({ text, x: left - gap / 2, y: top + (row + 0.5) * side, size, weight: 400, from: 'end' })
      const { from, to } = sights[row]!
      for (let column = from, start = from; column < to; column++) {
        const color = colorOf(weights[row * columns.length + column]!)
        if (column + 1 < to && colorOf(weights[row * columns.length + column + 1]!) === color) continue
        runs.push({ x: left + start * side, y: top + row * side, width: (column + 1 - start) * side, height: side, color })
        start = column + 1
      }
    })
    right = Math.max(right, left + columns.length * side, margin + title.length * titleSize * letter)
    top += rows.length * side + gap * 2
  }
  named.forEach((weight, index) => {
    const x = margin + index * 64
    runs.push({ x, y: top, width: largestSide, height: largestSide, color: colorOf(weight) })
    labels.push({
      text: weight === 0 ? '0' : `${weight * 100} %`,
      x: x + largestSide + 4,
      y: top + largestSide / 2,
      size: 11,
      weight: 400,
      from: 'start',
    })
  })
  const wide = Math.max(right, margin + named.length * 64)
  return { width: Math.ceil(wide + margin), height: Math.ceil(top + largestSide + margin), runs, labels }
}
