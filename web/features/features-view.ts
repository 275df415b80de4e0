// The features that a dictionary finds at each token (sparse autoencoders, arXiv:2309.08600), and details of the chosen one.
import '../styles/lens.css'
import '../styles/edits.css'
import '../styles/lab.css'
import { HeedError, type Model } from 'heed'
import { type GivenToken, type HeedViewer, type Passage, type PassageToken, tokensOf } from 'heed/viewer'
import { Cells, cell } from '../support/cells.js'
import { make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain } from '../support/notices.js'
import { quoted, visible } from '../support/words.js'
import { areSame } from '../support/tokens.js'
import type { FoldedView } from '../view/folded.js'
import { type CopyLink, Frame } from '../view/frame.js'
import { DictionaryList } from './dictionary-list.js'
import { FeaturePanel } from './feature-panel.js'
import { placeInWords } from './place.js'
import { csvOf, largestOf, npyOf, readFeatures, type Reading, shownOfEach, svgOf } from './reading.js'
import { featuresIn, type LinkedFeatures } from './state.js'

const help =
  'A dictionary takes the numbers at a place in the model apart into features, few of which are on at a time. Under each token are those that ' +
  'are largest there, by the name that somebody has given them, or by their number. Choose one to see where else it is on, and to add more of it.'

type PromptTokens = readonly GivenToken[] | undefined

export class FeaturesView implements FoldedView<string> {
  readonly #list = new DictionaryList(() => void this.#read())
  readonly #frame: Frame<Reading>
  readonly #figures = make('p', { className: 'lens-help' })
  readonly #table = make('table', { className: 'lens-grid feature-grid', ariaLabel: 'The largest features of each token' })
  readonly #cells: Cells
  readonly #panel: FeaturePanel
  readonly #viewer: HeedViewer
  #model?: Model
  #tokens: readonly PassageToken[] = []
  #reading?: Reading
  #stop = new AbortController()

  /** `promptOf` returns the tokens that an answer is to follow. */
  constructor(viewer: HeedViewer, promptOf: () => PromptTokens | Promise<PromptTokens>, copyLink: CopyLink) {
    this.#viewer = viewer
    this.#panel = new FeaturePanel(promptOf)
    this.#table.setAttribute('role', 'grid')
    this.#cells = new Cells(this.#table, (row, column) => this.#open(row, column))
    const nameOf = (feature: number) => this.#list.known(feature)?.name
    this.#frame = new Frame(
      'features',
      'State of the features',
      help,
      {
        above: [this.#list.element],
        shown: [this.#figures, make('div', { className: 'lens-frame' }, this.#table), this.#panel.element],
        files: {
          of: () => this.#reading,
          csv: reading => csvOf(reading, nameOf),
          npy: npyOf,
          svg: (reading, place) => svgOf(reading, nameOf, place),
        },
      },
      copyLink,
    )
  }

  get state(): string | undefined {
    const sae = this.#list.served
    return sae === undefined ? undefined : JSON.stringify({ sae, feature: this.#panel.feature, scale: this.#panel.scale })
  }

  async show(model: Model, passage: Passage, linked?: string): Promise<void> {
    const tokens = tokensOf(passage)
    const isSame = model === this.#model && areSame(tokens, this.#tokens)
    const asked = linked === undefined ? undefined : featuresIn(linked)
    if (isSame && !asked) return
    if (model !== this.#model) {
      this.clear()
      this.#model = model
      await this.#list.use(model)
      if (model !== this.#model) return
    }
    this.#tokens = tokens
    if (asked) this.#list.served = asked.sae
    await this.#read(asked)
  }

  clear(): void {
    this.#stop.abort()
    this.#model = this.#reading = undefined
    this.#tokens = []
    this.#hide()
    this.#frame.status.textContent = ''
  }

  #hide(): void {
    this.#reading = undefined
    this.#cells.clear()
    this.#panel.clear()
    this.#frame.shown.hidden = true
    this.#frame.canSave = false
  }

  async #read(asked: LinkedFeatures = { feature: this.#panel.feature }): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    const model = this.#model!
    const { status } = this.#frame
    if (this.#tokens.length === 0) {
      this.#hide()
      status.textContent = 'There is no text yet.'
      return
    }
    try {
      status.textContent = 'Reading the dictionary …'
      const sae = await this.#list.load(model)
      if (signal.aborted) return
      if (!sae) {
        status.textContent =
          'No dictionary comes with the page for this model: open the files of one, such as those of SAELens or Gemma Scope.'
        return
      }
      status.textContent = 'Reading the text …'
      const reading = await readFeatures(model, sae, this.#tokens, signal)
      if (signal.aborted) return
      this.#draw(reading)
      status.textContent = ''
      const { feature, scale } = asked
      if (feature !== undefined && feature < sae.features)
        await this.#panel.show(model, reading, feature, this.#list.known(feature), scale)
    } catch (error) {
      if (signal.aborted || HeedError.from(error).code === 'disposed') return
      this.#hide()
      status.textContent = explain('The dictionary', error)
    }
  }

  #draw(reading: Reading): void {
    const { tokens, first, found } = reading
    this.#reading = reading
    this.#panel.clear()
    const on = found.l0.reduce((sum, one) => sum + one, 0) / found.l0.length
    this.#figures.textContent =
      `On average ${on.toFixed(1)} of ${reading.sae.features} features are on. In this text, they explain ` +
      `${percent(Math.max(0, found.explainedVariance))} of what varies in ${placeInWords(found.pointOut)}.`
    const most = largestOf(reading)
    const shown = tokens.slice(first)
    const rows = Array.from({ length: shownOfEach }, (_, row) => ({
      name: `${row + 1}.`,
      cells: shown.map((token, column) => {
        const one = found.top[first + column]![row]
        if (!one) return cell(`${quoted(token)}: no further feature`, '')
        const name = this.#list.known(one.feature)?.name
        const made = cell(
          `${quoted(token)}: feature ${one.feature}${name ? `, ${name}` : ''}, ${one.value.toFixed(1)}`,
          name ?? `${one.feature}`,
        )
        made.style.setProperty('--probability', (one.value / most).toFixed(3))
        made.classList.toggle('named', name !== undefined)
        return made
      }),
    }))
    this.#cells.show('Token', shown.map(visible), rows)
    this.#frame.shown.hidden = false
    this.#frame.canSave = true
    const { token } = this.#viewer
    if (token !== undefined) this.#cells.bringColumn(token - first)
  }

  #open(row: number, column: number): void {
    const reading = this.#reading!
    const one = reading.found.top[reading.first + column]![row]
    if (one) void this.#panel.show(this.#model!, reading, one.feature, this.#list.known(one.feature))
  }
}
