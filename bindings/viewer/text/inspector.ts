// Keeps the text, its card, the heads and the heat map in sync with the selected token.
import type { AttentionOf, AttentionParts, Model } from 'heed'
import { hasSinkToken, tellMeaning, tellNotes } from '../attention/captions.js'
import { scaleOf } from '../attention/color-scale.js'
import type { HeadChoice } from '../attention/head-choice.js'
import { KindChoice } from '../attention/kind-choice.js'
import type { AttentionRow, LayerAttention } from '../attention/layer-attention.js'
import { MapView } from '../attention/map-view.js'
import { type Measure, MeasureChoice } from '../attention/measure.js'
import { AttentionReader, isCovered, logitsAfter, readWeightParts, tokensShown, type WeightChoice } from '../attention/reader.js'
import type { LayerGates } from '../attention/layer-gates.js'
import { GatesView } from '../gates/view.js'
import { withPlaces } from '../images/places.js'
import { LooksView } from '../images/view.js'
import type { Parts } from '../frame/parts.js'
import { itself, nothing, pin, type Selection, type Subject } from '../tokens/selection.js'
import { percent, quoted } from '../support/format.js'
import { Observable } from '../support/observable.js'
import { inWords, showCard } from './card.js'
import { type Compared, Comparison } from './comparison.js'
import { navigateTokens } from './navigation.js'
import {
  emptyPassage,
  firstWritten,
  goesOnFrom,
  namesOfMedia,
  isWritten,
  type Passage,
  type PassageToken,
  type Span,
  tokensOf,
  type WrittenToken,
} from '../tokens/passage.js'
import { Replay } from './replay.js'
import { Tooltip } from './tooltip.js'
import { TextView } from './view.js'

/** The kinds of attention of a text model, starting with the one available before anything is generated. */
function kindsOf({ generates, embeds }: Model['info']): readonly AttentionOf[] {
  if (!generates) return ['encoder']
  return embeds ? ['encoder', 'cross', 'decoder'] : ['decoder']
}

export class TextInspector {
  readonly selection = new Observable<Selection>(nothing)
  readonly kinds: KindChoice
  readonly measures: MeasureChoice
  readonly replay: Replay
  readonly #parts: Parts
  readonly #choice: HeadChoice
  readonly #view: TextView
  readonly #map: MapView
  readonly #gatesView: GatesView
  readonly #looks: LooksView
  readonly #tooltip: Tooltip
  readonly #comparison: Comparison
  readonly #reader = new AttentionReader()
  readonly #onError: (error: unknown) => void
  #passage = emptyPassage
  #tokens: readonly PassageToken[] = []
  #attention?: LayerAttention
  #model?: Model
  /** Whether to skip layers without attention, because none with attention has been shown for this model yet. */
  #seeks = true
  #latest: Promise<void> | undefined
  /** Whether the passage is new and has not been scrolled to its generated part yet. */
  #isNew = false
  /** Words to shade as long as this token stays pinned. */
  #words?: { readonly token: number | undefined; readonly spans: readonly Span[] }
  /** Counts changes of the passage, so that outdated calls can be detected. */
  #shows = 0

  /** `turnTo` is called with the position of the token chosen in the other text. */
  constructor(parts: Parts, choice: HeadChoice, turnTo: (token: number) => void, onError: (error: unknown) => void) {
    this.#parts = parts
    this.#choice = choice
    this.#onError = onError
    this.kinds = new KindChoice(parts)
    this.measures = new MeasureChoice(parts)
    this.replay = new Replay(parts)
    this.#view = new TextView(parts.reading.text)
    this.#map = new MapView(parts, this.selection)
    this.#gatesView = new GatesView(parts, this.selection, onError)
    this.#looks = new LooksView(parts, this.selection, token => this.#subjectOf(token), onError)
    this.#tooltip = new Tooltip(parts.tooltip)
    this.#comparison = new Comparison(parts, this.#view, turnTo)
    const isUnanswered = () => this.#passage.start !== undefined && this.#passage.written.length === 0
    const count = () => Math.min(this.#tokens.length - (isUnanswered() ? 1 : 0), this.replay.shown.value)
    navigateTokens(
      parts.reading.text,
      this.#view,
      this.selection,
      token => this.#subjectOf(token),
      count,
      () => this.#passage.begin ?? 0,
    )
    this.selection.watch(() => this.#look())
    this.kinds.kind.watch(kind => this.#turn(kind))
    this.replay.shown.watch(shown => this.#reveal(shown))
    choice.layer.watch(() => this.inspect())
    this.measures.measure.watch(measure => this.#measure(measure))
    choice.head.watch(head => {
      if (this.measures.measure.value === 'rollout' && head !== 'mean')
        choice.head.value = 'mean' // rollout has no heads
      else if (this.#model) this.#showHead()
    })
  }

  get passage(): Passage {
    return this.#passage
  }

  /** The attention of the layer shown; undefined until it is known. */
  get attention(): LayerAttention | undefined {
    return this.#attention
  }

  /** Switches to another model and offers its heads. */
  use(model: Model): void {
    this.leave()
    const kinds = kindsOf(model.info)
    this.kinds.offer(kinds)
    this.replay.offer(model.info.generates)
    this.#offerHeads(model, kinds[0]!)
    this.measures.offer(kinds[0]!)
    this.#seeks = model.info.heads > 0
    this.#model = model // from here on, a change of layer or kind queries the model
    this.#look()
  }

  /** Detaches the model and clears the view. */
  leave(): void {
    this.#model = undefined
    this.kinds.hide()
    this.measures.hide()
    this.#reader.clear()
    this.compare(undefined)
    this.show(emptyPassage)
    this.#showLayer(undefined)
  }

  /** Shows a passage. If it extends the current one, only the new tokens are added. `inspect` then reads its attention. */
  show(passage: Passage): void {
    if (passage === this.#passage) return
    this.#shows++
    const isMore = goesOnFrom(passage, this.#passage)
    if (!isMore || !passage.promptTokens) this.#reader.stop()
    if (!isMore) {
      this.#words = undefined
      this.#parts.speech.textContent = '' // it is about the text shown so far
      this.selection.value = nothing
    }
    this.#take(passage)
    this.#isNew ||= !isMore
    if (!isMore) this.#showLayer(undefined)
  }

  /** Shows a passage that is still being generated. Until `inspectAll`, only the attention of its beginning is read. */
  grow(passage: Passage): void {
    const isMore = goesOnFrom(passage, this.#passage)
    this.show(passage)
    if (!isMore && passage.promptTokens) this.inspect()
  }

  /** Prepares for text generated from a prompt. If the prompt is unchanged, its tokens are reused. */
  begin(prompt: string): void {
    const { promptTokens, start } = this.#passage
    this.show(prompt === this.#passage.prompt ? { prompt, promptTokens, start, written: [] } : { prompt, written: [] })
  }

  append(token: WrittenToken): void {
    this.show({ ...this.#passage, written: [...this.#passage.written, token] })
  }

  /** Shows another version of the text beside it; undefined removes it. */
  compare(other: Compared | undefined): void {
    this.#comparison.show(other, this.#passage)
  }

  /** Inspects the whole passage. Once an encoder-decoder has answered, switches from encoder attention to cross-attention. */
  async inspectAll(): Promise<void> {
    const shows = this.#shows
    const answers = this.#passage.written.length > 0 && this.#model?.info.decoderStart !== undefined
    if (answers && this.kinds.kind.value === 'encoder') this.kinds.kind.value = 'cross'
    this.inspect()
    if (this.#isNew && this.#passage.written.length > 0) this.#view.bring(firstWritten(this.#passage))
    this.#isNew = false
    await this.settle()
    if (shows === this.#shows) this.replay.start(firstWritten(this.#passage), this.#tokens.length)
  }

  /** Reads what the model attends to in the selected layer, and shows it. */
  inspect(): Promise<void> {
    return (this.#latest = this.#inspect())
  }

  /** Resolves when the most recently requested attention is shown. */
  async settle(): Promise<void> {
    for (let latest; latest !== this.#latest; ) {
      await (latest = this.#latest)
      await this.#choice.settle()
    }
  }

  async #inspect(): Promise<void> {
    if (!this.#model) return
    if (this.#passage.promptTokens && this.#tokens.length === 0) return this.#showLayer(undefined) // no tokens, no attention
    this.#map.wait()
    const layer = this.#choice.layer.value
    const asked = this.#passage
    try {
      const reading = await this.#reader.read(this.#model, asked, {
        of: this.kinds.kind.value,
        layer,
        measure: this.measures.measure.value,
      })
      if (!reading) return
      // If the passage has grown meanwhile, the reading covers only its beginning and must not replace it.
      if (asked === this.#passage && reading.passage !== asked) {
        if (!this.#passage.promptTokens) this.selection.value = nothing // tokenizing the prompt changes token positions
        this.#take(reading.passage)
      }
      const { attends } = reading.attention
      if (this.#seeks && !attends && layer + 1 < this.#model.info.layers) this.#choice.layer.value++
      else this.#showLayer(reading.attention, reading.gates)
      this.#seeks &&= !attends
    } catch (error) {
      if (this.measures.measure.value === 'values' && (error as { code?: string }).code === 'unsupported')
        return this.measures.refuseValues()
      this.#showLayer(undefined)
      this.#onError(error)
    }
  }

  /** Redraws after the colors or their scale have changed. */
  redraw(): void {
    if (this.#model) this.#showHeads()
    this.#map.draw()
    this.#gatesView.draw()
    this.#showLooks()
    this.#look()
  }

  /** Shows the places in images, which are computed only from the weights, not from another measure. */
  #showLooks(): void {
    const attention = this.measures.measure.value === 'weights' ? this.#attention : undefined
    this.#looks.show(this.#passage, attention, this.#choice.head.value)
  }

  /** The text model in use. */
  get model(): Model | undefined {
    return this.#model
  }

  /** Reads any layer of the text shown, for the panels. */
  async read(layer: number, signal: AbortSignal): Promise<LayerAttention | undefined> {
    if (!this.#model || !this.#passage.promptTokens) return undefined
    const question = { of: this.kinds.kind.value, layer, measure: this.measures.measure.value }
    const reading = await this.#reader.readBeside(this.#model, this.#passage, question, signal)
    return reading?.attention
  }

  /** The logits after the token at a position; undefined where none are computed. */
  async logits(position: number, signal: AbortSignal): Promise<Float32Array | undefined> {
    return this.#model && this.#passage.promptTokens && logitsAfter(this.#model, this.#passage, position, signal)
  }

  /** The text of a token of the model. */
  async nameOfToken(id: number): Promise<string> {
    return this.#model?.detokenize([id], { special: true }) ?? ''
  }

  /** The inputs of a token's weights; undefined if it has none. */
  async parts(chosen: WeightChoice, signal: AbortSignal): Promise<AttentionParts | undefined> {
    if (!this.#model || !this.#passage.promptTokens) return undefined
    return readWeightParts(this.#model, this.#passage, this.kinds.kind.value, chosen, signal)
  }

  /** Selects the token at a position; undefined clears the selection. */
  select(token: number | undefined): void {
    if (token !== undefined && !this.#tokens[token]) {
      throw new RangeError(`The text has ${this.#tokens.length} tokens; ${token} is out of range`)
    }
    if (token !== undefined) this.#view.scrollTo(token) // before changes to the page, after which this would force a layout
    this.selection.value = token === undefined ? nothing : pin(this.#subjectOf(token))
  }

  /** Shades words of several tokens as wholes, as long as the pinned token stays the same. */
  mark(spans: readonly Span[]): void {
    this.#words = { token: this.selection.value.pinned?.token, spans }
    this.#look()
  }

  /** A generated token is shown with the previous row, from which it was chosen, except in an encoder; others with their own. */
  #subjectOf(token: number): Subject {
    const wasChosen = this.#tokens[token] && isWritten(this.#tokens[token]) && token > 0 && this.kinds.kind.value !== 'encoder'
    return wasChosen ? { token, row: token - 1 } : itself(token)
  }

  #offerHeads({ info }: Model, of: AttentionOf): void {
    this.#choice.offer({ layers: of === 'encoder' ? info.encoderLayers : info.layers, heads: info.heads })
  }

  /** Switches to another kind of attention. */
  #turn(of: AttentionOf): void {
    tellMeaning(this.#parts, of)
    const model = this.#model
    if (!model) return
    this.#model = undefined // so that offering its heads does not query it yet
    this.#offerHeads(model, of)
    this.measures.offer(of)
    this.#model = model
    this.inspect()
  }

  /** Shows another measure. Rollout has no heads. */
  #measure(measure: Measure): void {
    if (measure === 'rollout') this.#choice.head.value = 'mean'
    this.#parts.attention.headsPlace.disabled = measure === 'rollout'
    this.inspect()
  }

  #take(passage: Passage): void {
    const isUnderWay = this.#passage.written.length > 0 && goesOnFrom(passage, this.#passage)
    this.#passage = passage
    this.#tokens = tokensOf(passage)
    this.measures.readsPictures(passage.parts !== undefined)
    if (!isUnderWay) this.replay.wait(firstWritten(passage))
    this.#view.show(passage)
    this.#view.reveal(this.replay.shown.value)
    this.#comparison.update(passage)
  }

  /** Shows only the first tokens, and selects the last of them. */
  #reveal(shown: number): void {
    this.#view.reveal(shown)
    this.#map.limit(shown)
    if (shown > this.#tokens.length || shown <= firstWritten(this.#passage)) return
    this.#view.scrollTo(shown - 1) // before changes to the page, after which this would force a layout
    this.selection.value = pin(this.#subjectOf(shown - 1))
  }

  #showLayer(attention: LayerAttention | undefined, gates?: LayerGates): void {
    this.#attention = attention
    this.#tokens = withPlaces(tokensOf(this.#passage), attention?.images ?? [])
    this.#gatesView.show(gates)
    if (attention) this.#parts.attention.place.classList.add('known')
    this.#showHeads()
    this.#showHead()
  }

  #showHeads(): void {
    const attention = this.#attention
    this.#choice.show(
      attention && (head => ({ weights: attention.weights(head), rows: attention.rows, columns: attention.columns })),
    )
  }

  #showHead(): void {
    const covered = !this.#model || isCovered(this.#model, this.#passage)
    const limit = covered
      ? ''
      : this.#passage.parts
        ? `This text with its ${namesOfMedia(this.#passage)} is too long to show what is looked at.`
        : `Of this text the first ${tokensShown(this.#model!)} tokens are shown.`
    tellNotes(this.#parts, this.#attention, this.#choice.head.value, limit)
    this.#map.show(this.#attention, this.#choice.head.value)
    this.#showLooks()
    this.#look()
  }

  /** Updates all parts of the view for the current selection. */
  #look(): void {
    const { subject, object, pinned } = this.selection.value
    const head = this.#choice.head.value
    const look = this.#attention?.look(head, subject?.row)
    const chooser = subject && subject.row !== subject.token ? subject.row : undefined
    if (pinned?.token !== this.#words?.token) this.#words = undefined
    const words = this.#words?.spans
    this.#view.shade({ subject: subject?.token, chooser, object, look, words, scale: scaleOf(this.#parts.probe) })
    const content = {
      subject,
      isHeld: pinned !== undefined,
      tokens: this.#tokens,
      word: this.#wordOf(subject),
      look,
      measure: this.measures.measure.value,
      writes: this.#model?.info.generates ?? true,
      hasSinkToken: this.#attention ? hasSinkToken(this.#attention, head) : false,
      vocabulary: this.#model?.info.vocabulary ?? 0,
    }
    showCard(this.#parts, content)
    const looked = this.#looks.look(this.selection.value)
    if (pinned !== undefined) this.#parts.speech.textContent = looked === '' ? inWords(content) : `${looked} ${inWords(content)}`
    this.#label(subject, object, look)
  }

  /** The marked word that a token is part of, if it is longer than the token. */
  #wordOf(subject: Subject | undefined): string | undefined {
    const span = this.#words?.spans.find(({ from, to }) => subject && from <= subject.token && subject.token < to && to - from > 1)
    return (
      span &&
      this.#tokens
        .slice(span.from, span.to)
        .map(({ text }) => text)
        .join('')
        .trim()
    )
  }

  /** While a token is pinned, labels another one under the pointer with its share of the pinned token's attention. */
  #label(subject: Subject | undefined, object: number | undefined, look: AttentionRow | undefined): void {
    const element = this.#view.element(object)
    if (object === undefined || !subject || !element || !this.#parts.reading.text.matches(':hover')) return this.#tooltip.hide()
    const name = quoted(this.#tokens[subject.row]!)
    const share = look?.weights[object - look.first]
    this.#tooltip.show(element, share === undefined ? `out of sight of ${name}` : `${percent(share)} of what ${name} looks at`)
  }
}
