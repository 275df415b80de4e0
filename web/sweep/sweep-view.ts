// Where in the model a word of the text decides about the token that follows: a table of runs that is filled while they run
// (activation patching, arXiv:2202.05262). In each run, the text has another word, and one value is restored from the original.
import '../styles/lens.css'
import '../styles/edits.css'
import '../styles/lab.css'
import { HeedError, type Model } from 'heed'
import { type HeedViewer, type Passage, type PassageToken, tokensOf } from 'heed/viewer'
import { make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import { quoted } from '../support/words.js'
import { areSame } from '../support/tokens.js'
import type { FoldedView } from '../view/folded.js'
import { type CopyLink, Frame } from '../view/frame.js'
import { CellAnswers } from './cell-answers.js'
import { SweepFields } from './fields.js'
import { csvOf, npyOf, svgOf } from './files.js'
import { HeatMap } from './heat-map.js'
import { type Asked, askedIn, measured, metricOf, type Plan, planOf } from './plan.js'
import { proposedWord } from './proposal.js'
import { summaryOf, type Swept } from './swept.js'

const help =
  'The model reads the text with another word in the place of one of its words. Each cell is a run of its own, in which one value is as it was ' +
  'with the first word: 1 means that this alone brings the token back that follows the text (or the one before the token that is selected), ' +
  '0 that it changes nothing. Choose a cell to read what the model then says.'

export class SweepView implements FoldedView<string> {
  readonly #viewer: HeedViewer
  readonly #own: () => string
  readonly #fields = new SweepFields(
    () => void this.#run(),
    () => this.#stop.abort(),
  )
  readonly #frame: Frame<Swept>
  readonly #table = make('table', { className: 'lens-grid heat-map', ariaLabel: 'How much each cell restores' })
  readonly #map: HeatMap
  readonly #answers = new CellAnswers()
  #model?: Model
  #tokens: readonly PassageToken[] = []
  #following?: PassageToken
  #plan?: Plan
  #swept?: Swept
  #cell?: readonly [row: number, column: number]
  /** Resolves once it is known what the model says in the cell. */
  #opening?: Promise<void>
  #stop = new AbortController()

  /** `own` returns the part of the text in the viewer that the user wrote. */
  constructor(viewer: HeedViewer, own: () => string, copyLink: CopyLink) {
    this.#viewer = viewer
    this.#own = own
    this.#table.setAttribute('role', 'grid')
    this.#map = new HeatMap(this.#table, (row, column) => this.#open(row, column))
    this.#frame = new Frame(
      'sweep',
      'State of the sweep',
      help,
      {
        above: [this.#fields.element],
        shown: [make('div', { className: 'lens-frame' }, this.#table), this.#answers.element],
        files: { of: () => this.#swept, csv: csvOf, npy: npyOf, svg: svgOf },
      },
      copyLink,
    )
  }

  get state(): string | undefined {
    const { asked } = this.#fields
    return asked.other === '' ? undefined : JSON.stringify({ ...asked, cell: this.#cell })
  }

  async show(model: Model, passage: Passage, linked?: string): Promise<void> {
    const all = tokensOf(passage)
    const selected = this.#viewer.token
    const place = selected !== undefined && selected > 0 && selected < all.length ? selected : all.length
    const isSame = model === this.#model && all[place]?.id === this.#following?.id && areSame(this.#tokens, all.slice(0, place))
    if (!isSame) {
      this.clear()
      this.#model = model
      this.#tokens = all.slice(0, place)
      this.#following = all[place]
      this.#fields.limit(model.info.layers, model.info.heads)
      this.#fields.propose(proposedWord(this.#own(), this.#tokens.map(({ text }) => text).join('')))
      this.#frame.status.textContent = this.#tokens.length > 0 ? '' : 'There is no text yet.'
    }
    const asked = linked === undefined ? undefined : askedIn(linked)
    if (!asked) return
    this.#fields.asked = asked
    await this.#run(asked)
  }

  clear(): void {
    this.#stop.abort()
    this.#stop = new AbortController() // so the stopped sweep sees that it is not the current one
    this.#fields.isRunning = false
    this.#model = this.#plan = this.#swept = this.#cell = this.#following = undefined
    this.#tokens = []
    this.#map.clear()
    this.#answers.clear()
    this.#frame.shown.hidden = true
    this.#frame.canSave = false
    this.#frame.status.textContent = ''
  }

  async #run(asked: Asked = this.#fields.asked): Promise<void> {
    const model = this.#model
    if (!model || this.#tokens.length === 0) return
    const missing = this.#fields.missing()
    if (missing) return void (this.#frame.status.textContent = missing)
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    const { status } = this.#frame
    this.#cell = undefined
    this.#answers.clear()
    this.#frame.canSave = false
    status.textContent = 'Reading both texts …'
    this.#fields.isRunning = true
    try {
      const plan = await planOf(model, asked, this.#tokens, this.#following?.id)
      if (signal.aborted) return
      await this.#sweep(model, plan, signal)
      if (asked.cell) {
        this.#map.select(...asked.cell)
        this.#map.bringSelected()
        await this.#opening
      }
    } catch (error) {
      const { code } = HeedError.from(error)
      if (this.#stop.signal !== signal || code === 'disposed') return
      status.textContent = code === 'aborted' ? 'Stopped.' : explain('The model', error)
    } finally {
      if (this.#stop.signal === signal) this.#fields.isRunning = false
    }
  }

  async #sweep(model: Model, plan: Plan, signal: AbortSignal): Promise<void> {
    const { layers, heads } = model.info
    const { positions, clean, corrupted, asked } = plan
    const [one, other] = [await model.logits([...clean], { signal }), await model.logits([...corrupted], { signal })]
    const [from, to] = [measured(other, plan), measured(one, plan)]
    const { path } = asked
    const isOfHeads = path !== undefined || asked.at === 'z'
    const columns = isOfHeads
      ? Array.from({ length: heads }, (_, head) => `Head ${head + 1}`)
      : positions.map(position => quoted(plan.tokens[position]!))
    const rows = Array.from({ length: layers }, (_, layer) => `Layer ${layer + 1}`)
    const name = async (id: number) => quoted({ text: await model.detokenize([id], { special: true }) })
    const told = `${await name(plan.token)}${plan.against === undefined ? '' : ` instead of ${await name(plan.against)}`}`
    if (signal.aborted) throw HeedError.aborted()
    const values = new Float64Array(rows.length * columns.length).fill(NaN)
    this.#plan = plan
    this.#swept = { rows, columns, isOfHeads, values, shares: new Float64Array(values.length).fill(NaN) }
    this.#map.begin('Restored', rows, columns, path ? 'no path leads from here' : 'this layer has none')
    this.#frame.shown.hidden = false
    let filled = 0
    await model.sweep({
      clean: [...clean],
      corrupted: [...corrupted],
      ...(path ? { path } : { at: asked.at }),
      metric: metricOf(plan),
      over: ['layer', isOfHeads ? 'head' : 'position'],
      ...(isOfHeads ? {} : { positions: [...positions] }),
      signal,
      onProgress: ({ done, total, state }) => {
        if (signal.aborted) return
        for (; filled < done; filled++) this.#fill(filled, state.values[filled] ?? NaN, from, to)
        this.#frame.status.textContent = `${told}: ${done} of ${total} cells …`
      },
    })
    this.#frame.canSave = true
    this.#frame.status.textContent = `${told}: ${summaryOf(this.#swept)}`
  }

  #fill(at: number, value: number, from: number, to: number): void {
    const { columns, values, shares } = this.#swept!
    values[at] = value
    shares[at] = (value - from) / (to - from)
    this.#map.fill(Math.floor(at / columns.length), at % columns.length, shares[at]!)
  }

  #open(row: number, column: number): void {
    const { rows, columns } = this.#swept!
    this.#cell = [row, column]
    this.#opening = this.#answers.show(this.#model!, this.#plan!, `${rows[row]}, ${columns[column]}`, row, column)
  }
}
