// The grid of the lens: layers by tokens. One cell is a Tab stop; arrow keys move from it.
import type { LensPrediction } from 'heed'
import { make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { isRight, nameOfRow, type LensWindow } from './reading.js'
import { quoted, visible } from '../support/words.js'

/** Number of alternatives to announce to screen readers. */
const mostSpoken = 3

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
}

export class Grid {
  readonly #place: HTMLTableElement
  readonly #onSelect: (row: number, column: number) => void
  #cells: HTMLTableCellElement[][] = []
  #current?: HTMLTableCellElement

  /** `onSelect` is called with a cell that the user chooses, or that is passed to `select`. */
  constructor(place: HTMLTableElement, onSelect: (row: number, column: number) => void) {
    this.#place = place
    this.#onSelect = onSelect
    place.addEventListener('click', ({ target }) => this.#choose(this.#placeOf(target)))
    place.addEventListener('keydown', event => {
      const step = steps[event.key]
      const from = this.#placeOf(event.target)
      if (!step || !from || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))
      this.#choose([within(from[0] + step[0], this.#cells.length), within(from[1] + step[1], this.#cells[0]!.length)])
    })
  }

  show(reading: LensWindow): void {
    const { tokens, first, count, layers } = reading
    const heads = tokens.slice(first, first + count).map(token => make('th', { scope: 'col' }, make('span', {}, visible(token))))
    this.#cells = layers.map((predictions, row) =>
      predictions.map((prediction, column) => cellOf(reading, row, column, prediction)),
    )
    this.#current = undefined
    this.#place.replaceChildren(
      make('thead', {}, make('tr', {}, make('th', { scope: 'col', className: 'corner' }, 'After'), ...heads)),
      make('tbody', {}, ...this.#cells.map((cells, row) => make('tr', {}, make('th', { scope: 'row' }, nameOfRow(row)), ...cells))),
    )
    const entry = this.#cells.at(-1)?.at(-1)
    if (entry) entry.tabIndex = 0
  }

  clear(): void {
    this.#cells = []
    this.#place.replaceChildren()
  }

  select(row: number, column: number): void {
    const cell = this.#cells[row]?.[column]
    if (!cell) return
    for (const other of [this.#current, this.#cells.at(-1)?.at(-1)]) {
      other?.setAttribute('aria-selected', 'false')
      if (other) other.tabIndex = -1
    }
    this.#current = cell
    cell.tabIndex = 0
    cell.setAttribute('aria-selected', 'true')
    this.#onSelect(row, column)
  }

  /** Scrolls the grid, and nothing else, to the selected cell. */
  bringSelected(): void {
    const { parentElement: frame } = this.#place
    const cell = this.#current
    if (frame && cell) frame.scrollLeft = cell.offsetLeft - (frame.clientWidth - cell.offsetWidth) / 2
  }

  #choose(place: readonly [number, number] | undefined): void {
    if (!place) return
    this.select(...place)
    this.#current?.focus()
    this.#current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }) // focus() ignores cells that are partly visible
  }

  #placeOf(target: EventTarget | null): [row: number, column: number] | undefined {
    const cell = target instanceof Element ? target.closest('td') : null
    const row = this.#cells.findIndex(cells => cells.includes(cell!))
    return cell && row >= 0 ? [row, this.#cells[row]!.indexOf(cell)] : undefined
  }
}

function cellOf(reading: LensWindow, row: number, column: number, { top }: LensPrediction): HTMLTableCellElement {
  const [best] = top
  const after = reading.tokens[reading.first + column]!
  const said = top
    .slice(0, mostSpoken)
    .map(token => `${quoted(token)} ${percent(Math.exp(token.logprob))}`)
    .join(', ')
  const cell = make(
    'td',
    { tabIndex: -1, ariaSelected: 'false', ariaLabel: `${nameOfRow(row)} after ${quoted(after)}: ${said}` },
    make('span', {}, best ? visible(best) : ''),
  )
  cell.setAttribute('role', 'gridcell')
  cell.classList.toggle('right', isRight(reading, column, best?.id))
  cell.style.setProperty('--probability', Math.exp(best?.logprob ?? -Infinity).toFixed(3))
  return cell
}
