// One token across all layers: a row for each layer, a column for each token that it attends to.
import { moved } from '../attention/arrow-keys.js'
import { type HeadChoice, nameOfHead } from '../attention/head-choice.js'
import { type Cell, HeatMap, type Picture } from '../attention/heat-map.js'
import type { Head, LayerAttention } from '../attention/layer-attention.js'
import { isUnwanted } from '../attention/reader.js'
import type { TitledMap } from '../exports/drawing.js'
import { saveButtons } from '../exports/save.js'
import type { Parts } from '../frame/parts.js'
import { pointAway, type Subject } from '../tokens/selection.js'
import { describe, make } from '../support/dom.js'
import { nameOf, percent, quoted } from '../support/format.js'
import type { TextInspector } from '../text/inspector.js'
import type { Panel } from './panels.js'

export class AcrossLayers implements Panel {
  readonly place: HTMLDetailsElement
  readonly #choice: HeadChoice
  readonly #text: TextInspector
  readonly #onError: (error: unknown) => void
  readonly #speech: HTMLElement
  readonly #title = make('h3')
  readonly #hint = make('p', { className: 'hint' }, 'Select a token of the text to follow it through the layers.')
  readonly #readout = make('p', { id: 'layers-readout', className: 'small-readout', ariaHidden: 'true' })
  readonly #canvas = make('canvas', {
    id: 'layers-map',
    tabIndex: 0,
    role: 'application',
    ariaLabel: 'What a token looks at in each layer',
  })
  readonly #body = make('div', { className: 'layers-map' }, this.#canvas, this.#readout)
  readonly #map: HeatMap
  #layers: readonly LayerAttention[] = []
  /** The cell that the last key led to. */
  #reached?: Cell
  #call = new AbortController()

  constructor(parts: Parts, choice: HeadChoice, text: TextInspector, onError: (error: unknown) => void) {
    this.place = parts.attention.acrossLayers
    this.#choice = choice
    this.#text = text
    this.#onError = onError
    this.#speech = parts.speech
    this.#map = new HeatMap(this.#canvas, parts.probe)
    const note = make(
      'p',
      { id: 'layers-note', className: 'note' },
      'A row for each layer, from the first, and a column for each token that it looked at, by the head or mean chosen above. ' +
        'The outlined layer is the one above: click a row, or use the arrow keys, for another.',
    )
    this.#body.append(saveButtons(parts, 'save-layers', () => this.#maps(), onError))
    describe(this.#canvas, { 'aria-roledescription': 'heat map', 'aria-describedby': 'layers-note' })
    this.place.append(make('summary', {}, 'One token across all layers'), note, this.#hint, this.#title, this.#body)
    new ResizeObserver(() => this.#draw()).observe(this.#body)
    text.selection.watch(() => this.#draw())
    choice.head.watch(() => this.#draw())
    choice.layer.watch(() => this.#mark())
    this.#canvas.addEventListener('pointermove', event => this.#point(this.#map.cellAt(event)))
    this.#canvas.addEventListener('pointerleave', () => this.#point(undefined))
    this.#canvas.addEventListener('click', event => {
      const cell = this.#map.cellAt(event)
      if (cell) this.#choice.layer.value = cell.row
    })
    this.#canvas.addEventListener('keydown', event => this.#onKey(event))
  }

  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    this.place.hidden = this.#choice.heads === 0 || !this.#text.model
    this.#layers = []
    if (!this.place.open || this.place.hidden) return
    const layers: LayerAttention[] = []
    try {
      for (let layer = 0; layer < this.#choice.layers; layer++) {
        const attention = await this.#text.read(layer, signal)
        if (!attention || signal.aborted) return this.#draw()
        layers.push(attention)
      }
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
      return
    }
    this.#layers = layers
    this.#draw()
  }

  /** The row of the selected token in the layers that have been read, and its subject. */
  get #subject(): { subject: Subject; row: number } | undefined {
    const { subject } = this.#text.selection.value
    const row = this.#layers[0]?.rowAt(subject?.row)
    return row === undefined ? undefined : { subject: subject!, row }
  }

  /** The maps that are shown, with titles, for files. */
  #maps(): TitledMap[] {
    const shown = this.#subject
    const head = this.#choice.head.value
    return shown
      ? [
          {
            title: `What ${quoted(this.#layers[0]!.tokens[shown.row]!)} looks at in each layer, ${nameOfHead(head)}`,
            picture: pictureOf(this.#layers, shown.row, head),
          },
        ]
      : []
  }

  #draw(): void {
    if (!this.place.open) return
    const shown = this.#subject
    this.#hint.hidden = shown !== undefined || this.#layers.length === 0
    this.#body.hidden = this.#title.hidden = !shown
    if (!shown) return
    const { tokens } = this.#layers[0]!
    const name = quoted(tokens[shown.row]!)
    this.#title.textContent = `What ${name} looks at in each layer`
    this.#canvas.ariaLabel = `What ${name} looks at in each layer; arrow keys move over it`
    this.#map.show(pictureOf(this.#layers, shown.row, this.#choice.head.value), this.#body.clientWidth)
    this.#mark()
  }

  /** Outlines the layer shown above, and the token under the pointer. */
  #mark(): void {
    const shown = this.#subject
    if (!shown || !this.place.open) return
    const row = this.#choice.layer.value
    const { object } = this.#text.selection.value
    const column = object === undefined ? undefined : object - this.#layers[row]!.place.column
    const { from, to } = this.#layers[row]!.sights[shown.row]!
    const known = column !== undefined && column >= from && column < to
    this.#map.mark(known ? { row, column } : { row })
    this.#readout.textContent = known ? this.#describe({ row, column }) : ''
  }

  /** Selects the token of a cell as the one whose share is shown; without a cell, clears that selection. */
  #point(cell: Cell | undefined): void {
    const { selection } = this.#text
    const { pinned, subject } = selection.value
    selection.value = cell
      ? { pinned, subject, object: this.#layers[cell.row]!.place.column + cell.column }
      : pointAway(selection.value)
    if (cell) this.#readout.textContent = this.#describe(cell)
  }

  #describe({ row, column }: Cell): string {
    const { keys, columns } = this.#layers[row]!
    const weight = this.#layers[row]!.weights(this.#choice.head.value)[this.#subject!.row * columns + column]!
    return `Layer ${row + 1}, to ${quoted(keys[column]!)}: ${percent(weight)}`
  }

  #onKey(event: KeyboardEvent): void {
    const shown = this.#subject
    if (!shown || event.ctrlKey || event.metaKey || event.altKey) return
    const cell = this.#move(event.key, shown.row)
    if (!cell) return
    event.preventDefault()
    this.#choice.layer.value = cell.row
    const { pinned, subject } = this.#text.selection.value
    this.#text.selection.value = { pinned: pinned ?? subject, subject, object: this.#layers[cell.row]!.place.column + cell.column }
    this.#reached = cell
    // Waits until that layer is shown above, with its description of the token's attention. Several waits may end out of order.
    this.#text.settle().then(() => {
      if (this.#reached === cell) this.#speech.textContent = this.#describe(cell)
    })
  }

  #move(key: string, of: number): Cell | undefined {
    const row = this.#choice.layer.value
    const { object } = this.#text.selection.value
    const column = object === undefined ? Infinity : object - this.#layers[row]!.place.column
    const within = (row: number, column: number): Cell => {
      const { from, to } = this.#layers[row]!.sights[of]!
      return { row, column: Math.min(Math.max(column, from), Math.max(to - 1, from)) }
    }
    return moved(key, within(row, column), this.#layers.length - 1, within)
  }
}

/** One token's row in each layer, by a head. Rows of layers without attention are empty. */
function pictureOf(layers: readonly LayerAttention[], row: number, head: Head): Picture {
  const { columns, keys } = layers[0]!
  const seen = layers.reduce((most, { sights }) => Math.max(most, sights[row]!.to), 1)
  const weights = new Float32Array(layers.length * seen)
  layers.forEach((layer, at) => weights.set(layer.weights(head).subarray(row * columns, row * columns + seen), at * seen))
  return {
    weights,
    rows: layers.map((_, layer) => `${layer + 1}`),
    columns: keys.slice(0, seen).map(nameOf),
    sights: layers.map(layer => layer.sights[row]!),
    shown: layers.length,
  }
}
