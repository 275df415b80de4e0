// Several heads side by side: small maps of the same text, which share one selection.
import { ExploredMap, pictureOf } from '../attention/explored-map.js'
import { type HeadChoice, nameOfHead } from '../attention/head-choice.js'
import type { Head, LayerAttention } from '../attention/layer-attention.js'
import { isUnwanted } from '../attention/reader.js'
import { saveButtons } from '../exports/save.js'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import type { TextInspector } from '../text/inspector.js'
import type { Panel } from './panels.js'

/** A head of a layer, both from 0. */
export interface HeadOfLayer {
  readonly layer: number
  readonly head: Head
}

export const mostHeads = 6

const nameOf = ({ layer, head }: HeadOfLayer) => `Layer ${layer + 1}, ${nameOfHead(head)}`
const isSame = (one: HeadOfLayer, other: HeadOfLayer) => one.layer === other.layer && one.head === other.head

export class SideBySide implements Panel {
  readonly place: HTMLDetailsElement
  readonly #choice: HeadChoice
  readonly #text: TextInspector
  readonly #onError: (error: unknown) => void
  readonly #grid = make('div', { className: 'small-maps' })
  readonly #add = make('button', { id: 'add-head', type: 'button' })
  readonly #slots: readonly Slot[]
  #heads: readonly HeadOfLayer[] = []
  #shown: readonly { of: HeadOfLayer; attention: LayerAttention }[] = []
  #call = new AbortController()

  constructor(parts: Parts, choice: HeadChoice, text: TextInspector, onError: (error: unknown) => void) {
    this.place = parts.attention.sideBySide
    this.#choice = choice
    this.#text = text
    this.#onError = onError
    this.#slots = Array.from({ length: mostHeads }, (_, index) => new Slot(parts, text, index))
    for (const { place, show, drop } of this.#slots) {
      const own = () => this.#heads[this.#slots.findIndex(slot => slot.place === place)]!
      show.addEventListener('click', () => {
        const { layer, head } = own()
        choice.head.value = head
        choice.layer.value = layer
      })
      drop.addEventListener('click', () => {
        const index = this.#heads.indexOf(own())
        this.heads = this.#heads.filter((_, at) => at !== index)
        parts.speech.textContent = `${this.#heads.length} heads are side by side`
        ;(this.#slots[Math.min(index, this.#heads.length - 1)]?.drop ?? this.#add).focus()
      })
    }
    this.#add.addEventListener('click', () => {
      this.heads = [...this.#heads, this.#chosen]
      parts.speech.textContent = `${nameOf(this.#heads.at(-1)!)} is beside the others`
    })
    const note = make(
      'p',
      { className: 'note' },
      `Choose up to ${mostHeads} heads above, one after the other, and add each. Point at a square to see the same one in all of them.`,
    )
    this.#grid.append(...this.#slots.map(slot => slot.place))
    this.place.append(
      make('summary', {}, 'Several heads side by side'),
      note,
      this.#grid,
      this.#add,
      saveButtons(
        parts,
        'save-heads',
        () =>
          this.#shown.map(({ of, attention }) => ({
            title: `Attention, ${nameOf(of).toLowerCase()}`,
            picture: pictureOf(attention, of.head),
          })),
        onError,
      ),
    )
    new ResizeObserver(() => this.refresh()).observe(this.#grid)
    choice.layer.watch(() => this.#nameAdd())
    choice.head.watch(() => this.#nameAdd())
  }

  get heads(): readonly HeadOfLayer[] {
    return this.#heads
  }

  set heads(heads: readonly HeadOfLayer[]) {
    this.#heads = heads.filter((head, at) => heads.findIndex(other => isSame(head, other)) === at)
    this.refresh()
  }

  /** Drops the heads of the previous model. */
  leave(): void {
    this.#heads = []
  }

  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    this.place.hidden = this.#choice.heads === 0 || !this.#text.model
    if (!this.place.open || this.place.hidden) return
    if (this.#heads.length === 0) this.#heads = this.#firstHeads()
    this.#slots.forEach((slot, index) => slot.name(this.#heads[index] && nameOf(this.#heads[index]), this.#heads.length > 1))
    this.#nameAdd()
    const shown: { of: HeadOfLayer; attention: LayerAttention }[] = []
    try {
      for (const [index, { layer, head }] of this.#heads.entries()) {
        const attention = await this.#text.read(layer, signal)
        if (signal.aborted) return
        this.#slots[index]!.map.show(attention?.attends ? attention : undefined, head, Infinity, this.#slots[index]!.width)
        if (attention?.attends) shown.push({ of: { layer, head }, attention })
      }
      this.#shown = shown
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  get #chosen(): HeadOfLayer {
    return { layer: this.#choice.layer.value, head: this.#choice.head.value }
  }

  /** The head shown and another one of its layer. */
  #firstHeads(): HeadOfLayer[] {
    const { layer, head } = this.#chosen
    const next = head === 'mean' ? 0 : (head + 1) % this.#choice.heads
    return [
      { layer, head },
      { layer, head: next === head ? 'mean' : next },
    ]
  }

  #nameAdd(): void {
    const isThere = this.#heads.some(head => isSame(head, this.#chosen))
    this.#add.textContent = isThere
      ? `${nameOf(this.#chosen)} is here: choose another above`
      : `Add ${nameOf(this.#chosen).toLowerCase()}`
    this.#add.disabled = isThere || this.#heads.length >= mostHeads
    if (this.#heads.length >= mostHeads) this.#add.textContent = 'There is no room for more'
  }
}

/** A place for one head's map. */
class Slot {
  readonly place: HTMLElement
  readonly show = make('button', { type: 'button', className: 'quiet' })
  readonly drop = make('button', { type: 'button', className: 'quiet' }, 'Remove')
  readonly map: ExploredMap
  readonly #canvas: HTMLCanvasElement

  constructor({ probe, speech }: Parts, text: TextInspector, index: number) {
    this.#canvas = make('canvas', { id: `small-map-${index + 1}`, tabIndex: 0, role: 'application' })
    this.#canvas.setAttribute('aria-roledescription', 'heat map')
    const readout = make('p', { className: 'small-readout', ariaHidden: 'true' })
    this.place = make('figure', { hidden: true }, make('figcaption', {}, this.show, this.drop), this.#canvas, readout)
    this.map = new ExploredMap(this.#canvas, probe, { readout, speech }, text.selection)
  }

  get width(): number {
    return this.place.clientWidth
  }

  /** Shows the name of the head; hides the place if there is none. */
  name(name: string | undefined, canDrop: boolean): void {
    this.place.hidden = name === undefined
    if (name === undefined) return
    this.show.textContent = name
    this.show.title = 'Show it above'
    this.drop.hidden = !canDrop
    this.drop.ariaLabel = `Remove ${name}`
    this.#canvas.ariaLabel = `Attention of ${name}; arrow keys move over it`
  }
}
