// The inspection of the passage: keeps text, card, heads and heat map in step with what the reader looks at.
import type { Model } from 'heed'
import { inWords, showCard } from './attention/card.js'
import { type Gaze, nowhere } from './attention/gaze.js'
import { HeadChoice } from './attention/heads.js'
import type { LayerAttention } from './attention/layer.js'
import { MapView } from './attention/map-view.js'
import { AttentionReader, isCovered, tokensShown } from './attention/reader.js'
import { watchTheme } from './attention/scale.js'
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
  readonly choice = new HeadChoice()
  readonly gaze = new Observable<Gaze>(nowhere)
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

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
    followReader(this.#place, this.#view, this.gaze)
    this.gaze.watch(() => this.#look())
    this.choice.layer.watch(() => this.inspect())
    this.choice.head.watch(() => this.#showHead())
    watchTheme(() => this.choice.show(this.#attention))
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
    this.#model = undefined  // offering its heads must not yet read the old passage
    this.choice.offer(model.info)
    this.#model = model
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
    const same = prompt === this.#passage.prompt
    const known = same && this.#passage.promptTokens !== undefined
    if (known && this.#passage.written.length === 0) this.#reader.clear()
    else this.show({ prompt, promptTokens: same ? this.#passage.promptTokens : undefined, written: [] })
  }

  append(token: WrittenToken): void {
    this.#setPassage({ ...this.#passage, written: [...this.#passage.written, token] })
    this.#view.append(token)
  }

  /** Asks what the model attends to in the passage, in the layer chosen, and shows it. */
  async inspect(): Promise<void> {
    if (!this.#model) return
    this.#map.wait()
    try {
      const reading = await this.#reader.read(this.#model, this.#passage, this.choice.layer.value)
      if (!reading) return
      if (reading.passage !== this.#passage) {
        this.gaze.value = nowhere  // the positions of tokens have changed
        this.#setPassage(reading.passage)
        this.#view.show(reading.passage)
      }
      this.#showLayer(reading.attention)
    } catch (error) {
      this.#showLayer(undefined)
      this.#onError(error)
    }
  }

  #setPassage(passage: Passage): void {
    this.#passage = passage
    this.#tokens = tokensOf(passage)
    byId('map-limit', HTMLSpanElement).textContent =
      isCovered(passage) ? '' : `Of this text the first ${tokensShown} tokens are shown.`
  }

  #showLayer(attention: LayerAttention | undefined): void {
    this.#attention = attention
    this.choice.show(attention)
    this.#showHead()
  }

  #showHead(): void {
    const attention = this.#attention
    this.#map.show(attention && {
      weights: attention.weights(this.choice.head.value), labels: attention.tokens.map(token => token.text),
    })
    this.#look()
  }

  /** Shows what the token looked at attends to, everywhere. */
  #look(): void {
    const { subject, object } = this.gaze.value
    const attention = this.#attention
    const known = attention && subject !== undefined && subject < attention.size
    const weights = known ? attention.row(this.choice.head.value, subject) : undefined
    this.#view.shade({ subject, object, weights })
    const token = subject === undefined ? undefined : this.#tokens[subject]
    const content = { token, tokens: this.#tokens, weights }
    showCard(content)
    if (this.gaze.value.pinned !== undefined) this.#speech.textContent = inWords(content)
    this.#label(subject, object, weights)
  }

  /** Labels the token under the pointer, while another is pinned, with its share of that one's attention. */
  #label(subject: number | undefined, object: number | undefined, weights: Float32Array | undefined): void {
    const element = this.#view.element(object)
    if (object === undefined || !element || !this.#place.matches(':hover')) return this.#tooltip.hide()
    const name = quoted(this.#tokens[subject!]!.text)
    const share = weights?.[object]
    this.#tooltip.show(element,
      share === undefined ? `comes after ${name}` : `${percent(share)} of what ${name} looks at`)
  }
}
