// The picture on the page: light falls on what is looked at, and patches are pointed at or moved to by key.
import { type Gaze, lookAway, nowhere, pin, pointAt } from '../attention/gaze.js'
import { byId } from '../support/dom.js'
import type { Observable } from '../support/observable.js'

/** How dark it is where no light falls. */
const shadow = 0.82

export class PictureView {
  readonly #frame = byId('picture', HTMLDivElement)
  readonly #pixels = byId('picture-pixels', HTMLCanvasElement)
  /** A pixel a patch. */
  readonly #overlay = byId('picture-overlay', HTMLCanvasElement)
  #patches = 1

  constructor(gaze: Observable<Gaze>) {
    const frame = this.#frame
    frame.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') gaze.value = pointAt(gaze.value, this.#tokenAt(event))
    })
    frame.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') gaze.value = lookAway(gaze.value)
    })
    frame.addEventListener('click', event => {
      const token = this.#tokenAt(event)
      gaze.value = gaze.value.pinned === token ? nowhere : pin(token)
    })
    frame.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = this.#targetOf(event.key, gaze.value.pinned)
      if (target === undefined) return
      event.preventDefault()
      gaze.value = target === 0 ? nowhere : pin(target)
    })
  }

  /** Shows a picture that is cut into `patches` x `patches`. */
  show(picture: ImageData, patches: number): void {
    this.#patches = patches
    this.#pixels.width = picture.width
    this.#pixels.height = picture.height
    this.#pixels.getContext('2d')!.putImageData(picture, 0, 0)
    this.#overlay.width = this.#overlay.height = patches
  }

  /** Lights patches up, by shares from 0 to 1; without them, all lie in full light. */
  light(shares: Float32Array | undefined): void {
    const context = this.#overlay.getContext('2d')!
    const image = context.createImageData(this.#patches, this.#patches)
    shares?.forEach((share, patch) => { image.data[patch * 4 + 3] = Math.round((1 - share) * shadow * 255) })
    context.putImageData(image, 0, 0)
  }

  mark({ subject, object }: Gaze): void {
    this.#place(byId('picture-subject', HTMLSpanElement), subject)
    this.#place(byId('picture-object', HTMLSpanElement), object)
  }

  #place(mark: HTMLElement, token: number | undefined): void {
    mark.hidden = !token
    if (!token) return
    const share = 100 / this.#patches
    const patch = token - 1
    mark.style.width = mark.style.height = `${share}%`
    mark.style.left = `${patch % this.#patches * share}%`
    mark.style.top = `${Math.floor(patch / this.#patches) * share}%`
  }

  #tokenAt({ clientX, clientY }: MouseEvent): number {
    const { left, top, width, height } = this.#pixels.getBoundingClientRect()
    const index = (share: number) => Math.min(Math.max(Math.floor(share * this.#patches), 0), this.#patches - 1)
    return 1 + index((clientY - top) / height) * this.#patches + index((clientX - left) / width)
  }

  /** The token that a key leads to; 0 is the whole picture. */
  #targetOf(key: string, pinned: number | undefined): number | undefined {
    const last = this.#patches - 1
    const patch = (pinned ?? 1) - 1
    const [row, column] = [Math.floor(patch / this.#patches), patch % this.#patches]
    const at = (row: number, column: number) =>
      1 + Math.min(Math.max(row, 0), last) * this.#patches + Math.min(Math.max(column, 0), last)
    if (key === 'Escape') return pinned === undefined ? undefined : 0
    if (pinned === undefined) return key.startsWith('Arrow') || key === 'Home' ? 1 : key === 'End' ? at(last, last) : undefined
    switch (key) {
      case 'ArrowUp': return at(row - 1, column)
      case 'ArrowDown': return at(row + 1, column)
      case 'ArrowLeft': return at(row, column - 1)
      case 'ArrowRight': return at(row, column + 1)
      case 'Home': return at(row, 0)
      case 'End': return at(row, last)
      default: return undefined
    }
  }
}
