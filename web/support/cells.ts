// A table of cells, one of which is a Tab stop; arrow keys move from it, and a click selects a cell.
import { make } from './dom.js'

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

/** A cell with this text; `name` is its name for assistive technology. */
export function cell(name: string, text: string): HTMLTableCellElement {
  const made = make('td', { tabIndex: -1, ariaSelected: 'false', ariaLabel: name }, make('span', {}, text))
  made.setAttribute('role', 'gridcell')
  return made
}

export class Cells {
  readonly #place: HTMLTableElement
  readonly #onSelect: (row: number, column: number) => void
  #rows: readonly (readonly HTMLTableCellElement[])[] = []
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
      this.#choose([within(from[0] + step[0], this.#rows.length), within(from[1] + step[1], this.#rows[0]!.length)])
    })
  }

  /** `rows` are made with `cell`. The Tab key enters at the last cell. */
  show(
    corner: string,
    columns: readonly string[],
    rows: readonly { name: string; cells: readonly HTMLTableCellElement[] }[],
  ): void {
    this.#rows = rows.map(({ cells }) => cells)
    this.#current = undefined
    const heads = columns.map(column => make('th', { scope: 'col' }, make('span', {}, column)))
    this.#place.replaceChildren(
      make('thead', {}, make('tr', {}, make('th', { scope: 'col', className: 'corner' }, corner), ...heads)),
      make('tbody', {}, ...rows.map(({ name, cells }) => make('tr', {}, make('th', { scope: 'row' }, name), ...cells))),
    )
    const entry = this.#rows.at(-1)?.at(-1)
    if (entry) entry.tabIndex = 0
  }

  clear(): void {
    this.#rows = []
    this.#place.replaceChildren()
  }

  select(row: number, column: number): void {
    const chosen = this.#rows[row]?.[column]
    if (!chosen) return
    for (const other of [this.#current, this.#rows.at(-1)?.at(-1)]) {
      other?.setAttribute('aria-selected', 'false')
      if (other) other.tabIndex = -1
    }
    this.#current = chosen
    chosen.tabIndex = 0
    chosen.setAttribute('aria-selected', 'true')
    this.#onSelect(row, column)
  }

  /** Scrolls the table, and nothing else, to the selected cell. */
  bringSelected(): void {
    this.#bring(this.#current)
  }

  /** Scrolls the table, and nothing else, to a column. */
  bringColumn(column: number): void {
    this.#bring(this.#rows[0]?.[column])
  }

  #bring(cell: HTMLTableCellElement | undefined): void {
    const { parentElement: frame } = this.#place
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
    const row = this.#rows.findIndex(cells => cells.includes(cell!))
    return cell && row >= 0 ? [row, this.#rows[row]!.indexOf(cell)] : undefined
  }
}
