// Two sentences, compared by an encoder: the similarity of each token of one, in context, to each token of the other, and of the
// sentences as wholes.
import type { Model } from 'heed'
import { type Cell, HeatMap, type Picture } from '../attention/heat-map.js'
import { isUnwanted } from '../attention/reader.js'
import { saveButtons } from '../exports/save.js'
import type { Parts } from '../frame/parts.js'
import { describe, make } from '../support/dom.js'
import { decimal, nameOf, quoted } from '../support/format.js'
import type { TextInspector } from '../text/inspector.js'
import { type PassageToken, tokensOf } from '../tokens/passage.js'
import { tokenizePassage } from '../tokens/tokenize-passage.js'
import type { Panel } from './panels.js'

/** Tokens of the text shown (rows) and of the other one (columns), and the cosines of their vectors. */
interface Compared {
  readonly rows: readonly PassageToken[]
  readonly columns: readonly PassageToken[]
  readonly cosines: Float32Array
}

export class TwoSentences implements Panel {
  readonly place: HTMLDetailsElement
  readonly #text: TextInspector
  readonly #onError: (error: unknown) => void
  readonly #speech: HTMLElement
  readonly #input = make('input', { id: 'other-sentence', type: 'text', dir: 'auto', autocomplete: 'off' })
  readonly #whole = make('p', { id: 'sentence-similarity', ariaLive: 'polite' })
  readonly #canvas = make('canvas', { id: 'similarity-map', tabIndex: 0, role: 'application' })
  readonly #readout = make('p', { className: 'small-readout', ariaHidden: 'true' })
  readonly #body = make('div', { className: 'layers-map', hidden: true }, this.#canvas, this.#readout)
  readonly #map: HeatMap
  #compared?: Compared
  #cell?: Cell
  #call = new AbortController()

  constructor(parts: Parts, text: TextInspector, onError: (error: unknown) => void) {
    this.place = parts.attention.twoSentences
    this.#text = text
    this.#onError = onError
    this.#speech = parts.speech
    this.#map = new HeatMap(this.#canvas, parts.probe)
    const note = make(
      'p',
      { id: 'sentences-note', className: 'note' },
      'A row for each token of the text above, a column for each of the other sentence: the color is the cosine of their vectors, from 0 on. ' +
        'That two are similar does not mean that they say the same.',
    )
    const form = make(
      'form',
      { className: 'sentence' },
      make('label', { htmlFor: 'other-sentence' }, 'Compare with'),
      this.#input,
      make('button', { type: 'submit' }, 'Compare'),
    )
    form.addEventListener('submit', event => {
      event.preventDefault()
      this.refresh()
    })
    this.#body.append(
      saveButtons(
        parts,
        'save-similarity',
        () => (this.#compared ? [{ title: 'Similarity of tokens of two sentences', picture: pictureOf(this.#compared) }] : []),
        onError,
      ),
    )
    describe(this.#canvas, {
      'aria-roledescription': 'heat map',
      'aria-label': 'Similarity of the tokens of both sentences; arrow keys move over it',
      'aria-describedby': 'sentences-note',
    })
    this.place.append(make('summary', {}, 'Two sentences compared'), note, form, this.#whole, this.#body)
    new ResizeObserver(() => this.#draw()).observe(this.#body)
    this.#canvas.addEventListener('pointermove', event => this.#mark(this.#map.cellAt(event)))
    this.#canvas.addEventListener('pointerleave', () => this.#mark(undefined))
    this.#canvas.addEventListener('keydown', event => this.#onKey(event))
  }

  /** The text to compare with. */
  get sentence(): string {
    return this.#input.value
  }

  set sentence(sentence: string) {
    if (sentence === this.#input.value) return
    this.#input.value = sentence
    this.refresh()
  }

  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    const { model } = this.#text
    this.place.hidden = !model?.info.embeds || model.info.generates
    this.#compared = undefined
    this.#cell = undefined
    this.#body.hidden = true
    this.#whole.textContent = ''
    const rows = tokensOf(this.#text.passage),
      other = this.#input.value.trim()
    if (!this.place.open || this.place.hidden || rows.length === 0 || other === '') return
    try {
      const { promptTokens: columns = [] } = await tokenizePassage(model!, { prompt: other, written: [] })
      const { cosines, whole } = await compare(model!, rows, columns, signal)
      if (signal.aborted) return
      this.#compared = { rows, columns, cosines }
      this.#whole.textContent = `As a whole, the sentences are similar by ${decimal(whole)} (1: the same direction; 0: nothing in common).`
      this.#body.hidden = false
      this.#draw()
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  #draw(): void {
    if (this.#compared && this.place.open) this.#map.show(pictureOf(this.#compared), this.#body.clientWidth)
  }

  #mark(cell: Cell | undefined): void {
    this.#cell = cell
    this.#map.mark(cell ?? {})
    this.#readout.textContent = cell ? this.#describe(cell) : ''
  }

  #describe({ row, column }: Cell): string {
    const { rows, columns, cosines } = this.#compared!
    return `${quoted(rows[row]!)} and ${quoted(columns[column]!)}: ${decimal(cosines[row * columns.length + column]!)}`
  }

  #onKey(event: KeyboardEvent): void {
    const steps: Record<string, [down: number, right: number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    }
    const step = steps[event.key]
    if (!step || !this.#compared || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const { rows, columns } = this.#compared
    const within = (at: number, count: number) => Math.min(Math.max(at, 0), count - 1)
    const from = this.#cell
    this.#mark(
      from
        ? { row: within(from.row + step[0], rows.length), column: within(from.column + step[1], columns.length) }
        : { row: 0, column: 0 },
    )
    this.#speech.textContent = this.#describe(this.#cell!)
  }
}

const pictureOf = ({ rows, columns, cosines }: Compared): Picture => ({
  weights: cosines,
  rows: rows.map(nameOf),
  columns: columns.map(nameOf),
  sights: rows.map(() => ({ from: 0, to: columns.length })),
  shown: rows.length,
})

/** The cosines of the vectors of all tokens, and of the two texts' vectors, by the model's own pooling. */
async function compare(
  model: Model,
  rows: readonly PassageToken[],
  columns: readonly PassageToken[],
  signal: AbortSignal,
): Promise<{ cosines: Float32Array; whole: number }> {
  const texts = [rows, columns].map(tokens => tokens.map(({ id }) => id))
  const [of, others] = await model.embed(texts, { pooling: 'none', signal })
  const [one, other] = await model.embed(texts, { signal })
  const width = of!.length / rows.length
  const vector = (all: Float32Array, index: number) => all.subarray(index * width, (index + 1) * width)
  const cosines = new Float32Array(rows.length * columns.length)
  rows.forEach((_, row) =>
    columns.forEach((__, column) => {
      cosines[row * columns.length + column] = cosine(vector(of!, row), vector(others!, column))
    }),
  )
  return { cosines, whole: cosine(one!, other!) }
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  const lengths = Math.sqrt(dot(one, one) * dot(other, other))
  return lengths === 0 ? 0 : dot(one, other) / lengths
}
