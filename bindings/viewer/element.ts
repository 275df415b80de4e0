// <heed-viewer>: shows what a model attends to in a text or an image. This file is the element's public API.
import type { AttentionOf, GenerateOptions, GenerateResult, Model, Token } from 'heed'
import type { Scale } from './attention/color-scale.js'
import { HeadChoice, nameOfHead } from './attention/head-choice.js'
import type { Head, LayerAttention } from './attention/layer-attention.js'
import { type Measure, measures } from './attention/measure.js'
import { pictureOf } from './attention/explored-map.js'
import { Overview } from './panels/overview.js'
import { ScaleChoice } from './attention/scale-choice.js'
import type { ViewerElement } from './events.js'
import { makeParts, type Parts } from './frame/parts.js'
import type { TitledMap } from './exports/drawing.js'
import { drawingOf, imageOf, saveButtons } from './exports/save.js'
import { csvOf } from './exports/files.js'
import { AcrossLayers } from './panels/across-layers.js'
import { type Alternative, SamplingPanel } from './panels/sampling-panel.js'
import { InsideWeight } from './panels/inside-weight.js'
import { type PanelName, Panels } from './panels/panels.js'
import { type HeadOfLayer, mostHeads, SideBySide } from './panels/side-by-side.js'
import { TwoSentences } from './panels/two-sentences.js'
import { PictureInspector } from './picture/inspector.js'
import type { PatchAttention } from './picture/patch-attention.js'
import css from './styles/viewer.css?inline'
import type { Compared } from './text/comparison.js'
import { TextInspector } from './text/inspector.js'
import { type Passage, type Span, tokensOf } from './tokens/passage.js'
import type { Pace } from './text/replay.js'

/** How many of the most probable tokens to request at each position. */
const alternatives = 8

/** Without a DOM, as in Node, the class can be imported but not instantiated. */
const Base = (globalThis.HTMLElement ?? class {}) as new () => ViewerElement

/** Whether the element has been defined: a class can be registered under only one name. */
let defined = false

let sheet: CSSStyleSheet | undefined

/** The style sheet that all viewers share. It is constructed, and not a `<style>` element, so that `style-src 'self'` allows it. */
function styleSheet(): CSSStyleSheet {
  if (sheet) return sheet
  sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/**
 * Defines the element, as `<heed-viewer>` or under another name; only the first call has an effect. `new HeedViewer()` calls it
 * automatically.
 *
 * @example
 * defineViewer()
 * document.body.innerHTML = '<heed-viewer></heed-viewer>'
 */
export function defineViewer(name = 'heed-viewer'): void {
  if (!globalThis.customElements) throw new Error('HeedViewer: custom elements are not available here')
  if (defined) return
  defined = true // first: define() upgrades existing elements, and their constructor checks it
  customElements.define(name, HeedViewer)
}

/**
 * A custom element that shows a model's attention over a text or an image.
 *
 * Slots: the default slot is above the text, `below` is below it, `beside` is below the attention, and `token` is in the card of
 * the selected token, for actions on it.
 *
 * Events, none of which bubble: `tokenselect`, `layerchange`, `headchange`, `kindchange`, `measurechange`, `panelchange` and `pacechange` after the
 * selected token, layer, head, kind or measure, the open panel or the pace has changed; `passagechange` when a text is shown whole, with its tokens; `reveal` when
 * the number of its visible tokens changes; `tokenwrite` for each generated token (`detail`
 * is the Token) and `writeend` at the end (`detail` is the GenerateResult); `turn` when the user switches to the other text, which
 * `compare` shows beside this one (`detail` is the position of a token there); `alternative` when the user chooses another token to
 * continue with (`branches`; `detail` is an Alternative); and `error`, an ErrorEvent, if querying the model's attention fails.
 *
 * Custom properties, set on the element: --heed-ink, --heed-paper, --heed-accent and the others of styles/theme.css.
 *
 * @example
 * const viewer = new HeedViewer()
 * document.body.append(viewer)
 * viewer.model = await loadModel()
 * await viewer.generate('Once upon a time', { maxTokens: 60 })
 */
export class HeedViewer extends Base {
  readonly #parts: Parts
  readonly #choice: HeadChoice
  readonly #scale: ScaleChoice
  readonly #text: TextInspector
  readonly #picture: PictureInspector
  readonly #panels: Panels
  readonly #sideBySide: SideBySide
  readonly #twoSentences: TwoSentences
  readonly #drawing: SamplingPanel
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
    this.#choice = new HeadChoice(this.#parts, tell)
    this.#scale = new ScaleChoice(this.#parts)
    const turnTo = (detail: number) => {
      this.dispatchEvent(new CustomEvent<number>('turn', { detail }))
    }
    this.#text = new TextInspector(this.#parts, this.#choice, turnTo, tell)
    this.#picture = new PictureInspector(this.#parts, this.#choice, tell)
    this.#sideBySide = new SideBySide(this.#parts, this.#choice, this.#text, tell)
    this.#drawing = new SamplingPanel(this.#parts, this.#text, tell)
    this.#twoSentences = new TwoSentences(this.#parts, this.#text, tell)
    this.#panels = new Panels({
      overview: new Overview(this.#parts, this.#choice, (layer, signal) => this.#readMaps(layer, signal), tell),
      heads: this.#sideBySide,
      layers: new AcrossLayers(this.#parts, this.#choice, this.#text, tell),
      inside: new InsideWeight(this.#parts, this.#choice, this.#text, tell),
      drawing: this.#drawing,
      sentences: this.#twoSentences,
    })
    this.#parts.attention.save.append(saveButtons(this.#parts, 'save-map', () => [this.#shownMap('save')], tell))
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styleSheet()]
    root.append(this.#parts.root, this.#parts.tooltip, this.#parts.probe)
    this.#parts.root.addEventListener('transitionend', ({ target }) => {
      if (target === this.#parts.root) this.#redraw()
    })
    this.#scale.scale.watch(() => this.#redraw())
    this.#text.replay.shown.watch(() => this.#report('reveal'))
    this.#text.replay.pace.watch(() => this.#report('pacechange'))
    this.#choice.layer.watch(() => this.#report('layerchange'))
    this.#choice.head.watch(() => this.#report('headchange'))
    this.#text.measures.measure.watch(() => {
      this.#report('measurechange')
      this.#panels.refresh()
    })
    this.#panels.open.watch(() => this.#report('panelchange'))
    this.#text.kinds.kind.watch(() => {
      this.#report('kindchange')
      this.#panels.refresh()
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

  /** The model whose attention is shown. The caller owns it: the viewer does not dispose of it. */
  get model(): Model | undefined {
    return this.#model
  }

  set model(model: Model | undefined) {
    this.stop()
    this.#model = model
    const { reading, card, picture, attention } = this.#parts
    const sees = model?.info.embedsImages ?? false
    reading.place.hidden = card.place.hidden = attention.map.hidden = sees
    picture.place.hidden = !sees
    this.#picture.leave()
    this.#sideBySide.leave()
    this.#drawing.leave()
    if (!model || sees) this.#text.leave()
    if (model) (sees ? this.#picture : this.#text).use(model)
    this.#panels.refresh()
  }

  /**
   * Shows what the model attends to in a text, or in a passage such as `passage` returns. Resolves when it is shown.
   *
   * @example
   * await viewer.show('The fox was tired.')
   */
  async show(text: string | Passage): Promise<void> {
    this.#needReader('show')
    this.stop()
    this.#parts.reading.text.classList.remove('writing')
    this.#text.show(typeof text === 'string' ? { prompt: text, written: [] } : text)
    await this.#text.inspectAll()
    this.#report('passagechange')
    this.#panels.refresh()
  }

  /**
   * Shows a passage that something else, such as a session, is still generating. Call it again with a longer passage to append
   * the new tokens; call `show` when the passage is complete.
   *
   * @example
   * viewer.grow(passage)          // repeatedly
   * await viewer.show(passage)    // at the end
   */
  grow(passage: Passage): void {
    this.#needReader('grow')
    this.stop()
    this.#text.grow(passage)
    this.#parts.reading.text.classList.add('writing')
  }

  /** Shows another version of the text beside the current one, with the common prefix marked; `undefined` removes it. */
  compare(other: Compared | undefined): void {
    this.#text.compare(other)
  }

  /**
   * Shows what a vision model attends to in an image. Resolves when it is shown.
   *
   * @example
   * await viewer.showImage(context.getImageData(0, 0, canvas.width, canvas.height))
   */
  async showImage(image: ImageData): Promise<void> {
    const { info } = this.#needModel()
    if (!info.embedsImages) throw new Error('HeedViewer.showImage: this model does not accept images')
    await this.#picture.show(image)
    this.#panels.refresh()
  }

  /**
   * Generates from a prompt and shows each token as it arrives. Resolves to the result of `model.generate` once the attention is
   * shown, too. Takes the options of `model.generate`.
   *
   * @example
   * const { text } = await viewer.generate('Once upon a time', { maxTokens: 60, seed: 7 })
   */
  async generate(prompt: string, options: GenerateOptions = {}): Promise<GenerateResult> {
    const model = this.#needModel()
    this.stop()
    const stop = (this.#stop = new AbortController())
    const forward = () => stop.abort(options.signal?.reason)
    if (options.signal?.aborted) forward()
    options.signal?.addEventListener('abort', forward)
    const generation = model.generate(prompt, { topLogprobs: alternatives, ...options, signal: stop.signal })
    this.#text.begin(prompt)
    this.#parts.reading.text.classList.add('writing')
    try {
      for await (const token of generation) {
        if (stop.signal.aborted) break // a token already in flight when generation was stopped
        const { alternatives = [], id, text, logprob, allowed, draft } = token
        this.#text.append({ id, text, logprob, alternatives, allowed, draft })
        this.dispatchEvent(new CustomEvent<Token>('tokenwrite', { detail: token }))
      }
      const result = await generation
      if (stop !== this.#stop || model !== this.#model) return result // superseded by another text or model
      this.#parts.reading.text.classList.remove('writing')
      this.dispatchEvent(new CustomEvent<GenerateResult>('writeend', { detail: result }))
      await this.#text.inspectAll()
      this.#report('passagechange')
      this.#panels.refresh()
      return result
    } finally {
      options.signal?.removeEventListener('abort', forward)
      if (stop === this.#stop) this.#parts.reading.text.classList.remove('writing')
    }
  }

  /** Stops the current generation. The tokens generated so far stay. */
  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when the most recently requested attention is shown, for example after changing the layer. */
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

  /** For an encoder-decoder, the attention shown: `encoder`, `cross` or `decoder`. */
  get kind(): AttentionOf {
    return this.#text.kinds.kind.value
  }

  set kind(kind: AttentionOf) {
    if (!this.#text.kinds.offered.includes(kind)) throw new RangeError(`HeedViewer.kind: this model has no ${kind} attention`)
    this.#text.kinds.kind.value = kind
  }

  /**
   * The measure of attention shown: `weights`; `values`, weights times the norms of the values that they carry; or `rollout`,
   * through all layers up to the one shown, which has no heads.
   */
  get measure(): Measure {
    return this.#text.measures.measure.value
  }

  set measure(measure: Measure) {
    if (measure !== this.measure && !(measure === 'weights' || this.#text.measures.isOffered(measure))) {
      throw new RangeError(`HeedViewer.measure: ${measure} is not to be had of this model`)
    }
    this.#text.measures.measure.value = measure
  }

  /** The position of the selected token or, in an image, the number of a patch, from 1; undefined if none is selected. */
  get token(): number | undefined {
    return this.#inspector.selection.value.pinned?.token
  }

  set token(token: number | undefined) {
    this.#inspector.select(token)
  }

  /**
   * Shades words that span several tokens as wholes, each by the sum of its tokens' weights, until another token is selected.
   *
   * @example
   * viewer.token = 17
   * viewer.markWords([{ from: 17, to: 19 }, { from: 4, to: 6 }])
   */
  markWords(words: readonly Span[]): void {
    this.#text.mark(words)
  }

  /** How weights become colors: by their square root (`square-root`), which tells small ones apart, or in proportion (`linear`). */
  get scale(): Scale {
    return this.#scale.scale.value
  }

  set scale(scale: Scale) {
    if (!['square-root', 'linear'].includes(scale)) throw new RangeError(`HeedViewer.scale: unknown scale ${scale}`)
    this.#scale.scale.value = scale
  }

  /**
   * How generated text is shown: all at once (`instant`), or token by token, each with the attention that it was chosen from,
   * automatically (`slow`) or by hand (`step`).
   */
  get pace(): Pace {
    return this.#text.replay.pace.value
  }

  set pace(pace: Pace) {
    if (!['instant', 'slow', 'step'].includes(pace)) throw new RangeError(`HeedViewer.pace: unknown pace ${pace}`)
    this.#text.replay.pace.value = pace
  }

  /**
   * The open panel below the map: `overview`, `heads` (several side by side), `layers` (one token across all), `inside` (the
   * computation of one weight), `drawing` (the sampling of the next token), `sentences` (two sentences, compared by an encoder), or
   * undefined.
   */
  get panel(): PanelName | undefined {
    return this.#panels.open.value
  }

  set panel(panel: PanelName | undefined) {
    if (panel !== undefined && !this.#panels.names.includes(panel)) throw new RangeError(`HeedViewer.panel: unknown panel ${panel}`)
    this.#panels.open.value = panel
  }

  /** Scrolls to the open panel below the map, if any, and focuses it; for links that lead there. */
  goToPanel(): void {
    this.#panels.go()
  }

  /** Focuses the text or the image. */
  override focus(options?: FocusOptions): void {
    const { reading, picture } = this.#parts
    const place = this.#model?.info.embedsImages ? picture.frame : reading.text
    place.focus(options)
  }

  /** Whether alternative tokens are buttons that dispatch `alternative`. Set this if your page can continue a text from there. */
  get branches(): boolean {
    return this.#drawing.onChoose !== undefined
  }

  set branches(branches: boolean) {
    if (branches === this.branches) return
    const report = (detail: Alternative) => {
      this.dispatchEvent(new CustomEvent<Alternative>('alternative', { detail }))
    }
    this.#drawing.onChoose = branches ? report : undefined
    this.#panels.refresh()
  }

  /** The heads that the panel `heads` shows side by side, at most six; layers and heads count from 0. */
  get heads(): readonly HeadOfLayer[] {
    return this.#sideBySide.heads
  }

  set heads(heads: readonly HeadOfLayer[]) {
    if (heads.length > mostHeads) throw new RangeError(`HeedViewer.heads: at most ${mostHeads} heads, not ${heads.length}`)
    this.#sideBySide.heads = heads.map(({ layer, head }) => ({
      layer: within('heads', layer, this.#choice.layers),
      head: head === 'mean' ? head : within('heads', head, this.#choice.heads),
    }))
  }

  /** The text that the panel `sentences` compares with; empty: none yet. */
  get sentence(): string {
    return this.#twoSentences.sentence
  }

  set sentence(sentence: string) {
    this.#twoSentences.sentence = sentence
  }

  /**
   * How many tokens of the text are visible: all of them, unless its pace is `slow` or `step`. Set it to skip ahead; `Infinity` shows the
   * whole text, and the pace stays for the next one.
   */
  get revealed(): number {
    return Math.min(this.#text.replay.shown.value, tokensOf(this.passage).length)
  }

  set revealed(count: number) {
    this.#text.replay.reveal(count)
  }

  /** The text shown, as tokens. */
  get passage(): Passage {
    return this.#text.passage
  }

  /** The attention weights of the layer shown, for a text or an image; undefined until they are known. */
  get attention(): LayerAttention | PatchAttention | undefined {
    return this.#inspector.attention
  }

  /**
   * The heat map as a PNG, in the colors shown on the screen, with the names of all tokens and a legend.
   *
   * @example
   * link.href = URL.createObjectURL(await viewer.mapImage())
   */
  async mapImage(): Promise<Blob> {
    return imageOf(this.#parts, [this.#shownMap('mapImage')])
  }

  /**
   * The heat map of `mapImage` as an SVG file.
   *
   * @example
   * const file = new Blob([viewer.mapDrawing()], { type: 'image/svg+xml' })
   */
  mapDrawing(): string {
    return drawingOf(this.#parts, [this.#shownMap('mapDrawing')])
  }

  /**
   * The weights of the heat map as CSV: a line of the columns' tokens, then one for each row, beginning with its token; empty where masked.
   *
   * @example
   * const lines = viewer.mapNumbers().split('\r\n')
   */
  mapNumbers(): string {
    return csvOf([this.#shownMap('mapNumbers')])
  }

  /** Stops generation and replay when the element leaves the page. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return // it was only moved
      this.stop()
      this.#text.replay.hold()
    })
  }

  /** Redraws when the page switches between dark and light, or the scale changes. */
  #redraw(): void {
    this.#inspector.redraw()
    this.#panels.refresh()
  }

  get #inspector(): TextInspector | PictureInspector {
    return this.#model?.info.embedsImages ? this.#picture : this.#text
  }

  #needModel(): Model {
    if (!this.#model) throw new Error('HeedViewer: no model is set yet')
    return this.#model
  }

  /** Throws for a vision model, which takes images instead of text. */
  #needReader(method: string): void {
    if (!this.#needModel().info.embedsImages) return
    throw new Error(`HeedViewer.${method}: this model reads images, not text: use showImage`)
  }

  #report(type: string): void {
    this.dispatchEvent(new CustomEvent(type))
  }

  /** The heat map with its title. Throws if there is none. */
  #shownMap(method: string): TitledMap {
    const { attention } = this.#text
    if (!attention?.attends) throw new Error(`HeedViewer.${method}: no heat map is shown`)
    const { name } = measures[this.measure]
    const title = `Attention${this.measure === 'weights' ? '' : ` (${name})`}, layer ${attention.layer + 1}, ${nameOfHead(this.head)}`
    return { title, picture: pictureOf(attention, this.head) }
  }

  async #readMaps(layer: number, signal: AbortSignal) {
    if (this.#model?.info.embedsImages) {
      const attention = await this.#picture.read(layer, signal)
      return (
        attention &&
        ((head: number) => ({ weights: attention.light(head, 0), rows: attention.patches, columns: attention.patches }))
      )
    }
    const attention = await this.#text.read(layer, signal)
    return attention && ((head: number) => ({ weights: attention.weights(head), rows: attention.rows, columns: attention.columns }))
  }
}

function within(name: string, value: number, count: number): number {
  if (Number.isInteger(value) && value >= 0 && value < count) return value
  throw new RangeError(`HeedViewer.${name}: ${value} is out of range: 0 to ${count - 1}`)
}
