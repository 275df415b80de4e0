// The table of a sweep, which is drawn at once and filled as values come.
import { Cells, cell } from '../support/cells.js'

const twoPlaces = (share: number) => (Math.abs(share) < 0.005 ? '0' : share.toFixed(2).replace('-', '−'))

export class HeatMap extends Cells {
  #cells: HTMLTableCellElement[][] = []
  #names: { rows: readonly string[]; columns: readonly string[] } = { rows: [], columns: [] }

  #absent = ''

  /** Empty cells; `absent` says why one of them will have no value. */
  begin(corner: string, rows: readonly string[], columns: readonly string[], absent: string): void {
    this.#names = { rows, columns }
    this.#absent = absent
    this.#cells = rows.map(row => columns.map(column => cell(`${row}, ${column}: not computed yet`, '')))
    this.show(
      corner,
      columns.map(name => name.replace(/^“|”$/g, '')),
      rows.map((name, row) => ({ name, cells: this.#cells[row]! })),
    )
  }

  /** Fills a cell; a share of NaN marks it as absent. */
  fill(row: number, column: number, share: number): void {
    const filled = this.#cells[row]![column]!
    const said = Number.isNaN(share) ? this.#absent : `${twoPlaces(share)} restored`
    filled.ariaLabel = `${this.#names.rows[row]}, ${this.#names.columns[column]}: ${said}`
    filled.firstElementChild!.textContent = Number.isNaN(share) ? '–' : twoPlaces(share)
    filled.classList.toggle('against', share < -0.005)
    filled.style.setProperty('--probability', Math.min(1, Math.abs(Number.isNaN(share) ? 0 : share)).toFixed(3))
  }
}
