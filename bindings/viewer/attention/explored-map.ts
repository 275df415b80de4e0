// A heat map of attention that can be explored by pointer and keyboard. All maps share one selection, so they show the same cell.
import { itself, nothing, pointAtCell, pointAway, type Selection } from '../tokens/selection.js'
import { nameOf, percent, quoted } from '../support/format.js'
import type { Observable } from '../support/observable.js'
import { moved } from './arrow-keys.js'
import { type Cell, HeatMap, type Picture } from './heat-map.js'
import type { Head, LayerAttention } from './layer-attention.js'

/** Outputs for the selected cell: a line beside the map, and an announcement for screen readers. */
export interface Outputs {
  readout: HTMLElement
  speech: HTMLElement
}

export class ExploredMap {
  readonly #map: HeatMap
  readonly #outputs: Outputs
  readonly #selection: Observable<Selection>
  #attention?: LayerAttention
  #head: Head = 'mean'
  #shown = Infinity

  /** `probe` resolves the colors. */
  constructor(canvas: HTMLCanvasElement, probe: HTMLElement, outputs: Outputs, selection: Observable<Selection>) {
    this.#map = new HeatMap(canvas, probe)
    this.#outputs = outputs
    this.#selection = selection
    const point = (event: PointerEvent) => {
      const cell = this.#map.cellAt(event)
      selection.value = cell ? pointAtCell(selection.value, ...this.#positions(cell)) : pointAway(selection.value)
    }
    canvas.addEventListener('pointermove', point)
    canvas.addEventListener('pointerdown', point)
    canvas.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') selection.value = pointAway(selection.value)
    })
    canvas.addEventListener('click', event => {
      const cell = this.#map.cellAt(event)
      if (cell) this.#hold(cell)
      else selection.value = nothing
    })
    canvas.addEventListener('keydown', event => this.#onKey(event))
    selection.watch(() => this.#mark())
  }

  /** Shows the rows of the first `shown` tokens of the text, at most `width` CSS pixels wide. Without attention, keeps its size. */
  show(attention: LayerAttention | undefined, head: Head, shown: number, width: number): void {
    this.#attention = attention
    this.#head = head
    this.#shown = shown
    this.#map.show(attention && pictureOf(attention, head, shown), width, this.#cell())
    this.#tell()
  }

  /** The positions of a cell's two tokens in the passage. */
  #positions({ row, column }: Cell): [row: number, column: number] {
    const { place } = this.#attention!
    return [place.row + row, place.column + column]
  }

  #hold(cell: Cell): void {
    const [row, object] = this.#positions(cell)
    this.#selection.value = { pinned: itself(row), subject: itself(row), object }
  }

  /** The selected cell, without its column if the row cannot see it. */
  #cell(): Partial<Cell> {
    const { subject, object } = this.#selection.value
    const row = this.#attention?.rowAt(subject?.row)
    if (row === undefined || object === undefined) return { row }
    const { place, sights } = this.#attention!
    const column = object - place.column
    return column >= sights[row]!.from && column < sights[row]!.to ? { row, column } : { row }
  }

  #mark(): void {
    this.#map.mark(this.#cell())
    this.#tell()
  }

  #tell(): void {
    const { row, column } = this.#cell()
    const known = row !== undefined && column !== undefined
    this.#outputs.readout.textContent = known ? this.#describe({ row, column }) : ''
  }

  #describe({ row, column }: Cell): string {
    const { tokens, keys, columns } = this.#attention!
    const weight = this.#attention!.weights(this.#head)[row * columns + column]!
    return `${quoted(tokens[row]!)} to ${quoted(keys[column]!)}: ${percent(weight)}`
  }

  #onKey(event: KeyboardEvent): void {
    if (!this.#attention || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && this.#selection.value.pinned !== undefined) {
      this.#selection.value = nothing
      event.stopPropagation()
      return
    }
    const cell = this.#move(event.key, this.#attention)
    if (!cell) return
    event.preventDefault()
    this.#hold(cell)
    this.#outputs.speech.textContent = this.#describe(cell)
  }

  #move(key: string, { rows, sights, place }: LayerAttention): Cell | undefined {
    const last = Math.min(rows, this.#shown - place.row) - 1
    const { row = last, column = Infinity } = this.#cell()
    const within = (row: number, column: number): Cell => {
      const { from, to } = sights[row]!
      return { row, column: Math.min(Math.max(column, from), to - 1) }
    }
    return moved(key, within(row, column), last, within)
  }
}

/** The heat map of a head, with the tokens' names and rows for the first `shown` tokens of the text. */
export const pictureOf = (attention: LayerAttention, head: Head, shown = Infinity): Picture => ({
  weights: attention.weights(head),
  rows: attention.tokens.map(nameOf),
  columns: attention.keys.map(nameOf),
  sights: attention.sights,
  shown: shown - attention.place.row,
})
