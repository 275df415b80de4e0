// The choice of layer and head: a slider, and a picture of each head to choose from.
import { byId, make } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import type { Head } from './layer.js'
import { readRamp } from './scale.js'
import { type Grid, paintThumbnail } from './thumbnail.js'

const thumbnailSide = 48

export class HeadChoice {
  readonly layer = new Observable(0)
  readonly head = new Observable<Head>('mean')
  readonly #slider = byId('layer', HTMLInputElement)
  readonly #place = byId('heads', HTMLDivElement)
  #thumbnails = new Map<Head, HTMLCanvasElement>()

  constructor() {
    this.#slider.addEventListener('input', () => { this.layer.value = this.#slider.valueAsNumber })
    this.#place.addEventListener('change', event => {
      const { value } = event.target as HTMLInputElement
      this.head.value = value === 'mean' ? value : Number(value)
    })
    this.layer.watch(layer => {
      this.#slider.valueAsNumber = layer
      this.#name()
    })
  }

  /** Offers the layers and heads of a model, starting with the mean of a layer in the middle. */
  offer({ layers, heads }: { layers: number, heads: number }): void {
    this.#slider.max = `${layers - 1}`
    this.layer.value = Math.floor((layers - 1) / 2)
    this.head.value = 'mean'
    this.#thumbnails = new Map()
    const choices: Head[] = ['mean', ...Array(heads).keys()]
    const options = choices.map(head => this.#option(head))
    this.#place.replaceChildren(...options)
    this.#name()
  }

  /** Paints every head's picture, or none. */
  show(gridOf?: (head: Head) => Grid): void {
    const ramp = readRamp()
    for (const [head, canvas] of this.#thumbnails) {
      canvas.width = canvas.height = thumbnailSide * Math.ceil(devicePixelRatio)
      if (gridOf) paintThumbnail(canvas, gridOf(head), ramp)
    }
  }

  #option(head: Head): HTMLLabelElement {
    const canvas = make('canvas', { ariaHidden: 'true' })
    this.#thumbnails.set(head, canvas)
    const input = make('input', { type: 'radio', name: 'head', value: `${head}`, checked: head === 'mean' })
    return make('label', {}, input, canvas, make('span', {}, head === 'mean' ? 'mean' : `${head + 1}`))
  }

  #name(): void {
    byId('layer-name', HTMLOutputElement).value = `${this.layer.value + 1} of ${Number(this.#slider.max) + 1}`
    this.#slider.setAttribute('aria-valuetext', `layer ${this.layer.value + 1}`)
  }
}
