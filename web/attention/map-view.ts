// The heat map on the page: as wide as there is room, and read by pointer and by key.
import { byId } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import { percent, quoted } from '../support/format.js'
import { type Gaze, lookAway, nowhere, pointAtCell } from './gaze.js'
import { type Cell, HeatMap } from './heat-map.js'
import type { Head, LayerAttention } from './layer.js'
import { watchTheme } from './scale.js'

export class MapView {
  readonly #map = new HeatMap(byId('heat-map', HTMLCanvasElement))
  readonly #figure = this.#map.canvas.parentElement!
  readonly #readout = byId('map-readout', HTMLParagraphElement)
  readonly #speech = byId('speech', HTMLParagraphElement)
  readonly #gaze: Observable<Gaze>
  #attention?: LayerAttention
  #head: Head = 'mean'

  constructor(gaze: Observable<Gaze>) {
    this.#gaze = gaze
    const { canvas } = this.#map
    new ResizeObserver(() => this.#draw()).observe(this.#figure)
    watchTheme(() => this.#draw())
    const point = (event: PointerEvent) => {
      const cell = this.#map.cellAt(event)
      gaze.value = cell ? pointAtCell(gaze.value, ...this.#positions(cell)) : lookAway(gaze.value)
    }
    canvas.addEventListener('pointermove', point)
    canvas.addEventListener('pointerdown', point)
    canvas.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') gaze.value = lookAway(gaze.value)
    })
    canvas.addEventListener('click', event => {
      const cell = this.#map.cellAt(event)
      if (cell) this.#hold(cell)
      else gaze.value = nowhere
    })
    canvas.addEventListener('keydown', event => this.#onKey(event))
    gaze.watch(() => this.#mark())
  }

  /** Says, where it takes long, that a picture is on its way. */
  wait(): void {
    this.#figure.classList.add('waiting')
  }

  show(attention: LayerAttention | undefined, head: Head): void {
    this.#figure.classList.remove('waiting')
    this.#map.canvas.hidden = attention?.attends === false
    byId('map-empty', HTMLParagraphElement).hidden = !this.#map.canvas.hidden
    this.#attention = attention?.attends ? attention : undefined
    this.#head = head
    this.#draw()
  }

  #draw(): void {
    const attention = this.#attention
    this.#map.show(attention && {
      weights: attention.weights(this.#head),
      rows: attention.tokens.map(token => token.text),
      columns: attention.keys.map(token => token.text),
      sights: attention.sights,
    }, this.#figure.clientWidth)
    this.#mark()
  }

  /** Where in the passage the tokens of a cell are. */
  #positions({ row, column }: Cell): [subject: number, object: number] {
    const { place } = this.#attention!
    return [place.row + row, place.column + column]
  }

  #hold(cell: Cell): void {
    const [subject, object] = this.#positions(cell)
    this.#gaze.value = { pinned: subject, subject, object }
  }

  /** The cell that is looked at, as far as its row sees. */
  #cell(): Partial<Cell> {
    const { subject, object } = this.#gaze.value
    const row = this.#attention?.rowAt(subject)
    if (row === undefined || object === undefined) return { row }
    const { place, sights } = this.#attention!
    const column = object - place.column
    return column >= sights[row]!.from && column < sights[row]!.to ? { row, column } : { row }
  }

  #mark(): void {
    const { row, column } = this.#cell()
    const known = row !== undefined && column !== undefined
    this.#map.mark({ row, column })
    this.#readout.textContent = known ? this.#describe({ row, column }) : ''
  }

  #describe({ row, column }: Cell): string {
    const { tokens, keys, columns } = this.#attention!
    const weight = this.#attention!.weights(this.#head)[row * columns + column]!
    return `${quoted(tokens[row]!.text)} to ${quoted(keys[column]!.text)}: ${percent(weight)}`
  }

  #onKey(event: KeyboardEvent): void {
    if (!this.#attention || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && this.#gaze.value.pinned !== undefined) {
      this.#gaze.value = nowhere
      event.stopPropagation()
      return
    }
    const cell = this.#move(event.key, this.#attention)
    if (!cell) return
    event.preventDefault()
    this.#hold(cell)
    this.#speech.textContent = this.#describe(cell)
  }

  #move(key: string, { rows, sights }: LayerAttention): Cell | undefined {
    const { row = rows - 1, column = Infinity } = this.#cell()
    const within = (row: number, column: number): Cell => {
      const { from, to } = sights[row]!
      return { row, column: Math.min(Math.max(column, from), to - 1) }
    }
    const from = within(row, column)
    switch (key) {
      case 'ArrowUp': return within(Math.max(row - 1, 0), from.column)
      case 'ArrowDown': return within(Math.min(row + 1, rows - 1), from.column)
      case 'ArrowLeft': return within(row, from.column - 1)
      case 'ArrowRight': return within(row, from.column + 1)
      case 'Home': return within(row, 0)
      case 'End': return within(row, Infinity)
      default: return undefined
    }
  }
}
