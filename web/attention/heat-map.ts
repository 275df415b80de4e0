// One head's attention as a picture: squares below the diagonal, each a whole number of device pixels wide.
import { make } from '../support/dom.js'
import { visible } from '../support/format.js'
import { colourOf, readRamp } from './scale.js'

/** Cells from this many CSS pixels on leave room for the tokens' texts, beyond the diagonal. */
const labelledCell = 13
const largestCell = 30
const labelWidth = 84

export interface Cell { row: number, column: number }

export interface Picture {
  /** T x T. */
  weights: Float32Array
  labels: readonly string[]
}

export class HeatMap {
  readonly canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  /** The weights, a pixel each, for every redraw of the marks. */
  readonly #pixels = make('canvas')
  #picture?: Picture
  /** A square's side in device pixels. */
  #side = 0
  #labelled = false

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas
    this.#context = canvas.getContext('2d')!
  }

  /** Paints a picture as wide as `width` CSS pixels allow. */
  show(picture: Picture | undefined, width: number): void {
    this.#picture = picture
    const size = picture?.labels.length ?? 0
    const scale = devicePixelRatio
    const withLabels = Math.min((width - labelWidth) / size, largestCell)
    this.#labelled = withLabels >= labelledCell
    this.#side = Math.max(Math.floor((this.#labelled ? withLabels : width / size) * scale), 1)
    const side = this.#side * size
    this.canvas.width = side + (this.#labelled ? labelWidth * scale : 0)
    this.canvas.height = side
    this.canvas.style.width = `${this.canvas.width / scale}px`
    if (picture) this.#paint(picture, size)
    this.mark({})
  }

  /** Draws a row and a column of the picture out of the rest. */
  mark({ row, column }: Partial<Cell>): void {
    const context = this.#context
    context.clearRect(0, 0, this.canvas.width, this.canvas.height)
    if (!this.#picture) return
    const side = this.#side
    const width = side * this.#picture.labels.length
    context.imageSmoothingEnabled = false
    context.drawImage(this.#pixels, 0, 0, width, width)
    if (this.#labelled) this.#label(row, column)
    const line = Math.max(Math.round(devicePixelRatio), 1)
    context.strokeStyle = getComputedStyle(this.canvas).color
    context.lineWidth = line
    const outline = (x: number, y: number, columns: number, rows: number) => {
      const inside = (cells: number) => Math.max(cells * side - line, line)
      context.strokeRect(x * side + line / 2, y * side + line / 2, inside(columns), inside(rows))
    }
    if (row === undefined) return
    outline(0, row, row + 1, 1)
    if (column !== undefined) outline(column, column, 1, row - column + 1)
  }

  /** The cell under a pointer; nothing beyond the diagonal. */
  cellAt({ clientX, clientY }: { clientX: number, clientY: number }): Cell | undefined {
    if (!this.#picture) return undefined
    const { left, top, width } = this.canvas.getBoundingClientRect()
    const scale = this.canvas.width / width / this.#side
    const column = Math.floor((clientX - left) * scale)
    const row = Math.floor((clientY - top) * scale)
    return column >= 0 && column <= row && row < this.#picture.labels.length ? { row, column } : undefined
  }

  #paint({ weights }: Picture, size: number): void {
    this.#pixels.width = this.#pixels.height = size
    const context = this.#pixels.getContext('2d')!
    const image = context.createImageData(size, size)
    const ramp = readRamp()
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        const index = row * size + column
        image.data.set([...colourOf(ramp, weights[index]!), 255], index * 4)
      }
    }
    context.putImageData(image, 0, 0)
  }

  /** Beyond the diagonal nothing can be attended to: each row's token is written there. */
  #label(row?: number, column?: number): void {
    const context = this.#context
    const { fontFamily, color } = getComputedStyle(this.canvas)
    const height = Math.min(this.#side * 0.72, 13 * devicePixelRatio)
    context.textBaseline = 'middle'
    context.fillStyle = color
    this.#picture!.labels.forEach((label, index) => {
      const marked = index === row || index === column
      context.font = `${marked ? 'bold ' : ''}${height}px ${fontFamily}`
      context.globalAlpha = marked || row === undefined ? 1 : 0.6
      context.fillText(visible(label), (index + 1) * this.#side + height / 2, (index + 0.5) * this.#side)
    })
    context.globalAlpha = 1
  }
}
