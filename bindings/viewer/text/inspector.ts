// The inspection of a text: keeps the text, its card, heads and heat map in step with the token selected.
import type { AttentionOf, Model } from 'heed'
import { hasSinkToken, tellMeaning, tellNotes } from '../attention/captions.js'
import type { HeadChoice } from '../attention/head-choice.js'
import { KindChoice } from '../attention/kind-choice.js'
import type { AttentionRow, LayerAttention } from '../attention/layer-attention.js'
import { MapView } from '../attention/map-view.js'
import { ask, AttentionReader, isCovered, tokensShown } from '../attention/reader.js'
import type { LayerGates } from '../gates/layer-gates.js'
import { GatesView } from '../gates/view.js'
import type { Parts } from '../parts.js'
import { itself, nothing, pin, type Selection, type Subject } from '../selection.js'
import { percent, quoted } from '../support/format.js'
import { Observable } from '../support/observable.js'
import { inWords, showCard } from './card.js'
import { type Compared, Comparison } from './comparison.js'
import { navigateTokens } from './navigation.js'
import {
  emptyPassage, firstWritten, goesOnFrom, isWritten, type Passage, type PassageToken, tokensOf, type WrittenToken,
} from './passage.js'
import { Replay } from './replay.js'
import { Tooltip } from './tooltip.js'
import { TextView } from './view.js'

/** The kinds of attention that a model of texts has, first what there is before anything is written. */
function kindsOf({ generates, embeds }: Model['info']): readonly AttentionOf[] {
  if (!generates) return ['encoder']
  return embeds ? ['encoder', 'cross', 'decoder'] : ['decoder']
}

export class TextInspector {
  readonly selection = new Observable<Selection>(nothing)
  readonly kinds: KindChoice
  readonly replay: Replay
  readonly #parts: Parts
  readonly #choice: HeadChoice
  readonly #view: TextView
  readonly #map: MapView
  readonly #gatesView: GatesView
  readonly #tooltip: Tooltip
  readonly #comparison: Comparison
  readonly #reader = new AttentionReader()
  readonly #onError: (error: unknown) => void
  #passage = emptyPassage
  #tokens: readonly PassageToken[] = []
  #attention?: LayerAttention
  #model?: Model
  /** Whether the layer is still the viewer's own choice: then it is to be one that attends. */
  #seeks = true
  #latest: Promise<void> | undefined
  /** Whether the passage is another one than before, whose end is yet to be brought in sight. */
  #isNew = false
  /** How often the passage has changed. */
  #shows = 0

  /** `turnTo` is told which token was chosen in the text beside this one. */
  constructor(parts: Parts, choice: HeadChoice, turnTo: (token: number) => void, onError: (error: unknown) => void) {
    this.#parts = parts
    this.#choice = choice
    this.#onError = onError
    this.kinds = new KindChoice(parts)
    this.replay = new Replay(parts)
    this.#view = new TextView(parts.reading.text)
    this.#map = new MapView(parts, this.selection)
    this.#gatesView = new GatesView(parts, this.selection)
    this.#tooltip = new Tooltip(parts.tooltip)
    this.#comparison = new Comparison(parts, this.#view, turnTo)
    const count = () => Math.min(this.#tokens.length, this.replay.shown.value)
    navigateTokens(parts.reading.text, this.#view, this.selection, token => this.#subjectOf(token), count)
    this.selection.watch(() => this.#look())
    this.kinds.kind.watch(kind => this.#turn(kind))
    this.replay.shown.watch(shown => this.#reveal(shown))
    choice.layer.watch(() => this.inspect())
    choice.head.watch(() => { if (this.#model) this.#showHead() })
  }

  get passage(): Passage {
    return this.#passage
  }

  /** The layer shown, once it is known. */
  get attention(): LayerAttention | undefined {
    return this.#attention
  }

  /** Turns to another model, whose heads are then offered. */
  use(model: Model): void {
    this.leave()
    const kinds = kindsOf(model.info)
    this.kinds.offer(kinds)
    this.replay.offer(model.info.generates)
    this.#offerHeads(model, kinds[0]!)
    this.#seeks = true
    this.#model = model  // from here on, what is chosen is read
    this.#look()
  }

  /** Lets go of the model. */
  leave(): void {
    this.#model = undefined
    this.kinds.hide()
    this.#reader.clear()
    this.compare(undefined)
    this.show(emptyPassage)
    this.#showLayer(undefined)
  }

  /** Shows a passage: of one that goes on from what is shown, the rest is added. Its attention comes with `inspect`. */
  show(passage: Passage): void {
    if (passage === this.#passage) return
    this.#shows++
    const isMore = goesOnFrom(passage, this.#passage)
    if (!isMore || !passage.promptTokens) this.#reader.stop()
    if (!isMore) this.selection.value = nothing
    this.#take(passage)
    this.#isNew ||= !isMore
    if (!isMore) this.#showLayer(undefined)
  }

  /** Shows a passage that is still written. What it attends to is read of its beginning only, until it is whole. */
  grow(passage: Passage): void {
    const isMore = goesOnFrom(passage, this.#passage)
    this.show(passage)
    if (!isMore && passage.promptTokens) this.inspect()
  }

  /** Makes ready for text to come after a prompt. What is known of the same prompt stays. */
  begin(prompt: string): void {
    const { promptTokens, start } = this.#passage
    this.show(prompt === this.#passage.prompt ? { prompt, promptTokens, start, written: [] } : { prompt, written: [] })
  }

  append(token: WrittenToken): void {
    this.show({ ...this.#passage, written: [...this.#passage.written, token] })
  }

  /** Shows another version of the text beside it, or none. */
  compare(other: Compared | undefined): void {
    this.#comparison.show(other, this.#passage)
  }

  /** Inspects the whole passage. Of an answer that is what it attends to in the text, where only the text was shown before. */
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

  /** Asks what the model attends to in the passage, in the layer chosen, and shows it. */
  inspect(): Promise<void> {
    return this.#latest = this.#inspect()
  }

  /** Resolves when what was last asked for is shown. */
  async settle(): Promise<void> {
    for (let latest; latest !== this.#latest;) await (latest = this.#latest)
  }

  async #inspect(): Promise<void> {
    if (!this.#model) return
    if (this.#passage.promptTokens && this.#tokens.length === 0) return this.#showLayer(undefined)  // nothing attends
    this.#map.wait()
    const layer = this.#choice.layer.value
    const asked = this.#passage
    try {
      const reading = await this.#reader.read(this.#model, asked, { of: this.kinds.kind.value, layer })
      if (!reading) return
      // Where more was written meanwhile, what was read is its beginning.
      if (asked === this.#passage && reading.passage !== asked) {
        if (!this.#passage.promptTokens) this.selection.value = nothing  // the positions of tokens change
        this.#take(reading.passage)
      }
      const { attends } = reading.attention
      if (this.#seeks && !attends && layer + 1 < this.#model.info.layers) this.#choice.layer.value++
      else this.#showLayer(reading.attention, reading.gates)
      this.#seeks &&= !attends
    } catch (error) {
      this.#showLayer(undefined)
      this.#onError(error)
    }
  }

  /** Paints anew: the colours have changed. */
  redraw(): void {
    if (this.#model) this.#showHeads()
    this.#map.draw()
    this.#gatesView.draw()
  }

  /** Reads another layer of the text shown, for the overview. */
  async read(layer: number, signal: AbortSignal): Promise<LayerAttention | undefined> {
    if (!this.#model || !this.#passage.promptTokens) return undefined
    return ask(this.#model, this.#passage, { of: this.kinds.kind.value, layer }, signal)
  }

  /** Selects the token at a position, or none. */
  select(token: number | undefined): void {
    if (token !== undefined && !this.#tokens[token]) {
      throw new RangeError(`The text has ${this.#tokens.length} tokens; ${token} is out of range`)
    }
    this.selection.value = token === undefined ? nothing : pin(this.#subjectOf(token))
    if (token !== undefined) this.#view.scrollTo(token)
  }

  /** A token that was written is shown with the row before it, where it was chosen; any other with its own. */
  #subjectOf(token: number): Subject {
    const wasChosen = this.#tokens[token] && isWritten(this.#tokens[token]) && token > 0 && this.kinds.kind.value !== 'encoder'
    return wasChosen ? { token, row: token - 1 } : itself(token)
  }

  #offerHeads({ info }: Model, of: AttentionOf): void {
    this.#choice.offer({ layers: of === 'encoder' ? info.encoderLayers : info.layers, heads: info.heads })
  }

  /** Turns to another kind of attention. */
  #turn(of: AttentionOf): void {
    tellMeaning(this.#parts, of)
    const model = this.#model
    if (!model) return
    this.#model = undefined  // offering its heads must not yet read
    this.#offerHeads(model, of)
    this.#model = model
    this.inspect()
  }

  #take(passage: Passage): void {
    const isUnderWay = this.#passage.written.length > 0 && goesOnFrom(passage, this.#passage)
    this.#passage = passage
    this.#tokens = tokensOf(passage)
    if (!isUnderWay) this.replay.wait(firstWritten(passage))
    this.#view.show(passage)
    this.#view.reveal(this.replay.shown.value)
    this.#comparison.update(passage)
  }

  /** Shows the first tokens only, and for the last of them what chose it. */
  #reveal(shown: number): void {
    this.#view.reveal(shown)
    this.#map.limit(shown)
    if (shown > this.#tokens.length || shown <= firstWritten(this.#passage)) return
    this.selection.value = pin(this.#subjectOf(shown - 1))
    this.#view.scrollTo(shown - 1)
  }

  #showLayer(attention: LayerAttention | undefined, gates?: LayerGates): void {
    this.#attention = attention
    this.#gatesView.show(gates)
    if (attention) this.#parts.attention.place.classList.add('known')
    this.#showHeads()
    this.#showHead()
  }

  #showHeads(): void {
    const attention = this.#attention
    this.#choice.show(attention && (head => (
      { weights: attention.weights(head), rows: attention.rows, columns: attention.columns })))
  }

  #showHead(): void {
    const covered = !this.#model || isCovered(this.#model, this.#passage)
    const limit = covered ? '' : `Of this text the first ${tokensShown(this.#model!)} tokens are shown.`
    tellNotes(this.#parts, this.#attention, this.#choice.head.value, limit)
    this.#map.show(this.#attention, this.#choice.head.value)
    this.#look()
  }

  /** Shows what the token selected attends to, everywhere. */
  #look(): void {
    const { subject, object, pinned } = this.selection.value
    const head = this.#choice.head.value
    const look = this.#attention?.look(head, subject?.row)
    const chooser = subject && subject.row !== subject.token ? subject.row : undefined
    this.#view.shade({ subject: subject?.token, chooser, object, look })
    const content = {
      subject, isHeld: pinned !== undefined, tokens: this.#tokens, look, writes: this.#model?.info.generates ?? true,
      hasSinkToken: this.#attention ? hasSinkToken(this.#attention, head) : false,
    }
    showCard(this.#parts, content)
    if (pinned !== undefined) this.#parts.speech.textContent = inWords(content)
    this.#label(subject, object, look)
  }

  /** Labels the token under the pointer, while another is pinned, with its share of that one's attention. */
  #label(subject: Subject | undefined, object: number | undefined, look: AttentionRow | undefined): void {
    const element = this.#view.element(object)
    if (object === undefined || !subject || !element || !this.#parts.reading.text.matches(':hover')) return this.#tooltip.hide()
    const name = quoted(this.#tokens[subject.row]!)
    const share = look?.weights[object - look.first]
    this.#tooltip.show(element,
      share === undefined ? `out of sight of ${name}` : `${percent(share)} of what ${name} looks at`)
  }
}
