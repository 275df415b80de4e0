// Two heat maps of a recurrent layer, with a row per head and a column per token: what is forgotten, and what is written.
import { nameOfHead } from '../attention/head-choice.js'
import { type Cell, HeatMap, type Picture } from '../attention/heat-map.js'
import { saveButtons } from '../exports/save.js'
import type { Parts } from '../frame/parts.js'
import { itself, nothing, pin, pointAt, pointAway, type Selection } from '../tokens/selection.js'
import { nameOf, percent, quoted } from '../support/format.js'
import type { Observable } from '../support/observable.js'
import type { LayerGates } from '../attention/layer-gates.js'

export class GatesView {
  readonly #parts: Parts
  readonly #maps: Record<'forgets' | 'writes', HeatMap>
  #gates?: LayerGates

  constructor(parts: Parts, selection: Observable<Selection>, onError: (error: unknown) => void) {
    this.#parts = parts
    const { place, forgets, writes } = parts.gates
    this.#maps = { forgets: new HeatMap(forgets, parts.probe), writes: new HeatMap(writes, parts.probe) }
    new ResizeObserver(() => this.draw()).observe(place)
    place.append(
      saveButtons(
        parts,
        'save-gates',
        () =>
          (['forgets', 'writes'] as const).map(kind => ({
            title: `What each head ${kind} at each token`,
            picture: this.#pictureOf(kind),
          })),
        onError,
      ),
    )
    for (const kind of ['forgets', 'writes'] as const) {
      const map = this.#maps[kind]
      map.canvas.addEventListener('pointermove', event => {
        const cell = map.cellAt(event)
        parts.gates.readout.textContent = cell ? this.#describe(kind, cell) : ''
        selection.value = cell ? pointAt(selection.value, itself(cell.column)) : pointAway(selection.value)
      })
      map.canvas.addEventListener('pointerleave', () => {
        parts.gates.readout.textContent = ''
        selection.value = pointAway(selection.value)
      })
      map.canvas.addEventListener('click', event => {
        const cell = map.cellAt(event)
        selection.value = cell ? pin(itself(cell.column)) : nothing
      })
    }
  }

  show(gates: LayerGates | undefined): void {
    this.#gates = gates
    const { place, steps } = this.#parts.gates
    place.hidden = !gates
    if (!gates) return
    steps.textContent = gates.strongest > 1 ? ` The strongest is a time step of ${gates.strongest.toPrecision(3)}.` : ''
    this.draw()
  }

  draw(): void {
    if (!this.#gates) return
    for (const kind of ['forgets', 'writes'] as const)
      this.#maps[kind].show(this.#pictureOf(kind), this.#parts.gates.place.clientWidth)
  }

  #pictureOf(kind: 'forgets' | 'writes'): Picture {
    const { tokens, [kind]: weights } = this.#gates!
    const columns = tokens.map(nameOf)
    const rows = Array.from({ length: this.#gates!.rows }, (_, row) => this.#nameOf(row))
    return { weights, rows, columns, sights: rows.map(() => ({ from: 0, to: columns.length })), shown: rows.length }
  }

  #nameOf(row: number): string {
    const [first, end] = this.#gates!.headsOf(row)
    return end - first > 1 ? `heads ${first + 1}–${end}` : nameOfHead(first)
  }

  #describe(kind: 'forgets' | 'writes', { row, column }: Cell): string {
    const { tokens, strongest } = this.#gates!
    const value = this.#gates![kind][row * tokens.length + column]!
    const share = kind === 'writes' && strongest > 1 ? (value * strongest).toPrecision(3) : percent(value)
    const at = quoted(tokens[column]!)
    const [first, end] = this.#gates!.headsOf(row)
    if (end - first > 1) return `On average, heads ${first + 1} to ${end} ${kind.slice(0, -1)} ${share} at ${at}`
    return `Head ${first + 1} ${kind} ${share} at ${at}`
  }
}
