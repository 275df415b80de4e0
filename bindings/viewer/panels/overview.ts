// An overview of all layers and heads: a thumbnail of each, painted as the layers are read. Selecting one shows it above.
import { readRamp } from '../attention/color-scale.js'
import type { HeadChoice } from '../attention/head-choice.js'
import { isUnwanted } from '../attention/reader.js'
import { type Grid, paintThumbnail } from '../attention/thumbnail.js'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import type { Panel } from './panels.js'

const mapSide = 40

/** The maps of a layer, by head. */
type Maps = (head: number) => Grid
type ReadLayer = (layer: number, signal: AbortSignal) => Promise<Maps | undefined>

export class Overview implements Panel {
  readonly place: HTMLDetailsElement
  readonly #map: HTMLElement
  readonly #probe: HTMLElement
  readonly #choice: HeadChoice
  readonly #read: ReadLayer
  readonly #onError: (error: unknown) => void
  readonly #grid = make('div', {
    id: 'overview-maps',
    className: 'overview-maps',
    role: 'radiogroup',
    ariaLabel: 'Layers and heads',
  })
  #call = new AbortController()

  constructor(parts: Parts, choice: HeadChoice, read: ReadLayer, onError: (error: unknown) => void) {
    this.place = parts.attention.overview
    this.#probe = parts.probe
    this.#choice = choice
    this.#read = read
    this.#onError = onError
    const note = 'A row for each layer, from the first, and a column for each head. Choose one to see it above.'
    this.place.append(make('summary', {}, 'All layers and heads at a glance'), make('p', { className: 'note' }, note), this.#grid)
    const { map } = parts.attention
    let isPointed = false
    this.#grid.addEventListener('pointerdown', () => {
      isPointed = true
    })
    this.#grid.addEventListener('keydown', () => {
      isPointed = false
    })
    this.#grid.addEventListener('change', event => {
      this.#choose(event.target as HTMLInputElement)
      // The map is above, perhaps outside of the window. For keyboard users, focus and scroll position stay.
      if (isPointed && map.getBoundingClientRect().top < 0) map.scrollIntoView()
    })
    this.#map = map
    new ResizeObserver(() => this.arrive()).observe(map)
    choice.layer.watch(() => this.#mark())
    choice.head.watch(() => this.#mark())
  }

  /** Sets the map's height for the style sheet: the map stays in view, and the overview must be scrolled to below it. */
  arrive(): void {
    this.place.style.setProperty('--map-height', `${this.#map.offsetHeight}px`)
  }

  /** Reads and paints all layers again, if the overview is open. */
  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    this.place.hidden = this.#choice.heads === 0
    if (!this.place.open) return this.#grid.replaceChildren()
    const { layers, heads } = this.#choice
    const canvases = this.#lay(layers, heads)
    const ramp = readRamp(this.#probe)
    try {
      for (let layer = 0; layer < layers; layer++) {
        const maps = await this.#read(layer, signal)
        if (!maps || signal.aborted) return
        canvases[layer]!.forEach((canvas, head) => paintThumbnail(canvas, maps(head), ramp))
      }
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  /** Lays out the thumbnails as radio buttons: one Tab stop for all, with arrow keys moving between them. */
  #lay(layers: number, heads: number): HTMLCanvasElement[][] {
    this.#grid.style.setProperty('--heads', `${heads}`)
    const side = mapSide * Math.ceil(devicePixelRatio)
    const canvases = Array.from({ length: layers }, () =>
      Array.from({ length: heads }, () => make('canvas', { width: side, height: side, ariaHidden: 'true' })),
    )
    this.#grid.replaceChildren(
      ...canvases.flatMap((row, layer) =>
        row.map((canvas, head) => {
          const input = make('input', {
            type: 'radio',
            name: 'overview',
            value: `${layer} ${head}`,
            ariaLabel: `Layer ${layer + 1}, head ${head + 1}`,
          })
          return make('label', { title: `Layer ${layer + 1}, head ${head + 1}` }, input, canvas)
        }),
      ),
    )
    this.#mark()
    return canvases
  }

  #choose({ value }: HTMLInputElement): void {
    const [layer, head] = value.split(' ').map(Number)
    this.#choice.head.value = head!
    this.#choice.layer.value = layer!
  }

  #mark(): void {
    const chosen = `${this.#choice.layer.value} ${this.#choice.head.value}`
    for (const input of this.#grid.querySelectorAll('input')) input.checked = input.value === chosen
  }
}
