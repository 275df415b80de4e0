// The part of the page for vision models: the image, and the model's findings in it.
import type { Model } from 'heed'
import type { HeedViewer } from 'heed/viewer'
import type { Example } from './model/slot.js'
import { drawBoat } from './picture/drawing.js'
import { Findings } from './picture/findings.js'
import { readPicture } from './picture/pixels.js'
import { byId } from './support/dom.js'
import { foreign } from './support/format.js'
import { clearNotices, notify } from './support/notices.js'

export class PictureView {
  readonly #viewer: HeedViewer
  readonly #place = byId('picture-view', HTMLDivElement)
  readonly #findings: Findings
  readonly #drawn = byId('picture-drawn', HTMLButtonElement)
  #picture?: ImageData
  /** Whether the user chose the image; it then stays for the next model. */
  #isReaders = false
  #model?: Model

  /** `onError` is called when the model fails. */
  constructor(viewer: HeedViewer, onError: (error: unknown) => void) {
    this.#viewer = viewer
    this.#findings = new Findings(onError)
    const input = byId('picture-file', HTMLInputElement)
    byId('picture-pick', HTMLButtonElement).addEventListener('click', () => input.click())
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      input.value = '' // lets the user choose the same file again
      if (file) this.open(file)
    })
    this.#drawn.addEventListener('click', () => {
      byId('picture-pick', HTMLButtonElement).focus()
      this.#draw()
    })
  }

  /** The image shown to the model. */
  get picture(): ImageData | undefined {
    return this.#picture
  }

  /** Switches to the viewer's model, and shows it the user's image, the model's example, or else the drawing. */
  async use(model: Model, example?: Example): Promise<void> {
    this.#model = model
    this.#place.hidden = false
    if (example?.texts) this.#findings.texts = example.texts
    if (this.#picture && this.#isReaders) return this.#show(this.#picture)
    const picture = example?.picture ? await fetchPicture(example.picture) : undefined
    if (model !== this.#model) return
    if (picture) this.#show(picture)
    else this.#draw()
  }

  /** Detaches the model and hides the view, when a text model is loaded. */
  hide(): void {
    this.#model = undefined
    this.#place.hidden = true
    this.#findings.hide()
  }

  /** Opens an image file and shows it to the model. */
  async open(file: File): Promise<void> {
    clearNotices()
    try {
      const picture = await readPicture(file)
      this.#drawn.hidden = false
      this.#isReaders = true
      this.#show(picture)
    } catch {
      notify(`“${foreign(file.name)}” is not a picture that this browser can read.`)
    }
  }

  #draw(): void {
    this.#drawn.hidden = true
    this.#isReaders = false
    this.#show(drawBoat())
  }

  #show(picture: ImageData): void {
    const model = this.#model
    if (!model) return
    this.#picture = picture
    this.#viewer.showImage(picture)
    this.#findings.show(model, picture)
  }
}

/** Resolves to undefined if the example cannot be loaded: the drawing replaces it. */
async function fetchPicture(address: string): Promise<ImageData | undefined> {
  try {
    return await readPicture(await (await fetch(address)).blob())
  } catch {
    return undefined
  }
}
