// The computation of one weight: the query, the key, and each step from their product to the weight, in numbers and as a drawing.
import type { AttentionParts } from 'heed'
import { type HeadChoice, nameOfHead } from '../attention/head-choice.js'
import { isUnwanted } from '../attention/reader.js'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { decimal, nameOf, percent, quoted } from '../support/format.js'
import type { TextInspector } from '../text/inspector.js'
import type { Panel } from './panels.js'
import { drawProduct } from './product-drawing.js'

/** The query that is shown, by its row in the passage and its head. */
interface Shown {
  readonly row: number
  readonly parts: AttentionParts
}

export class InsideWeight implements Panel {
  readonly place: HTMLDetailsElement
  readonly #choice: HeadChoice
  readonly #text: TextInspector
  readonly #onError: (error: unknown) => void
  readonly #hint = make('p', { className: 'hint' })
  readonly #title = make('h3')
  readonly #drawing = make('div', { className: 'product' })
  readonly #steps = make('ol', { id: 'weight-steps', className: 'weight-steps' })
  readonly #rows = make('tbody')
  readonly #scroller: HTMLElement
  readonly #body: HTMLElement
  #shown?: Shown
  /** The column of the last key under the pointer, as long as the query stays the same. */
  #object?: number
  #call = new AbortController()

  constructor(parts: Parts, choice: HeadChoice, text: TextInspector, onError: (error: unknown) => void) {
    this.place = parts.attention.insideWeight
    this.#choice = choice
    this.#text = text
    this.#onError = onError
    const note = make(
      'p',
      { className: 'note' },
      'How a square of the map comes about, in the head chosen above: the query of the selected token is compared with the key of each ' +
        'token that it sees, and softmax makes weights of the scores.',
    )
    const names = ['Token', 'q · k', 'Score', 'Power', 'Weight'].map(name => make('th', { scope: 'col' }, name))
    const table = make(
      'table',
      {},
      make('caption', { className: 'visually-hidden' }, 'All tokens that it sees'),
      make('thead', {}, make('tr', {}, ...names)),
      this.#rows,
    )
    this.#scroller = make(
      'div',
      { className: 'scores', tabIndex: 0, role: 'region', ariaLabel: 'Scores and weights of all tokens that it sees' },
      table,
    )
    this.#body = make('div', {}, this.#title, this.#drawing, this.#steps, this.#scroller)
    this.place.append(make('summary', {}, 'Inside this weight'), note, this.#hint, this.#body)
    new ResizeObserver(() => this.#draw()).observe(this.#drawing)
    text.selection.watch(() => this.#follow())
    choice.head.watch(() => this.refresh())
    choice.layer.watch(() => this.refresh())
  }

  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    this.place.hidden = this.#choice.heads === 0 || !this.#text.model || this.#text.passage.parts !== undefined
    if (!this.place.open || this.place.hidden) {
      this.#shown = undefined
      return
    }
    const { pinned } = this.#text.selection.value
    const [layer, head] = [this.#choice.layer.value, this.#choice.head.value]
    if (!pinned || head === 'mean')
      return this.#ask(
        !pinned
          ? 'Select a token of the text, or a square of the map.'
          : 'Choose one head above: the mean of several has no query of its own.',
      )
    try {
      const parts = await this.#text.parts({ layer, head, position: pinned.row }, signal)
      if (signal.aborted) return
      if (!parts || parts.to === parts.from) return this.#ask('This token does not look at others in this layer.')
      this.#shown = { row: pinned.row, parts }
      this.#draw()
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  /** Shows an instruction instead of a weight. */
  #ask(words: string): void {
    this.#shown = undefined
    this.#hint.textContent = words
    this.#hint.hidden = false
    this.#body.hidden = true
  }

  /** Follows the selection. Reads only when the query changes, because a query is read with all of its keys. */
  #follow(): void {
    const { pinned, subject, object } = this.#text.selection.value
    if (pinned?.row !== this.#shown?.row) {
      this.#object = undefined
      if (this.place.open) this.refresh()
    }
    if (pinned && subject?.row === pinned.row && object !== undefined) this.#object = object
    if (this.#shown) this.#draw()
  }

  #draw(): void {
    if (!this.#shown || !this.place.open) return
    const { parts } = this.#shown
    this.#hint.hidden = true
    this.#body.hidden = false
    const key = this.#keyOf(parts)
    const [query, seen] = [quoted(parts.tokens[parts.query]!), quoted(parts.keys[parts.from + key]!)]
    this.#title.textContent = `Layer ${parts.layer + 1}, ${nameOfHead(parts.head)}: ${query} to ${seen}`
    drawProduct(this.#drawing, parts, key, `The query of ${query}, the key of ${seen}, and the products of their numbers`)
    this.#steps.replaceChildren(...stepsOf(parts, key, query, seen).map(step => make('li', {}, step)))
    const rows = rowsOf(parts, key)
    this.#rows.replaceChildren(...rows)
    this.#scroller.scrollTop = rows[key]!.offsetTop - this.#scroller.clientHeight / 2
  }

  /** The key under the pointer, or else the one with the largest weight; indices start at the first visible key. */
  #keyOf({ weights, from, to }: AttentionParts): number {
    const object = this.#object === undefined ? -1 : this.#object - this.#text.attention!.place.column
    return object >= from && object < to ? object - from : weights.indexOf(Math.max(...weights))
  }
}

/** The largest score, which is subtracted from all of them so that no power overflows, and the sum of the powers. */
function sumOf({ scores, sink }: AttentionParts): { most: number; sum: number } {
  const most = Math.max(...scores, sink ?? -Infinity)
  const sum = scores.reduce((sum, score) => sum + Math.exp(score - most), sink === undefined ? 0 : Math.exp(sink - most))
  return { most, sum }
}

function stepsOf(parts: AttentionParts, key: number, query: string, seen: string): string[] {
  const { dots, scores, scale, softCap, bias, sink, weights, keys, from, to, queryVector } = parts
  const scaled = dots[key]! * scale
  const { most, sum } = sumOf(parts)
  const power = Math.exp(scores[key]! - most)
  const masked = keys.length - (to - from)
  return [
    `The ${queryVector.length} numbers of the query of ${query} times those of the key of ${seen}, added up: q · k = ${decimal(dots[key]!)}.`,
    `Times the scale, ${decimal(scale)}: ${decimal(scaled)}.`,
    ...(softCap === undefined
      ? []
      : [
          `Through the soft cap, ${decimal(softCap)} tanh(x / ${decimal(softCap)}): ${decimal(softCap * Math.tanh(scaled / softCap))}.`,
        ]),
    ...(bias === undefined ? [] : [`Plus ${decimal(bias[key]!)} for the distance: ${decimal(scores[key]!)}.`]),
    `Less the largest score, ${decimal(most)}, which cancels out, as a power of e: e^${decimal(scores[key]! - most)} = ${decimal(power)}.`,
    `The same for ${to - from === 1 ? 'the one token' : `all ${to - from} tokens`} that it sees` +
      `${masked > 0 ? `; the other ${masked === 1 ? 'one is' : `${masked} are`} masked` : ''}` +
      `${sink === undefined ? '' : `, and for the sink, a learned score of ${decimal(sink)} without a token`}: the powers add up to ${decimal(sum)}.`,
    `${decimal(power)} / ${decimal(sum)} = ${percent(weights[key]!)}, the weight.`,
  ]
}

function rowsOf(parts: AttentionParts, key: number): HTMLElement[] {
  const { keys, from, dots, scores, weights, sink } = parts
  const { most, sum } = sumOf(parts)
  const row = (name: string, numbers: readonly string[], className = '') =>
    make('tr', { className }, make('th', { scope: 'row' }, name), ...numbers.map(number => make('td', {}, number)))
  return [
    ...[...scores].map((score, i) =>
      row(
        nameOf(keys[from + i]!),
        [decimal(dots[i]!), decimal(score), decimal(Math.exp(score - most)), percent(weights[i]!)],
        i === key ? 'chosen' : '',
      ),
    ),
    ...(sink === undefined
      ? []
      : [row('(the sink)', ['', decimal(sink), decimal(Math.exp(sink - most)), percent(Math.exp(sink - most) / sum)])]),
    row('Sum', ['', '', decimal(sum), percent(1)]),
  ]
}
