// <heed-viewer>: a text or a picture, and what a model attends to in it. Everything that others may use of it is here.
import type { AttentionOf, GenerateOptions, GenerateResult, Model, Token } from 'heed'
import { HeadChoice, nameOfHead } from './attention/head-choice.js'
import type { Head, LayerAttention } from './attention/layer-attention.js'
import { imageOf } from './attention/map-image.js'
import { Overview } from './attention/overview.js'
import type { ViewerElement } from './events.js'
import { makeParts, type Parts } from './parts.js'
import { PictureInspector } from './picture/inspector.js'
import type { PatchAttention } from './picture/patch-attention.js'
import css from './styles/viewer.css?inline'
import { make } from './support/dom.js'
import type { Compared } from './text/comparison.js'
import { TextInspector } from './text/inspector.js'
import type { Passage } from './text/passage.js'
import type { Pace } from './text/replay.js'

/** Most probable tokens to ask for in place of each one written. */
const alternatives = 8

/** Where there are no elements, as in Node, the class can be imported, and not used. */
const Base = (globalThis.HTMLElement ?? class {}) as new () => ViewerElement

/** Whether the class has its name: it can have one only. */
let defined = false

let sheet: CSSStyleSheet | undefined

/** The style of all viewers. It is no element of the page, so that `style-src 'self'` allows it. */
function styleSheet(): CSSStyleSheet {
  if (sheet) return sheet
  sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** Lets pages write `<heed-viewer>`, or another name, which counts the first time. `new HeedViewer()` does it by itself. */
export function defineViewer(name = 'heed-viewer'): void {
  if (!globalThis.customElements) throw new Error('HeedViewer: there are no custom elements here')
  if (defined) return
  defined = true  // before elements that wait for it are made
  customElements.define(name, HeedViewer)
}

/**
 * Slots: the default one above the text, `below` below it, `beside` below the attention, and `token` in the card of the token
 * held, for what can be done with it.
 *
 * Events, none of which bubbles: `tokenselect`, `layerchange`, `headchange` and `kindchange` after the property of that name
 * has changed; `tokenwrite`, whose `detail` is the Token, for each that is generated, and `writeend`, whose `detail` is the
 * GenerateResult, when all of them are there; `turn`, whose `detail` is the position of a token, where the reader turned to the
 * text beside (`compare`); and `error`, an ErrorEvent, where the model could not be asked what it attends to.
 *
 * Custom properties, to be set on the element: --heed-ink, --heed-paper, --heed-accent and the others of styles/theme.css.
 */
export class HeedViewer extends Base {
  readonly #parts: Parts
  readonly #choice: HeadChoice
  readonly #text: TextInspector
  readonly #picture: PictureInspector
  readonly #overview: Overview
  #model?: Model
  #stop = new AbortController()

  constructor() {
    if (!defined) defineViewer()
    super()
    const tell = (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      this.dispatchEvent(new ErrorEvent('error', { error, message }))
    }
    this.#parts = makeParts()
    this.#choice = new HeadChoice(this.#parts)
    const turnTo = (detail: number) => { this.dispatchEvent(new CustomEvent<number>('turn', { detail })) }
    this.#text = new TextInspector(this.#parts, this.#choice, turnTo, tell)
    this.#picture = new PictureInspector(this.#parts, this.#choice, tell)
    this.#overview = new Overview(this.#parts, this.#choice, (layer, signal) => this.#readMaps(layer, signal), tell)
    this.#parts.attention.save.addEventListener('click', () => this.#save().catch(tell))
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styleSheet()]
    root.append(this.#parts.root, this.#parts.tooltip, this.#parts.probe)
    this.#parts.root.addEventListener('transitionend', ({ target }) => {
      if (target === this.#parts.root) this.#redraw()
    })
    this.#choice.layer.watch(() => this.#report('layerchange'))
    this.#choice.head.watch(() => this.#report('headchange'))
    this.#text.kinds.kind.watch(() => {
      this.#report('kindchange')
      this.#overview.refresh()
    })
    for (const { selection } of [this.#text, this.#picture]) {
      let token: number | undefined
      selection.watch(({ pinned }) => {
        if (pinned?.token === token) return
        token = pinned?.token
        this.#report('tokenselect')
      })
    }
  }

  /** The model whose attention is shown. It stays the caller's: the viewer does not dispose of it. */
  get model(): Model | undefined {
    return this.#model
  }

  set model(model: Model | undefined) {
    this.stop()
    this.#model = model
    const { reading, card, picture, attention } = this.#parts
    const sees = model?.info.sees ?? false
    reading.place.hidden = card.place.hidden = attention.map.hidden = sees
    picture.place.hidden = !sees
    this.#picture.leave()
    if (!model || sees) this.#text.leave()
    if (model) (sees ? this.#picture : this.#text).use(model)
    this.#overview.refresh()
  }

  /** Shows what the model attends to in a text, or in a passage as `passage` has one. Resolves when it is there. */
  async show(text: string | Passage): Promise<void> {
    this.#needReader('show')
    this.stop()
    this.#parts.reading.text.classList.remove('writing')
    this.#text.show(typeof text === 'string' ? { prompt: text, written: [] } : text)
    await this.#text.inspectAll()
    this.#overview.refresh()
  }

  /**
   * Shows a passage that something else still writes, a session, say, as far as it is there. Called again with more of it, it
   * adds that; `show` it when it is whole.
   */
  grow(passage: Passage): void {
    this.#needReader('grow')
    this.stop()
    this.#text.grow(passage)
    this.#parts.reading.text.classList.add('writing')
  }

  /** Puts another version of the text beside the one shown, with what both begin with marked, or takes it away. */
  compare(other: Compared | undefined): void {
    this.#text.compare(other)
  }

  /** Shows what a model that sees attends to in a picture. Resolves when it is there. */
  async showImage(image: ImageData): Promise<void> {
    const { info } = this.#needModel()
    if (!info.sees) throw new Error('HeedViewer.showImage: this model does not see')
    await this.#picture.show(image)
    this.#overview.refresh()
  }

  /**
   * Has the model go on from a text, or answer it, and shows each token as it comes. Resolves, as `model.generate` does, once
   * the attention of it all is shown, too. Options are those of `model.generate`.
   */
  async generate(prompt: string, options: GenerateOptions = {}): Promise<GenerateResult> {
    const model = this.#needModel()
    this.stop()
    const stop = this.#stop = new AbortController()
    const forward = () => stop.abort(options.signal?.reason)
    if (options.signal?.aborted) forward()
    options.signal?.addEventListener('abort', forward)
    const generation = model.generate(prompt, { topLogprobs: alternatives, ...options, signal: stop.signal })
    this.#text.begin(prompt)
    this.#parts.reading.text.classList.add('writing')
    try {
      for await (const token of generation) {
        if (stop.signal.aborted) break  // what was on its way when it was stopped
        const { alternatives = [], id, text, logprob } = token
        this.#text.append({ id, text, logprob, alternatives })
        this.dispatchEvent(new CustomEvent<Token>('tokenwrite', { detail: token }))
      }
      const result = await generation
      if (stop !== this.#stop || model !== this.#model) return result  // another text, or model, took its place
      this.#parts.reading.text.classList.remove('writing')
      this.dispatchEvent(new CustomEvent<GenerateResult>('writeend', { detail: result }))
      await this.#text.inspectAll()
      this.#overview.refresh()
      return result
    } finally {
      options.signal?.removeEventListener('abort', forward)
      if (stop === this.#stop) this.#parts.reading.text.classList.remove('writing')
    }
  }

  /** Ends the generation under way. Its tokens so far stay. */
  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when the attention that was last asked for, by the choice of a layer, say, is shown. */
  async settled(): Promise<void> {
    await this.#inspector.settle()
  }

  /** The layer shown, from 0. */
  get layer(): number {
    return this.#choice.layer.value
  }

  set layer(layer: number) {
    this.#choice.layer.value = within('layer', layer, this.#choice.layers)
  }

  /** The head shown, from 0, or `mean` for the average of all heads of the layer. */
  get head(): Head {
    return this.#choice.head.value
  }

  set head(head: Head) {
    this.#choice.head.value = head === 'mean' ? head : within('head', head, this.#choice.heads)
  }

  /** Of a model with an encoder and a decoder, which attention is shown: `encoder`, `cross` or `decoder`. */
  get kind(): AttentionOf {
    return this.#text.kinds.kind.value
  }

  set kind(kind: AttentionOf) {
    if (!this.#text.kinds.offered.includes(kind)) throw new RangeError(`HeedViewer.kind: this model has no attention ${kind}`)
    this.#text.kinds.kind.value = kind
  }

  /** The token held, by its position in the text; of a picture a patch, from 1. Nothing where none is. */
  get token(): number | undefined {
    return this.#inspector.selection.value.pinned?.token
  }

  set token(token: number | undefined) {
    this.#inspector.select(token)
  }

  /** Whether a text comes as it is written (`instant`), slowly (`slow`), or step by step (`step`), each token with its choice. */
  get pace(): Pace {
    return this.#text.replay.pace.value
  }

  set pace(pace: Pace) {
    if (!['instant', 'slow', 'step'].includes(pace)) throw new RangeError(`HeedViewer.pace: there is no pace ${pace}`)
    this.#text.replay.pace.value = pace
  }

  /** The text shown, as tokens. */
  get passage(): Passage {
    return this.#text.passage
  }

  /** The attention of the layer shown, once it is known: of a text or of a picture. */
  get attention(): LayerAttention | PatchAttention | undefined {
    return this.#inspector.attention
  }

  /** The heat map as a PNG, in the colours and the size that it has on the screen. */
  async mapImage(): Promise<Blob> {
    const { canvas } = this.#parts.attention
    if (!this.#text.attention?.attends) throw new Error('HeedViewer.mapImage: no heat map is shown')
    const title = `Attention of layer ${this.layer + 1}, ${nameOfHead(this.head)}`
    return imageOf(canvas, title, getComputedStyle(this.#parts.root).backgroundColor)
  }

  /** It left the page: nothing is to go on by itself. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return  // it was only moved
      this.stop()
      this.#text.replay.hold()
    })
  }

  /** The page turned dark or light: what is painted turns with it. */
  #redraw(): void {
    this.#inspector.redraw()
    this.#overview.refresh()
  }

  get #inspector(): TextInspector | PictureInspector {
    return this.#model?.info.sees ? this.#picture : this.#text
  }

  #needModel(): Model {
    if (!this.#model) throw new Error('HeedViewer: it has no model yet')
    return this.#model
  }

  /** Throws where the model does not read texts. */
  #needReader(method: string): void {
    if (!this.#needModel().info.sees) return
    throw new Error(`HeedViewer.${method}: this model sees pictures, and reads no texts here: use showImage`)
  }

  #report(type: string): void {
    this.dispatchEvent(new CustomEvent(type))
  }

  /** Offers the map as a file. */
  async #save(): Promise<void> {
    const href = URL.createObjectURL(await this.mapImage())
    make('a', { href, download: `attention-layer-${this.layer + 1}-${nameOfHead(this.head).replace(' ', '-')}.png` }).click()
    setTimeout(() => URL.revokeObjectURL(href), 60_000)
  }

  async #readMaps(layer: number, signal: AbortSignal) {
    if (this.#model?.info.sees) {
      const attention = await this.#picture.read(layer, signal)
      return attention && ((head: number) =>
        ({ weights: attention.light(head, 0), rows: attention.patches, columns: attention.patches }))
    }
    const attention = await this.#text.read(layer, signal)
    return attention && ((head: number) =>
      ({ weights: attention.weights(head), rows: attention.rows, columns: attention.columns }))
  }
}

function within(name: string, value: number, count: number): number {
  if (Number.isInteger(value) && value >= 0 && value < count) return value
  throw new RangeError(`HeedViewer.${name}: there is no ${value}, only 0 to ${count - 1}`)
}
