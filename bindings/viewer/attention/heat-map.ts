// Draws a heat map: a square for each column that a row can see. The side of a square is a whole number of device pixels, unless it
// is less than one.
import { make } from '../support/dom.js'
import { pixelOf, readRamp } from './color-scale.js'
import type { Sight } from './layer-attention.js'

/** Cells of at least this many CSS pixels have labels beside the rows and above the columns. */
const labeledCell = 11
const largestCell = 30
const labelWidth = 84
/** The largest share of the width that goes to row labels. */
const mostLabels = 0.18
const labelHeight = 60
/** The largest ratio of height to width. */
const mostHeight = 1.5

export interface Cell {
  row: number
  column: number
}

export interface Picture {
  /** Rows x columns, row-major. */
  weights: Float32Array
  /** The labels of rows and columns. */
  rows: readonly string[]
  columns: readonly string[]
  sights: readonly Sight[]
  /** Number of rows to paint; a replay has not reached the others yet. */
  shown: number
}

/** Whether some row sees columns after its own. If none does, the row labels on the diagonal also label the columns below them. */
const looksAhead = ({ sights }: Picture) => sights.some(({ to }, row) => to > row + 1)

export class HeatMap {
  readonly canvas: HTMLCanvasElement
  /** Created when something is first painted, because most maps are in panels that are never opened. */
  #context?: CanvasRenderingContext2D
  readonly #probe: HTMLElement
  /** The weights, one pixel each, cached for redrawing the marks. */
  readonly #pixels = make('canvas')
  #picture?: Picture
  /** The side of a square, which is less than 1 in long texts, and the height of the column labels, in device pixels. */
  #side = 0
  #top = 0
  #labeled = false

  constructor(canvas: HTMLCanvasElement, probe: HTMLElement) {
    this.canvas = canvas
    this.#probe = probe
  }

  /**
   * Paints `picture` at most `width` CSS pixels wide, with a row and a column outlined. Without a picture, the canvas keeps its
   * size, so that nothing moves.
   */
  show(picture: Picture | undefined, width: number, marked: Partial<Cell> = {}): void {
    this.#picture = picture
    if (!picture) return this.mark({})
    const { rows, columns } = picture
    const scale = devicePixelRatio
    const highest = (width * mostHeight) / rows.length
    const texts = Math.min(labelWidth, width * mostLabels)
    const withLabels = Math.min((width - texts) / columns.length, largestCell, highest)
    this.#labeled = withLabels >= labeledCell
    const side = this.#labeled ? withLabels : Math.min(width / columns.length, highest)
    this.#side = side * scale < 1 ? side * scale : Math.floor(side * scale)
    this.#top = this.#labeled && looksAhead(picture) ? Math.round(labelHeight * scale) : 0
    this.canvas.width = Math.floor(this.#side * columns.length) + (this.#labeled ? texts * scale : 0)
    this.canvas.height = this.#top + Math.floor(this.#side * rows.length)
    this.canvas.style.width = `${this.canvas.width / scale}px`
    this.#paint(picture)
    this.mark(marked)
  }

  /** Redraws the image with a row and a column outlined. */
  mark({ row, column }: Partial<Cell>): void {
    const picture = this.#picture
    if (!picture && !this.#context) return
    const context = (this.#context ??= this.canvas.getContext('2d')!)
    context.resetTransform()
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    if (!picture) return
    const side = this.#side
    context.translate(0, this.#top)
    context.imageSmoothingEnabled = side < 1
    context.imageSmoothingQuality = 'high'
    context.drawImage(this.#pixels, 0, 0, side * picture.columns.length, side * picture.rows.length)
    if (this.#labeled) this.#label(context, picture, row, column)
    const line = Math.max(Math.round(devicePixelRatio), 1)
    context.strokeStyle = getComputedStyle(this.canvas).color
    context.lineWidth = line
    const outline = (x: number, y: number, columns: number, rows: number) => {
      const inside = (cells: number) => Math.max(cells * side - line, line)
      context.strokeRect(x * side + line / 2, y * side + line / 2, inside(columns), inside(rows))
    }
    if (row === undefined) return
    const { from, to } = picture.sights[row]!
    outline(from, row, to - from, 1)
    if (column === undefined) return
    const first = picture.sights.findIndex(sight => column >= sight.from && column < sight.to)
    outline(column, first, 1, row - first + 1)
  }

  /** The cell under the pointer; undefined outside the columns that its row can see. */
  cellAt({ clientX, clientY }: { clientX: number; clientY: number }): Cell | undefined {
    if (!this.#picture) return undefined
    const { left, top, width } = this.canvas.getBoundingClientRect()
    const scale = this.canvas.width / width
    const column = Math.floor(((clientX - left) * scale) / this.#side)
    const row = Math.floor(((clientY - top) * scale - this.#top) / this.#side)
    const sight = this.#picture.sights[row]
    return sight && row < this.#picture.shown && column >= sight.from && column < sight.to ? { row, column } : undefined
  }

  #paint({ weights, columns, rows, sights, shown }: Picture): void {
    this.#pixels.width = columns.length
    this.#pixels.height = rows.length
    const context = this.#pixels.getContext('2d')!
    const image = context.createImageData(columns.length, rows.length)
    const pixels = new Uint32Array(image.data.buffer)
    const ramp = readRamp(this.#probe)
    sights.slice(0, shown).forEach(({ from, to }, row) => {
      for (let index = row * columns.length + from; index < row * columns.length + to; index++) {
        pixels[index] = pixelOf(ramp, weights[index]!)
      }
    })
    context.putImageData(image, 0, 0)
  }

  /** Labels each row after its last square, and the columns above the map if rows look ahead. */
  #label(context: CanvasRenderingContext2D, { rows, columns, sights, shown }: Picture, row?: number, column?: number): void {
    const { fontFamily, color } = getComputedStyle(this.canvas)
    const height = Math.min(this.#side * 0.85, 13 * devicePixelRatio)
    context.textBaseline = 'middle'
    context.fillStyle = color
    const write = (label: string, marked: boolean, x: number, y: number) => {
      context.font = `${marked ? 'bold ' : ''}${height}px ${fontFamily}`
      context.globalAlpha = marked || row === undefined ? 1 : 0.6
      context.fillText(label, x, y)
    }
    const middle = (index: number) => (index + 0.5) * this.#side
    rows.slice(0, shown).forEach((label, index) => {
      const marked = index === row || (index === column && this.#top === 0)
      write(label, marked, sights[index]!.to * this.#side + height / 2, middle(index))
    })
    if (this.#top > 0) {
      context.save()
      context.rotate(-Math.PI / 2)
      columns.forEach((label, index) => write(label, index === column, height / 2, middle(index)))
      context.restore()
    }
    context.globalAlpha = 1
  }
}
