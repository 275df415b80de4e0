// “Find heads”: the heads of the model that look back, copy, or rest on the first token; each leads to its attention in the viewer.
import { HeedError, type HeadScores, type Model } from 'heed'
import type { HeedViewer } from 'heed/viewer'
import { kindOf } from '../model/kind.js'
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain, notify } from '../support/notices.js'

type Kind = Exclude<keyof HeadScores, 'layer' | 'head'>

const titles: Record<Kind, string> = {
  previousToken: 'On the previous token',
  duplicateToken: 'On the earlier copy of a token',
  induction: 'On what followed the earlier copy (induction)',
  firstToken: 'On the first token (attention sinks)',
}

/** Number of heads of each kind to show. */
const most = 5

export class FoundHeads {
  readonly #place = byId('found-heads', HTMLDetailsElement)
  readonly #status = byId('found-status', HTMLParagraphElement)
  readonly #kinds = byId('found-kinds', HTMLDivElement)
  readonly #viewer: HeedViewer
  #model?: Model
  /** The model whose heads are shown or being measured. */
  #measured?: Model
  #stop = new AbortController()

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
    this.#place.addEventListener('toggle', () => void this.#find())
  }

  use(model: Model): void {
    this.#stop.abort()
    this.#model = kindOf(model.info) === 'writes' ? model : undefined
    this.#measured = undefined
    this.#place.hidden = !this.#model
    this.#kinds.replaceChildren()
    void this.#find()
  }

  async #find(): Promise<void> {
    const model = this.#model
    if (!model || !this.#place.open || this.#measured === model) return
    this.#measured = model
    const { signal } = (this.#stop = new AbortController())
    this.#status.textContent = 'Measuring the heads …'
    try {
      const heads = await model.findHeads({ signal })
      if (signal.aborted) return
      this.#status.textContent = heads.length > 0 ? '' : 'No layer of this model attends.'
      this.#kinds.replaceChildren(
        ...(heads.length > 0 ? (Object.keys(titles) as Kind[]).map(kind => this.#listOf(kind, heads)) : []),
      )
    } catch (error) {
      if (signal.aborted || HeedError.from(error).code === 'disposed') return
      this.#measured = undefined
      this.#status.textContent = ''
      notify(explain('The model', error), byId('found-heads', HTMLDetailsElement))
    }
  }

  #listOf(kind: Kind, heads: readonly HeadScores[]): HTMLElement {
    const title = make('h3', { id: `found-${kind}` }, titles[kind])
    const best = [...heads].sort((a, b) => b[kind] - a[kind]).slice(0, most)
    const place = make(
      'section',
      {},
      title,
      make('ol', { className: 'bars' }, ...best.map(found => this.#itemOf(found, found[kind]))),
    )
    place.setAttribute('aria-labelledby', title.id)
    return place
  }

  #itemOf({ layer, head }: HeadScores, share: number): HTMLLIElement {
    const show = make('button', { type: 'button', className: 'quiet' }, `Layer ${layer + 1}, head ${head + 1}`)
    show.addEventListener('click', () => {
      this.#viewer.layer = layer
      this.#viewer.head = head
    })
    const item = make('li', {}, show, make('span', { className: 'bar-share' }, percent(share)))
    item.style.setProperty('--share', share.toFixed(4))
    return item
  }
}
