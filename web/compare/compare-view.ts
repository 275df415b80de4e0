// What quantizing has changed: compares the page's model with another file of the same model, on the text in the viewer.
import '../styles/lens.css'
import '../styles/edits.css'
import '../styles/lab.css'
import { HeedError, type Model } from 'heed'
import { type Passage, type PassageToken, tokensOf } from 'heed/viewer'
import { Cells, cell } from '../support/cells.js'
import { byId, make } from '../support/dom.js'
import { bytes, percent } from '../support/format.js'
import { explain } from '../support/notices.js'
import { quoted, visible } from '../support/words.js'
import { areSame } from '../support/tokens.js'
import type { FoldedView } from '../view/folded.js'
import { type CopyLink, Frame } from '../view/frame.js'
import { OtherModel } from './other-model.js'
import { Predictions } from './predictions.js'
import { compared, type Comparison, csvOf, nameOfRow, npyOf, partingOf, strengthOf, svgOf } from './reading.js'

const help =
  'Load another file of the same model, such as one with fewer bits for each weight. Both read the text of this page. A token is marked as ' +
  'strongly as the predictions after it differ (KL divergence); the table has how far the states of both are apart after each layer. Choose a cell ' +
  'to see what both would say there.'
/** The names of the two models in lists. The larger file is the reference. */
const sides = ['This page’s model', 'The other one'] as const

/** Whether a link may load an address at once: the user has not asked for a download from another site. */
const isHere = (address: string) =>
  ['bundled', 'coarser'].includes(address) ||
  (URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin)

export class CompareView implements FoldedView<string> {
  readonly #other = new OtherModel(
    () => this.#frame.status,
    () => this.#compare(),
  )
  readonly #frame: Frame<Comparison>
  readonly #figures = make('p')
  readonly #text = make('p', {
    className: 'kl-text',
    dir: 'auto',
    tabIndex: 0,
    role: 'group',
    ariaLabel: 'The text, marked where predictions differ',
  })
  readonly #table = make('table', { className: 'lens-grid heat-map', ariaLabel: 'How far apart both models are after each layer' })
  readonly #cells: Cells
  readonly #predictions = new Predictions(sides)
  #model?: Model
  #tokens: readonly PassageToken[] = []
  #comparison?: Comparison
  #stop = new AbortController()

  constructor(copyLink: CopyLink) {
    this.#table.setAttribute('role', 'grid')
    this.#cells = new Cells(this.#table, (row, column) => this.#open(row, column))
    this.#frame = new Frame(
      'compare',
      'State of the comparison',
      help,
      {
        above: [this.#other.element],
        shown: [this.#figures, this.#text, make('div', { className: 'lens-frame' }, this.#table), this.#predictions.element],
        files: { of: () => this.#comparison, csv: csvOf, npy: npyOf, svg: svgOf },
      },
      copyLink,
    )
    // A model takes much memory, so the other model is unloaded when the view is folded up.
    byId('compare', HTMLDetailsElement).addEventListener('toggle', ({ target }) => {
      if (!(target as HTMLDetailsElement).open) void this.#release()
    })
  }

  /** The other model's name for a link; undefined for a file, which cannot be linked. */
  get state(): string | undefined {
    return this.#other.name
  }

  async show(model: Model, passage: Passage, linked?: string): Promise<void> {
    const tokens = tokensOf(passage)
    const isSame = model === this.#model && areSame(tokens, this.#tokens)
    this.#model = model
    this.#tokens = tokens
    if (linked !== undefined && linked !== this.#other.name) {
      if (isHere(linked)) return this.#other.load(linked)
      this.#other.propose(linked)
    }
    if (!isSame) await this.#compare()
  }

  clear(): void {
    void this.#release()
    this.#model = undefined
    this.#tokens = []
  }

  async #release(): Promise<void> {
    this.#stop.abort()
    this.#hide()
    this.#frame.status.textContent = ''
    await this.#other.unload()
  }

  #hide(): void {
    this.#comparison = undefined
    this.#cells.clear()
    this.#predictions.clear()
    this.#frame.shown.hidden = true
    this.#frame.canSave = false
  }

  async #compare(): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    const [model, other] = [this.#model, this.#other.model]
    if (!model || !other) return
    const { status } = this.#frame
    if (this.#tokens.length === 0) {
      this.#hide()
      status.textContent = 'There is no text yet.'
      return
    }
    status.textContent = 'Both models read the text …'
    try {
      const isFiner = model.info.fileBytes >= other.info.fileBytes
      const comparison = await compared(isFiner ? model : other, isFiner ? other : model, this.#tokens, signal)
      if (signal.aborted) return
      status.textContent = ''
      this.#draw(comparison, model, other)
    } catch (error) {
      if (signal.aborted || HeedError.from(error).code === 'disposed') return
      this.#hide()
      status.textContent = explain('The comparison', error)
    }
  }

  #draw(comparison: Comparison, model: Model, other: Model): void {
    this.#comparison = comparison
    const { tokens, kl, agree, meanKl, agreement, residual, distances } = comparison
    const parting = residual && Math.max(...residual) > 0 ? nameOfRow(partingOf(residual)).toLowerCase() : undefined
    this.#figures.replaceChildren(
      `${bytes(model.info.fileBytes)} here and ${bytes(other.info.fileBytes)} there: both find the same next token most probable after `,
      make('strong', {}, percent(agreement)),
      ` of ${tokens.length} tokens, and the mean divergence is `,
      make('strong', {}, `${meanKl.toFixed(4)} nats`),
      parting === undefined ? '.' : `. They part most at ${parting}.`,
    )
    this.#text.replaceChildren(
      ...tokens.map((token, at) => {
        const marked = make('span', { className: agree[at] ? '' : 'apart', title: `${kl[at]!.toFixed(4)} nats` }, token.text)
        marked.style.setProperty('--probability', strengthOf(kl[at]!).toFixed(3))
        return marked
      }),
    )
    this.#predictions.clear()
    const most = distances.reduce((greatest, one) => Math.max(greatest, one), 1e-9)
    const rows = Array.from({ length: distances.length / tokens.length }, (_, row) => ({
      name: nameOfRow(row),
      cells: tokens.map((token, column) => {
        const distance = distances[row * tokens.length + column]!
        const made = cell(`${nameOfRow(row)}, ${quoted(token)}: ${percent(distance)} apart`, distance.toFixed(2))
        made.style.setProperty('--probability', (distance / most).toFixed(3))
        return made
      }),
    }))
    this.#cells.show('After', tokens.map(visible), rows)
    this.#frame.shown.hidden = false
    this.#frame.canSave = true
  }

  #open(row: number, column: number): void {
    const { tokens } = this.#comparison!
    const ids = tokens.slice(0, column + 1).map(({ id }) => id)
    const title = `${nameOfRow(row)}, after ${quoted(tokens[column]!)}`
    void this.#predictions.show([this.#model!, this.#other.model!], ids, row, column, title)
  }
}
