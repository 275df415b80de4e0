// Selects the layer with a slider and the head by its thumbnail.
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import { nextTask } from '../support/task.js'
import { readRamp } from './color-scale.js'
import type { Head } from './layer-attention.js'
import { type Grid, paintThumbnail } from './thumbnail.js'

const thumbnailSide = 48

export const nameOfHead = (head: Head) => (head === 'mean' ? 'mean' : `head ${head + 1}`)

export class HeadChoice {
  readonly layer = new Observable(0)
  readonly head = new Observable<Head>('mean')
  readonly #parts: Parts['attention']
  readonly #probe: HTMLElement
  readonly #onError: (error: unknown) => void
  readonly #options = new Map<Head, { input: HTMLInputElement; canvas: HTMLCanvasElement }>()
  #layers = 0
  #gridOf?: (head: Head) => Grid
  #painting?: Promise<void>

  constructor({ attention, probe }: Parts, onError: (error: unknown) => void) {
    this.#parts = attention
    this.#probe = probe
    this.#onError = onError
    const { slider, heads } = attention
    slider.addEventListener('input', () => {
      this.layer.value = slider.valueAsNumber
    })
    heads.addEventListener('change', event => {
      const { value } = event.target as HTMLInputElement
      this.head.value = value === 'mean' ? value : Number(value)
    })
    this.layer.watch(layer => {
      slider.valueAsNumber = layer
      this.#name()
    })
    this.head.watch(head => {
      const option = this.#options.get(head)
      if (option) option.input.checked = true
      attention.headNote.hidden = head !== 'mean'
    })
  }

  get layers(): number {
    return this.#layers
  }

  /** The number of heads, without the mean. */
  get heads(): number {
    return Math.max(this.#options.size - 1, 0)
  }

  /** Offers the layers and heads of a model, which may have no heads, and selects the mean of the middle layer. */
  offer({ layers, heads }: { layers: number; heads: number }): void {
    this.#layers = layers
    this.#parts.slider.max = `${layers - 1}`
    this.layer.value = Math.floor((layers - 1) / 2)
    this.#options.clear()
    this.#gridOf = undefined
    const choices: Head[] = ['mean', ...Array(heads).keys()]
    this.#parts.heads.replaceChildren(...choices.map(head => this.#option(head)))
    this.#parts.headsPlace.hidden = heads === 0
    this.#parts.headNote.textContent = `“Mean” is the average of the layer's ${heads} heads. Each head looks in its own way.`
    this.head.value = 'mean'
    this.#name()
  }

  /** Paints every head's thumbnail in the next task, after the map, which matters more; without `gridOf`, clears them. */
  show(gridOf?: (head: Head) => Grid): void {
    this.#gridOf = gridOf
    this.#painting ??= nextTask()
      .then(() => {
        this.#painting = undefined
        this.#paint()
      })
      .catch(this.#onError)
  }

  /** Resolves when the thumbnails are painted. */
  async settle(): Promise<void> {
    await this.#painting
  }

  #paint(): void {
    const gridOf = this.#gridOf
    const ramp = gridOf && readRamp(this.#probe)
    for (const [head, { canvas }] of this.#options) {
      canvas.width = canvas.height = thumbnailSide * Math.ceil(devicePixelRatio)
      if (ramp) paintThumbnail(canvas, gridOf(head), ramp)
    }
  }

  #option(head: Head): HTMLLabelElement {
    const canvas = make('canvas', { ariaHidden: 'true' })
    const input = make('input', { type: 'radio', name: 'head', value: `${head}`, checked: head === this.head.value })
    this.#options.set(head, { input, canvas })
    return make('label', {}, input, canvas, make('span', {}, head === 'mean' ? 'mean' : `${head + 1}`))
  }

  #name(): void {
    this.#parts.layerName.value = `${this.layer.value + 1} of ${this.#layers}`
    this.#parts.slider.setAttribute('aria-valuetext', `layer ${this.layer.value + 1}`)
  }
}
