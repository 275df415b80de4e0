// The contributions of the model's parts to the logit of a token (direct logit attribution), as bars.
import '../styles/attribution.css'
import { type Attribution, HeedError, type Model } from 'heed'
import { type HeedViewer, type Passage, tokensOf } from 'heed/viewer'
import type { FoldedView } from '../view/folded.js'
import { byId, make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import { csv, saveFile } from '../support/save.js'
import { quoted } from '../support/words.js'

/** A bar: a part of the logit. */
interface Part {
  readonly name: string
  readonly share: number
  readonly layer?: number
  readonly head?: number
}

export class AttributionView implements FoldedView<'open'> {
  readonly state = 'open'
  readonly #status = byId('attribution-status', HTMLParagraphElement)
  readonly #shown = byId('attribution-shown', HTMLDivElement)
  readonly #sum = byId('attribution-sum', HTMLParagraphElement)
  readonly #parts = byId('attribution-parts', HTMLDivElement)
  readonly #viewer: HeedViewer
  #model?: Model
  /** The text and the token whose parts are shown or being read. */
  #read?: { readonly ids: readonly number[]; readonly token?: number }
  #found?: Attribution
  #stop = new AbortController()

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    byId('attribution-csv', HTMLButtonElement).addEventListener('click', () => this.#save())
  }

  /** Shows the parts for the selected token if another token precedes it, otherwise for the token that would follow the text. */
  async show(model: Model, passage: Passage): Promise<void> {
    const tokens = tokensOf(passage)
    const selected = this.#viewer.token
    const place = selected !== undefined && selected > 0 && selected < tokens.length ? selected : tokens.length
    const ids = tokens.slice(0, place).map(({ id }) => id),
      token = tokens[place]?.id
    const isSame =
      model === this.#model &&
      token === this.#read?.token &&
      ids.length === this.#read?.ids.length &&
      ids.every((id, index) => id === this.#read!.ids[index])
    if (isSame) return
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    this.#model = model
    this.#read = { ids, token }
    this.#status.textContent = ids.length > 0 ? 'Taking the logit apart …' : 'There is no text yet.'
    if (ids.length === 0) return this.#hide()
    try {
      const found = await model.attribute(ids, { token, signal })
      if (signal.aborted) return
      this.#found = found
      this.#draw(found)
      this.#status.textContent = ''
    } catch (error) {
      if (signal.aborted || HeedError.from(error).code === 'disposed') return
      this.#read = undefined
      this.#hide()
      this.#status.textContent = explain('This view', error)
    }
  }

  clear(): void {
    this.#stop.abort()
    this.#model = this.#read = undefined
    this.#hide()
  }

  #hide(): void {
    this.#found = undefined
    this.#shown.hidden = true
    this.#parts.replaceChildren()
  }

  #draw(found: Attribution): void {
    const groups = groupsOf(found)
    const most = Math.max(...groups.flatMap(({ parts }) => parts.map(({ share }) => Math.abs(share))), 1e-9)
    const capped = Math.abs(found.sum - found.logit) > 0.02 * Math.abs(found.logit) + 0.05
    this.#shown.hidden = false
    this.#sum.replaceChildren(
      make('strong', {}, quoted(found.token)),
      `: the parts add up to ${number(found.sum)}` +
        (capped
          ? `, and the model's logit is ${number(found.logit)}, after its soft cap or with its rounded weights.`
          : ', its score (logit).'),
    )
    this.#parts.replaceChildren(
      ...groups.map(({ title, parts }, index) => {
        const heading = make(
          'h3',
          { id: `attribution-${index}` },
          title,
          make('span', {}, signed(parts.reduce((sum, { share }) => sum + share, 0))),
        )
        const section = make(
          'section',
          {},
          heading,
          make('ol', { className: 'shares' }, ...parts.map(part => this.#bar(part, most))),
        )
        section.setAttribute('aria-labelledby', heading.id)
        return section
      }),
    )
  }

  #bar({ name, share, layer, head }: Part, most: number): HTMLLIElement {
    const item = make(
      'li',
      { className: share < 0 ? 'against' : '' },
      this.#name(name, layer, head),
      make('span', { className: 'bar-share' }, signed(share)),
    )
    item.style.setProperty('--share', (Math.abs(share) / most).toFixed(4))
    return item
  }

  #name(name: string, layer?: number, head?: number): HTMLElement {
    if (layer === undefined || head === undefined) return make('span', {}, name)
    const show = make(
      'button',
      { type: 'button', className: 'quiet', ariaLabel: `Show layer ${layer + 1}, head ${head + 1}` },
      name,
    )
    show.addEventListener('click', () => {
      this.#viewer.layer = layer
      this.#viewer.head = head
    })
    return show
  }

  #save(): void {
    if (!this.#found) return
    const rows = groupsOf(this.#found).flatMap(({ title, parts }) => parts.map(({ name, share }) => [title, name, share] as const))
    saveFile('attribution.csv', 'text/csv', csv([['group', 'part', 'logit'], ...rows, ['sum', '', this.#found.sum]]))
  }
}

const number = (value: number) => value.toFixed(2).replace('-', '−')
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`

/** Values below this are shown as +0.00. */
const least = 0.005

/** All parts: the input of the first layer, each layer's additions, and the constant at the end. */
function groupsOf({ embedding, heads, attentionBias, mlp, constant }: Attribution): { title: string; parts: Part[] }[] {
  const layers = heads.map((ofLayer, layer) => ({
    title: `Layer ${layer + 1}`,
    parts: [
      ...ofLayer.map((share, head) => ({ name: `Head ${head + 1}`, share, layer, head })),
      ...(Math.abs(attentionBias[layer]!) > least ? [{ name: 'Attention bias', share: attentionBias[layer]! }] : []),
      { name: ofLayer.length > 0 ? 'MLP' : 'The layer', share: mlp[layer]! },
    ],
  }))
  const ends = Math.abs(constant) > least ? [{ title: 'Output', parts: [{ name: 'Bias', share: constant }] }] : []
  return [{ title: 'Input', parts: [{ name: 'Embedding', share: embedding }] }, ...layers, ...ends]
}
