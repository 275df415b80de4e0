// The heat map on the page: as wide as there is room, and read by pointer and by key.
import { byId } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import { percent, quoted } from '../support/format.js'
import { type Gaze, lookAway, nowhere, pointAtCell } from './gaze.js'
import { type Cell, HeatMap, type Picture } from './heat-map.js'
import { watchTheme } from './scale.js'

export class MapView {
  readonly #map = new HeatMap(byId('heat-map', HTMLCanvasElement))
  readonly #figure = this.#map.canvas.parentElement!
  readonly #readout = byId('map-readout', HTMLParagraphElement)
  readonly #speech = byId('speech', HTMLParagraphElement)
  readonly #gaze: Observable<Gaze>
  #picture?: Picture

  constructor(gaze: Observable<Gaze>) {
    this.#gaze = gaze
    const { canvas } = this.#map
    new ResizeObserver(() => this.#draw()).observe(this.#figure)
    watchTheme(() => this.#draw())
    const point = (event: PointerEvent) => {
      const cell = this.#map.cellAt(event)
      gaze.value = cell ? pointAtCell(gaze.value, cell.row, cell.column) : lookAway(gaze.value)
    }
    canvas.addEventListener('pointermove', point)
    canvas.addEventListener('pointerdown', point)
    canvas.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') gaze.value = lookAway(gaze.value)
    })
    canvas.addEventListener('click', event => {
      const cell = this.#map.cellAt(event)
      gaze.value = cell ? { pinned: cell.row, subject: cell.row, object: cell.column } : nowhere
    })
    canvas.addEventListener('keydown', event => this.#onKey(event))
    gaze.watch(() => this.#mark())
  }

  /** Says, where it takes long, that a picture is on its way. */
  wait(): void {
    this.#figure.classList.add('waiting')
  }

  show(picture: Picture | undefined): void {
    this.#figure.classList.remove('waiting')
    this.#picture = picture
    this.#draw()
  }

  #draw(): void {
    this.#map.show(this.#picture, this.#figure.clientWidth)
    this.#mark()
  }

  #mark(): void {
    const { subject, object } = this.#gaze.value
    const size = this.#picture?.labels.length ?? 0
    const row = subject !== undefined && subject < size ? subject : undefined
    const column = row !== undefined && object !== undefined && object <= row ? object : undefined
    const known = row !== undefined && column !== undefined
    this.#map.mark({ row, column })
    this.#readout.textContent = known ? this.#describe({ row, column }) : ''
  }

  #describe({ row, column }: Cell): string {
    const { labels, weights } = this.#picture!
    const weight = weights[row * labels.length + column]!
    return `${quoted(labels[row]!)} to ${quoted(labels[column]!)}: ${percent(weight)}`
  }

  #onKey(event: KeyboardEvent): void {
    const size = this.#picture?.labels.length ?? 0
    if (size === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && this.#gaze.value.pinned !== undefined) {
      this.#gaze.value = nowhere
      event.stopPropagation()
      return
    }
    const cell = this.#move(event.key, size)
    if (!cell) return
    event.preventDefault()
    this.#gaze.value = { pinned: cell.row, subject: cell.row, object: cell.column }
    this.#speech.textContent = this.#describe(cell)
  }

  #move(key: string, size: number): Cell | undefined {
    const row = Math.min(this.#gaze.value.subject ?? size - 1, size - 1)
    const column = Math.min(this.#gaze.value.object ?? row, row)
    switch (key) {
      case 'ArrowUp': return { row: Math.max(row - 1, 0), column: Math.min(column, Math.max(row - 1, 0)) }
      case 'ArrowDown': return { row: Math.min(row + 1, size - 1), column }
      case 'ArrowLeft': return { row, column: Math.max(column - 1, 0) }
      case 'ArrowRight': return { row, column: Math.min(column + 1, row) }
      case 'Home': return { row, column: 0 }
      case 'End': return { row, column: row }
      default: return undefined
    }
  }
}
