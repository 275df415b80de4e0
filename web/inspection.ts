// The inspection of the passage: keeps text, card, heads and heat map in step with what the reader looks at.
import type { AttentionOf, Model } from 'heed'
import { inWords, showCard } from './attention/card.js'
import { type Gaze, nowhere } from './attention/gaze.js'
import type { HeadChoice } from './attention/heads.js'
import type { LayerAttention, Look } from './attention/layer.js'
import { MapView } from './attention/map-view.js'
import { tellMeaning, tellNotes } from './attention/meaning.js'
import { AttentionReader, isCovered, tokensShown } from './attention/reader.js'
import { watchTheme } from './attention/scale.js'
import { Whose } from './attention/whose.js'
import { attentionsOf, type Kind } from './model/kind.js'
import { followReader } from './passage/keys.js'
import {
  emptyPassage, type Passage, type PassageToken, tokensOf, type WrittenToken,
} from './passage/passage.js'
import { Tooltip } from './passage/tooltip.js'
import { PassageView } from './passage/view.js'
import { byId } from './support/dom.js'
import { percent, quoted } from './support/format.js'
import { Observable } from './support/observable.js'

export class Inspection {
  readonly gaze = new Observable<Gaze>(nowhere)
  readonly #choice: HeadChoice
  readonly #whose = new Whose()
  readonly #place = byId('passage', HTMLDivElement)
  readonly #view = new PassageView(this.#place)
  readonly #map = new MapView(this.gaze)
  readonly #tooltip = new Tooltip()
  readonly #speech = byId('speech', HTMLParagraphElement)
  readonly #reader = new AttentionReader()
  readonly #onError: (error: unknown) => void
  #passage = emptyPassage
  #tokens: readonly PassageToken[] = []
  #attention?: LayerAttention
  #model?: Model
  /** Whether the layer is still the page's own choice: then it is to be one that attends. */
  #seeks = true

  constructor(choice: HeadChoice, onError: (error: unknown) => void) {
    this.#choice = choice
    this.#onError = onError
    followReader(this.#place, this.#view, this.gaze)
    this.gaze.watch(() => this.#look())
    this.#whose.of.watch(of => this.#turn(of))
    choice.layer.watch(() => this.inspect())
    choice.head.watch(() => { if (this.#model) this.#showHead() })
    watchTheme(() => { if (this.#model) this.#showHeads() })
  }

  get passage(): Passage {
    return this.#passage
  }

  /** The layer shown, once it is known. */
  get attention(): LayerAttention | undefined {
    return this.#attention
  }

  /** Turns to another model, whose heads are then offered. */
  use(model: Model, kind: Exclude<Kind, 'sees'>): void {
    this.leave()
    const [of] = attentionsOf[kind]
    this.#whose.offer(attentionsOf[kind])
    this.#offerHeads(model, of)
    this.#seeks = true
    this.#model = model  // from here on, what is chosen is read
    this.#look()
  }

  /** Lets go of the model. */
  leave(): void {
    this.#model = undefined
    this.#whose.hide()
    this.show(emptyPassage)
  }

  /** Shows a passage. Its attention comes with `inspect`. */
  show(passage: Passage): void {
    this.#reader.clear()
    this.gaze.value = nowhere
    this.#setPassage(passage)
    this.#view.show(passage)
    this.#showLayer(undefined)
  }

  /** Makes ready for text to come after a prompt. What is known of the same prompt stays. */
  begin(prompt: string): void {
    const { promptTokens, start, written } = this.#passage
    if (prompt !== this.#passage.prompt) this.show({ prompt, written: [] })
    else if (!promptTokens || written.length > 0) this.show({ prompt, promptTokens, start, written: [] })
    else this.#reader.clear()
  }

  append(token: WrittenToken): void {
    this.#setPassage({ ...this.#passage, written: [...this.#passage.written, token] })
    this.#view.append(token)
  }

  /** Inspects what was written. Of an answer that is what it attends to in the text, where only the text was shown before. */
  inspectWritten(): void {
    const answers = this.#model?.info.decoderStart !== undefined
    if (answers && this.#whose.of.value === 'encoder') this.#whose.of.value = 'cross'
    else this.inspect()
  }

  /** Asks what the model attends to in the passage, in the layer chosen, and shows it. */
  async inspect(): Promise<void> {
    if (!this.#model) return
    this.#map.wait()
    const layer = this.#choice.layer.value
    try {
      const reading = await this.#reader.read(this.#model, this.#passage, { of: this.#whose.of.value, layer })
      if (!reading) return
      if (reading.passage !== this.#passage) {
        this.gaze.value = nowhere  // the positions of tokens have changed
        this.#setPassage(reading.passage)
        this.#view.show(reading.passage)
      }
      const { attends } = reading.attention
      if (this.#seeks && !attends && layer + 1 < this.#model.info.layers) this.#choice.layer.value++
      else this.#showLayer(reading.attention)
      this.#seeks &&= !attends
    } catch (error) {
      this.#showLayer(undefined)
      this.#onError(error)
    }
  }

  #offerHeads({ info }: Model, of: AttentionOf): void {
    this.#choice.offer({ layers: of === 'encoder' ? info.encoderLayers : info.layers, heads: info.heads })
  }

  /** Turns to another kind of attention. */
  #turn(of: AttentionOf): void {
    tellMeaning(of)
    const model = this.#model
    if (!model) return
    this.#model = undefined  // offering its heads must not yet read
    this.#offerHeads(model, of)
    this.#model = model
    this.inspect()
  }

  #setPassage(passage: Passage): void {
    this.#passage = passage
    this.#tokens = tokensOf(passage)
  }

  #showLayer(attention: LayerAttention | undefined): void {
    this.#attention = attention
    tellNotes(attention, isCovered(this.#passage) ? '' : `Of this text the first ${tokensShown} tokens are shown.`)
    this.#showHeads()
    this.#showHead()
  }

  #showHeads(): void {
    const attention = this.#attention
    this.#choice.show(attention && (head => (
      { weights: attention.weights(head), rows: attention.rows, columns: attention.columns })))
  }

  #showHead(): void {
    this.#map.show(this.#attention, this.#choice.head.value)
    this.#look()
  }

  /** Shows what the token looked at attends to, everywhere. */
  #look(): void {
    const { subject, object } = this.gaze.value
    const look = this.#attention?.look(this.#choice.head.value, subject)
    this.#view.shade({ subject, object, look })
    const token = subject === undefined ? undefined : this.#tokens[subject]
    const content = { token, tokens: this.#tokens, look, writes: this.#model?.info.generates ?? true }
    showCard(content)
    if (this.gaze.value.pinned !== undefined) this.#speech.textContent = inWords(content)
    this.#label(subject, object, look)
  }

  /** Labels the token under the pointer, while another is pinned, with its share of that one's attention. */
  #label(subject: number | undefined, object: number | undefined, look: Look | undefined): void {
    const element = this.#view.element(object)
    if (object === undefined || !element || !this.#place.matches(':hover')) return this.#tooltip.hide()
    const name = quoted(this.#tokens[subject!]!.text)
    const share = look?.weights[object - look.first]
    this.#tooltip.show(element,
      share === undefined ? `out of sight of ${name}` : `${percent(share)} of what ${name} looks at`)
  }
}
