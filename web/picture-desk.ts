// The desk for models of pictures: a picture, what its patches attend to, and what the model takes it for.
import { HeedError, type Model } from 'heed'
import { type Gaze, nowhere } from './attention/gaze.js'
import type { HeadChoice } from './attention/heads.js'
import { watchTheme } from './attention/scale.js'
import { drawBoat } from './picture/drawing.js'
import { Findings } from './picture/findings.js'
import { PatchAttention } from './picture/patches.js'
import { readPicture } from './picture/pixels.js'
import { PictureView } from './picture/view.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { Observable } from './support/observable.js'

const tell = (error: unknown) => notify(explain('The model', error))

export class PictureDesk {
  readonly gaze = new Observable<Gaze>(nowhere)
  readonly #choice: HeadChoice
  readonly #place = byId('picture-desk', HTMLDivElement)
  readonly #view = new PictureView(this.gaze)
  readonly #findings = new Findings(tell)
  readonly #drawn = byId('picture-drawn', HTMLButtonElement)
  /** The layers of this picture that were asked for. */
  #layers: PatchAttention[] = []
  #picture?: ImageData
  #attention?: PatchAttention
  #model?: Model

  constructor(choice: HeadChoice) {
    this.#choice = choice
    this.gaze.watch(() => this.#look())
    choice.layer.watch(() => this.#inspect())
    choice.head.watch(() => this.#look())
    watchTheme(() => this.#look())
    const input = byId('picture-file', HTMLInputElement)
    byId('picture-pick', HTMLButtonElement).addEventListener('click', () => input.click())
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      input.value = ''  // so that the same file can be chosen again
      if (file) this.open(file)
    })
    this.#drawn.addEventListener('click', () => {
      byId('picture-pick', HTMLButtonElement).focus()
      this.#draw()
    })
  }

  /** What the model is shown. */
  get picture(): ImageData | undefined {
    return this.#picture
  }

  /** The layer shown, once it is known. */
  get attention(): PatchAttention | undefined {
    return this.#attention
  }

  /** Turns to a model, which sees the picture that the one before saw. */
  use(model: Model): void {
    this.#model = undefined  // offering its heads must not yet show it the picture
    const { visionLayers, visionHeads, patches } = model.info
    this.#choice.offer({ layers: visionLayers, heads: visionHeads })
    this.#model = model
    this.#place.hidden = false
    byId('picture-patches', HTMLSpanElement).textContent = `${patches} × ${patches}`
    if (this.#picture) this.#show(this.#picture)
    else this.#draw()
  }

  /** Lets go of the model: there is another desk. */
  hide(): void {
    this.#model = this.#attention = undefined
    this.#place.hidden = true
    this.#findings.hide()
  }

  /** Shows the model a picture from a file. */
  async open(file: File): Promise<void> {
    clearNotices()
    try {
      const picture = await readPicture(file)
      this.#drawn.hidden = false
      this.#show(picture)
    } catch {
      notify(`“${file.name}” is not a picture that this browser can read.`)
    }
  }

  #draw(): void {
    this.#drawn.hidden = true
    this.#show(drawBoat())
  }

  #show(picture: ImageData): void {
    const model = this.#model
    if (!model) return
    this.#picture = picture
    this.#layers = []
    this.#attention = undefined
    this.gaze.value = nowhere
    this.#view.show(picture, model.info.patches)
    this.#findings.show(model, picture)
    this.#inspect()
  }

  /** Asks what the patches attend to in the layer chosen, and shows it. */
  async #inspect(): Promise<void> {
    const [model, picture, layer] = [this.#model, this.#picture, this.#choice.layer.value]
    if (!model || !picture) return
    try {
      const known = this.#layers[layer] ?? new PatchAttention(await model.imageAttention(picture, { layers: [layer] }))
      if (model !== this.#model || picture !== this.#picture) return
      this.#layers[layer] = known
      if (layer === this.#choice.layer.value) this.#attention = known
      this.#look()
    } catch (error) {
      if (HeedError.from(error).code !== 'disposed') tell(error)
    }
  }

  /** Shows what the patch looked at, or else the whole picture, attends to. */
  #look(): void {
    if (!this.#model) return
    const attention = this.#attention
    const { subject = 0, object, pinned } = this.gaze.value
    this.#view.mark({ subject, object })
    this.#view.light(attention?.light(this.#choice.head.value, subject))
    this.#choice.show(attention && (head => (
      { weights: attention.light(head, subject), rows: attention.patches, columns: attention.patches })))
    const words = attention?.describe(this.#choice.head.value, subject, object) ?? ''
    byId('picture-readout', HTMLParagraphElement).textContent = words
    if (pinned !== undefined) byId('speech', HTMLParagraphElement).textContent = words
  }
}
