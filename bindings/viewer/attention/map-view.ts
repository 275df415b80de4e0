// The heat map in the viewer: fills the available width.
import type { Parts } from '../frame/parts.js'
import type { Selection } from '../tokens/selection.js'
import type { Observable } from '../support/observable.js'
import { ExploredMap } from './explored-map.js'
import type { Head, LayerAttention } from './layer-attention.js'

export class MapView {
  readonly #map: ExploredMap
  readonly #parts: Parts['attention']
  #attention?: LayerAttention
  #head: Head = 'mean'
  #shown = Infinity

  constructor({ attention, probe, speech }: Parts, selection: Observable<Selection>) {
    this.#parts = attention
    this.#map = new ExploredMap(attention.canvas, probe, { readout: attention.readout, speech }, selection)
    new ResizeObserver(() => this.draw()).observe(attention.map)
  }

  /** Shows that attention is being read. The style sheet delays the message, so it does not appear for fast reads. */
  wait(): void {
    this.#parts.map.classList.add('waiting')
  }

  show(attention: LayerAttention | undefined, head: Head): void {
    const { map, canvas, empty, caption, save } = this.#parts
    map.classList.remove('waiting')
    canvas.hidden = attention?.attends === false
    caption.hidden = save.hidden = canvas.hidden
    empty.hidden = !canvas.hidden
    this.#attention = attention?.attends ? attention : undefined
    this.#head = head
    this.draw()
  }

  /** Shows only the rows of the first tokens of the text; a replay has not reached the others yet. */
  limit(tokens: number): void {
    if (tokens === this.#shown) return
    this.#shown = tokens
    this.draw()
  }

  draw(): void {
    // The width is only read if necessary, because that forces a layout of the page.
    this.#map.show(this.#attention, this.#head, this.#shown, this.#attention ? this.#parts.map.clientWidth : 0)
  }
}
