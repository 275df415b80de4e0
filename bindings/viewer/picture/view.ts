// The image in the viewer: patches are lit by their attention weights, and selected by pointer and keyboard.
import { moved } from '../attention/arrow-keys.js'
import type { Parts } from '../frame/parts.js'
import { itself, nothing, pin, pointAt, pointAway, type Selection } from '../tokens/selection.js'
import type { Observable } from '../support/observable.js'

/** The opacity of the shade on patches without attention. */
const shadow = 0.82

export class PictureView {
  readonly #parts: Parts['picture']
  #patches = 1

  constructor(parts: Parts, selection: Observable<Selection>) {
    this.#parts = parts.picture
    const { frame } = this.#parts
    frame.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') selection.value = pointAt(selection.value, itself(this.#tokenAt(event)))
    })
    frame.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') selection.value = pointAway(selection.value)
    })
    frame.addEventListener('click', event => {
      const token = this.#tokenAt(event)
      selection.value = selection.value.pinned?.token === token ? nothing : pin(itself(token))
    })
    frame.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = this.#targetOf(event.key, selection.value.pinned?.token)
      if (target === undefined) return
      event.preventDefault()
      selection.value = target === 0 ? nothing : pin(itself(target))
    })
  }

  /** Shows an image divided into `patches` x `patches`. The overlay has one pixel per patch. */
  show(picture: ImageData, patches: number): void {
    const { pixels, overlay } = this.#parts
    this.#patches = patches
    pixels.width = picture.width
    pixels.height = picture.height
    pixels.getContext('2d')!.putImageData(picture, 0, 0)
    overlay.width = overlay.height = patches
  }

  /** Lights patches by shares from 0 to 1; without shares, the whole image is fully lit. */
  light(shares: Float32Array | undefined): void {
    const context = this.#parts.overlay.getContext('2d')!
    const image = context.createImageData(this.#patches, this.#patches)
    shares?.forEach((share, patch) => {
      image.data[patch * 4 + 3] = Math.round((1 - share) * shadow * 255)
    })
    context.putImageData(image, 0, 0)
  }

  mark({ subject, object }: Selection): void {
    this.#place(this.#parts.subject, subject?.token)
    this.#place(this.#parts.object, object)
  }

  #place(mark: HTMLElement, token: number | undefined): void {
    mark.hidden = !token
    if (!token) return
    const share = 100 / this.#patches
    const patch = token - 1
    mark.style.width = mark.style.height = `${share}%`
    mark.style.left = `${(patch % this.#patches) * share}%`
    mark.style.top = `${Math.floor(patch / this.#patches) * share}%`
  }

  #tokenAt({ clientX, clientY }: MouseEvent): number {
    const { left, top, width, height } = this.#parts.pixels.getBoundingClientRect()
    const index = (share: number) => Math.min(Math.max(Math.floor(share * this.#patches), 0), this.#patches - 1)
    return 1 + index((clientY - top) / height) * this.#patches + index((clientX - left) / width)
  }

  /** The token that a key moves to; 0 is the whole image. */
  #targetOf(key: string, pinned: number | undefined): number | undefined {
    const last = this.#patches - 1
    const patch = (pinned ?? 1) - 1
    const [row, column] = [Math.floor(patch / this.#patches), patch % this.#patches]
    const at = (row: number, column: number) =>
      1 + Math.min(Math.max(row, 0), last) * this.#patches + Math.min(Math.max(column, 0), last)
    if (key === 'Escape') return pinned === undefined ? undefined : 0
    if (pinned === undefined) return key.startsWith('Arrow') || key === 'Home' ? 1 : key === 'End' ? at(last, last) : undefined
    return moved(key, { row, column }, last, at)
  }
}
