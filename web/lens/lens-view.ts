// The view of the lens: the grid, the alternatives of the selected cell, and files of both.
import '../styles/lens.css'
import { HeedError, type Model } from 'heed'
import { type Passage, type PassageToken, tokensOf } from 'heed/viewer'
import type { FoldedView } from '../view/folded.js'
import type { Cell } from '../sharing/link.js'
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import { saveFile } from '../support/save.js'
import { csvOf, svgOf } from './files.js'
import { Grid } from './grid.js'
import { firstOf, isRight, nameOfRow, readLens, type LensWindow, stepFrom } from './reading.js'
import { quoted, visible } from '../support/words.js'
import { areSame } from '../support/tokens.js'

export class LensView implements FoldedView<Cell> {
  readonly #status = byId('lens-status', HTMLParagraphElement)
  readonly #shown = byId('lens-shown', HTMLDivElement)
  readonly #title = byId('lens-title', HTMLHeadingElement)
  readonly #bars = byId('lens-alternatives', HTMLOListElement)
  readonly #range = byId('lens-range', HTMLDivElement)
  readonly #earlier = byId('lens-earlier', HTMLButtonElement)
  readonly #later = byId('lens-later', HTMLButtonElement)
  readonly #grid = new Grid(byId('lens-grid', HTMLTableElement), (row, column) => this.#tell(row, column))
  #model?: Model
  #reading?: LensWindow
  #cell?: Cell
  /** The cell to select once the text has been read. */
  #wanted?: Cell
  #stop = new AbortController()

  constructor() {
    this.#earlier.addEventListener('click', () => void this.#step(-1))
    this.#later.addEventListener('click', () => void this.#step(1))
    byId('lens-csv', HTMLButtonElement).addEventListener('click', () => this.#save('csv', 'text/csv', csvOf))
    byId('lens-svg', HTMLButtonElement).addEventListener('click', () =>
      this.#save('svg', 'image/svg+xml', reading => svgOf(reading, this.#shown)),
    )
  }

  /** The cell that is selected. */
  get state(): Cell | undefined {
    return this.#cell
  }

  /** Shows a text, with a cell selected. A text that is already shown is not read again. */
  async show(model: Model, passage: Passage, cell?: Cell): Promise<void> {
    const tokens = tokensOf(passage)
    const isSame = model === this.#model && this.#reading !== undefined && areSame(tokens, this.#reading.tokens)
    this.#wanted = cell ?? this.#wanted
    if (!isSame || (cell && !this.#has(cell))) await this.#read(model, tokens, firstOf(tokens.length, this.#wanted?.position))
    else if (cell) this.#select(cell)
  }

  /** Clears the view after the model has changed. */
  clear(): void {
    this.#stop.abort()
    this.#model = this.#reading = this.#cell = this.#wanted = undefined
    this.#grid.clear()
    this.#shown.hidden = true
  }

  #has({ row, position }: Cell): boolean {
    const reading = this.#reading
    return (
      reading !== undefined && row < reading.layers.length && position >= reading.first && position < reading.first + reading.count
    )
  }

  async #read(model: Model, tokens: readonly PassageToken[], first: number): Promise<void> {
    this.#stop.abort()
    const stop = (this.#stop = new AbortController())
    this.#model = model
    this.#status.textContent = tokens.length > 0 ? 'Reading the layers …' : 'There is no text yet.'
    if (tokens.length === 0) {
      this.clear()
      return
    }
    try {
      const reading = await readLens(model, tokens, first, stop.signal)
      if (stop.signal.aborted) return
      this.#reading = reading
    } catch (error) {
      if (stop.signal.aborted || HeedError.from(error).code === 'disposed') return
      this.#status.textContent = ''
      throw error
    }
    this.#status.textContent = ''
    this.#draw(this.#reading)
  }

  #draw(reading: LensWindow): void {
    const { tokens, first, count, layers } = reading
    this.#shown.hidden = false
    this.#grid.display(reading)
    this.#range.hidden = count === tokens.length
    this.#earlier.disabled = first === 0
    this.#later.disabled = first + count === tokens.length
    byId('lens-tokens', HTMLSpanElement).textContent = `Tokens ${first + 1} to ${first + count} of ${tokens.length}`
    const last = { row: layers.length - 1, position: first + count - 1 }
    this.#select(this.#wanted && this.#has(this.#wanted) ? this.#wanted : last)
    this.#wanted = undefined
  }

  #select({ row, position }: Cell): void {
    this.#grid.select(row, position - this.#reading!.first)
    this.#grid.bringSelected()
  }

  async #step(step: -1 | 1): Promise<void> {
    const reading = this.#reading
    const model = this.#model
    if (!reading || !model) return
    const hadFocus = this.#range.contains(document.activeElement)
    try {
      await this.#read(model, reading.tokens, stepFrom(reading, step))
    } catch (error) {
      if (model === this.#model) notify(explain('The model', error), byId('lens', HTMLDetailsElement))
    }
    // The last step disables its own button, which would lose the focus.
    const [button, other] = step < 0 ? [this.#earlier, this.#later] : [this.#later, this.#earlier]
    if (button.disabled && hadFocus) other.focus()
  }

  /** Shows the alternatives in a cell. */
  #tell(row: number, column: number): void {
    const reading = this.#reading!
    const position = reading.first + column
    this.#cell = { row, position }
    this.#title.textContent = `${nameOfRow(row)}, after ${quoted(reading.tokens[position]!)}`
    this.#bars.replaceChildren(
      ...reading.layers[row]![column]!.top.map(token => {
        const item = make(
          'li',
          { className: isRight(reading, column, token.id) ? 'right' : '' },
          make('span', { className: 'bar-text' }, visible(token)),
          make('span', { className: 'bar-share' }, percent(Math.exp(token.logprob))),
        )
        item.style.setProperty('--share', Math.exp(token.logprob).toFixed(4))
        return item
      }),
    )
  }

  #save(extension: string, type: string, textOf: (reading: LensWindow) => string): void {
    if (!this.#reading) return
    saveFile(`lens.${extension}`, type, textOf(this.#reading))
  }
}
