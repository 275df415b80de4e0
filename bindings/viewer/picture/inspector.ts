// Keeps the image's highlights and the heads in sync with the selected patch.
import type { Model } from 'heed'
import type { HeadChoice } from '../attention/head-choice.js'
import { isUnwanted } from '../attention/reader.js'
import type { Parts } from '../frame/parts.js'
import { itself, nothing, pin, type Selection } from '../tokens/selection.js'
import { Observable } from '../support/observable.js'
import { PatchAttention } from './patch-attention.js'
import { PictureView } from './view.js'

export class PictureInspector {
  readonly selection = new Observable<Selection>(nothing)
  readonly #parts: Parts
  readonly #choice: HeadChoice
  readonly #view: PictureView
  readonly #onError: (error: unknown) => void
  /** The attention over this image, cached by layer. */
  #layers: PatchAttention[] = []
  #picture?: ImageData
  #attention?: PatchAttention
  #model?: Model
  #latest: Promise<void> | undefined

  constructor(parts: Parts, choice: HeadChoice, onError: (error: unknown) => void) {
    this.#parts = parts
    this.#choice = choice
    this.#onError = onError
    this.#view = new PictureView(parts, this.selection)
    this.selection.watch(() => this.#look())
    choice.layer.watch(() => this.inspect())
    choice.head.watch(() => this.#look())
  }

  get picture(): ImageData | undefined {
    return this.#picture
  }

  /** The attention of the layer shown; undefined until it is known. */
  get attention(): PatchAttention | undefined {
    return this.#attention
  }

  use(model: Model): void {
    this.#model = undefined // so that offering its heads does not query it yet
    const { visionLayers, visionHeads, patches } = model.info
    this.#choice.offer({ layers: visionLayers, heads: visionHeads })
    this.#model = model
    this.#parts.picture.patches.textContent = `${patches} × ${patches}`
  }

  leave(): void {
    this.#model = this.#attention = this.#picture = undefined
  }

  /** Shows an image and the model's attention in it. */
  show(picture: ImageData): Promise<void> {
    this.#picture = picture
    this.#layers = []
    this.#attention = undefined
    this.selection.value = nothing
    this.#view.show(picture, this.#model!.info.patches)
    void this.inspect()
    return this.settle()
  }

  /** Selects a patch by its token, from 1; 0 or undefined selects the whole image. */
  select(token: number | undefined): void {
    const patches = this.#model!.info.patches ** 2
    if (token !== undefined && !(token >= 0 && token <= patches)) throw new RangeError(`The picture has ${patches} patches`)
    this.selection.value = token ? pin(itself(token)) : nothing
  }

  /** Reads what the patches attend to in the selected layer, and shows it. */
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
    const [model, picture, layer] = [this.#model, this.#picture, this.#choice.layer.value]
    if (!model || !picture) return
    try {
      const known = this.#layers[layer] ?? (await this.#ask(model, picture, layer))
      if (model !== this.#model || picture !== this.#picture) return
      this.#layers[layer] = known
      if (layer === this.#choice.layer.value) this.#attention = known
      this.#parts.attention.place.classList.add('known')
      this.#look()
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  /** Redraws after the colors have changed. */
  redraw(): void {
    this.#look()
  }

  /** Reads any layer for the current image, for the overview. */
  async read(layer: number, signal: AbortSignal): Promise<PatchAttention | undefined> {
    return this.#model && this.#picture && this.#ask(this.#model, this.#picture, layer, signal)
  }

  async #ask(model: Model, picture: ImageData, layer: number, signal?: AbortSignal): Promise<PatchAttention> {
    return new PatchAttention(await model.imageAttention(picture, { layers: [layer], signal }))
  }

  /** Shows the attention of the selected patch, or of the whole image. */
  #look(): void {
    if (!this.#model) return
    const attention = this.#attention
    const { subject, object, pinned } = this.selection.value
    const token = subject?.token ?? 0
    this.#view.mark(this.selection.value)
    this.#view.light(attention?.light(this.#choice.head.value, token))
    this.#choice.show(
      attention && (head => ({ weights: attention.light(head, token), rows: attention.patches, columns: attention.patches })),
    )
    const words = attention?.describe(this.#choice.head.value, token, object) ?? ''
    this.#parts.picture.readout.textContent = words
    if (pinned !== undefined) this.#parts.speech.textContent = words
  }
}
