// The part of the page for models of pictures: a picture to show them, and what they take it for.
import type { Model } from 'heed'
import type { HeedViewer } from 'heed/viewer'
import type { Example } from './model/slot.js'
import { drawBoat } from './picture/drawing.js'
import { Findings } from './picture/findings.js'
import { readPicture } from './picture/pixels.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'

export class PictureView {
  readonly #viewer: HeedViewer
  readonly #place = byId('picture-view', HTMLDivElement)
  readonly #findings = new Findings(error => notify(explain('The model', error)))
  readonly #drawn = byId('picture-drawn', HTMLButtonElement)
  #picture?: ImageData
  /** Whether the picture is the reader's, and so stays for the next model. */
  #isReaders = false
  #model?: Model

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
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

  /** Turns to the viewer's model, which sees the reader's picture or else its own example, if it has one. */
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

  /** Lets go of the model: there is another, for texts. */
  hide(): void {
    this.#model = undefined
    this.#place.hidden = true
    this.#findings.hide()
  }

  /** Shows the model a picture from a file. */
  async open(file: File): Promise<void> {
    clearNotices()
    try {
      const picture = await readPicture(file)
      this.#drawn.hidden = false
      this.#isReaders = true
      this.#show(picture)
    } catch {
      notify(`“${file.name}” is not a picture that this browser can read.`)
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

/** An example that cannot be had is no reason to show nothing. */
async function fetchPicture(address: string): Promise<ImageData | undefined> {
  try {
    return await readPicture(await (await fetch(address)).blob())
  } catch {
    return undefined
  }
}
