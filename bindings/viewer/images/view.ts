// Shows where in images the words of an answer looked: large images for the selected word, and the answer word by word, with a
// small image below each.
import type { Pixels, TextImage } from 'heed'
import { type Ramp, readRamp } from '../attention/color-scale.js'
import { nameOfHead } from '../attention/head-choice.js'
import type { Head, LayerAttention } from '../attention/layer-attention.js'
import type { Parts } from '../frame/parts.js'
import { nothing, pin, pointAt, pointAway, type Selection, type Subject } from '../tokens/selection.js'
import { save } from '../support/files.js'
import { make } from '../support/dom.js'
import { percent, quoted, visible } from '../support/format.js'
import type { Observable } from '../support/observable.js'
import { firstWritten, type Passage, type PassageToken, tokensOf } from '../tokens/passage.js'
import { csvOf, sheetOf, type Word } from './files.js'
import { drawable, fit, outline, paint, type Painted } from './painting.js'
import { type Look, lookOf, placeOf } from './places.js'

/** The longer side of an image, in CSS pixels: a single image, one of several, and one below a word. */
const largeSide = 272
const severalSide = 200
const smallSide = 72
/** Longer answers are cut here. */
const mostWords = 160
/** Shares of a word's attention below this are not mentioned. */
const leastShare = 1e-3

interface Cell {
  readonly button: HTMLButtonElement
  readonly canvas: HTMLCanvasElement
  readonly word: Word
}

export class LooksView {
  readonly #parts: Parts['looks']
  readonly #root: HTMLElement
  readonly #probe: HTMLElement
  readonly #selection: Observable<Selection>
  readonly #subjectOf: (token: number) => Subject
  #passage?: Passage
  #images: readonly TextImage[] = []
  /** For each image: its tiles, if it is cut, and the overview. */
  #painted: readonly Painted[] = []
  #large: readonly HTMLCanvasElement[] = []
  #cells: readonly Cell[] = []
  #attention?: LayerAttention
  #head: Head = 'mean'

  /** `subjectOf` returns the row from which a word was chosen. */
  constructor(
    { looks, root, probe }: Parts,
    selection: Observable<Selection>,
    subjectOf: (token: number) => Subject,
    onError: (error: unknown) => void,
  ) {
    this.#parts = looks
    this.#root = root
    this.#probe = probe
    this.#selection = selection
    this.#subjectOf = subjectOf
    const { words } = looks
    words.addEventListener('pointerover', event => {
      const token = tokenAt(event)
      if (token !== undefined && event.pointerType !== 'touch') selection.value = pointAt(selection.value, subjectOf(token))
    })
    words.addEventListener('pointerleave', event => {
      if (event.pointerType !== 'touch') selection.value = pointAway(selection.value)
    })
    words.addEventListener('click', event => {
      const token = tokenAt(event)
      if (token !== undefined) selection.value = selection.value.pinned?.token === token ? nothing : pin(subjectOf(token))
    })
    words.addEventListener('keydown', event => this.#move(event))
    looks.csv.addEventListener('click', () => save(new Blob([this.csv()], { type: 'text/csv' }), `${this.#name}.csv`))
    looks.png.addEventListener('click', () =>
      this.sheet()
        .then(sheet => save(sheet, `${this.#name}.png`))
        .catch(onError),
    )
  }

  /** Shows what the words of a passage look at in a head; empty without images, or while the attention is unknown. */
  show(passage: Passage, attention: LayerAttention | undefined, head: Head): void {
    this.#attention = attention
    this.#head = head
    const images = attention?.images ?? []
    this.#parts.place.hidden = images.length === 0
    if (images.length === 0) {
      this.#passage = undefined
      this.#images = []
      return
    }
    if (passage !== this.#passage) this.#begin(passage, images)
    this.#repaint()
  }

  /** Shows what the selected word looks at. Returns a description for screen readers. */
  look({ subject }: Selection): string {
    if (this.#images.length === 0) return ''
    const looks = this.#looksOf(subject)
    const top = highest(looks)
    const ramp = readRamp(this.#probe)
    const most = looks.map(look => look.most)
    const strongest = strongestOf(looks)
    this.#painted.forEach((painted, at) => {
      const index = this.#images.indexOf(painted.image)
      paint(this.#large[at]!, painted, subject && looks[index]!.weights, top, ramp)
      outline(this.#large[at]!, painted, looks[index] === strongest ? most[index] : undefined)
    })
    for (const {
      button,
      word: { token },
    } of this.#cells) {
      const isSubject = token === subject?.token
      button.ariaCurrent = isSubject ? 'true' : null
      button.tabIndex = isSubject ? 0 : -1
    }
    if (!this.#cells.some(({ button }) => button.tabIndex === 0) && this.#cells[0]) this.#cells[0].button.tabIndex = 0
    this.#parts.most.textContent = subject && top > 0 ? `${percent(top)} at most` : 'most'
    const token = subject && tokensOf(this.#passage!)[subject.token]
    const sentence = token ? this.#inWords(token, looks) : ''
    this.#parts.sentence.textContent = sentence || 'Select a word to see where it looked.'
    return sentence
  }

  /** The weights of all patches for each word of the answer, as CSV. */
  csv(): string {
    return csvOf(this.#cells.map(({ word }) => word))
  }

  /** The words of the answer, each above its image, as a PNG. */
  sheet(): Promise<Blob> {
    const { fontFamily, color, backgroundColor } = getComputedStyle(this.#root)
    return sheetOf({
      title: `Where each word looked: layer ${this.#attention!.layer + 1}, ${nameOfHead(this.#head)}`,
      cells: this.#cells.map(({ word, canvas }) => ({ text: visible(word.text), picture: canvas })),
      paper: backgroundColor,
      ink: color,
      font: fontFamily,
    })
  }

  get #name(): string {
    return `looks-layer-${this.#attention!.layer + 1}-${nameOfHead(this.#head).replace(' ', '-')}`
  }

  /** Makes the canvases of a passage, whose images are the same in all layers. */
  #begin(passage: Passage, images: readonly TextImage[]): void {
    this.#passage = passage
    this.#images = images
    const pixels = picturesOf(passage).map(drawable)
    this.#painted = this.#images.flatMap((image, at) => {
      const kinds = new Set(image.patches.map(({ overview }) => overview))
      return [...kinds].map(overview => ({ image, pixels: pixels[at]!, overview }))
    })
    this.#large = this.#painted.map(({ image, overview }) => {
      const canvas = make('canvas', { role: 'img', ariaLabel: this.#nameOf(image, overview) })
      fit(canvas, image, this.#painted.length === 1 ? largeSide : severalSide)
      return canvas
    })
    const isCut = this.#painted.length > this.#images.length
    this.#parts.large.replaceChildren(
      ...this.#large.map((canvas, at) =>
        make(
          'figure',
          {},
          canvas,
          ...(isCut || this.#images.length > 1
            ? [make('figcaption', {}, this.#nameOf(this.#painted[at]!.image, this.#painted[at]!.overview))]
            : []),
        ),
      ),
    )
    const first = firstWritten(passage)
    this.#cells = passage.written.slice(0, mostWords).map((token, at) => this.#cell(token, first + at))
    this.#parts.words.replaceChildren(...this.#cells.map(({ button }) => make('li', {}, button)))
    this.#parts.words.hidden = this.#parts.csv.hidden = this.#parts.png.hidden = this.#cells.length === 0
  }

  #cell(token: PassageToken, position: number): Cell {
    const canvas = make('canvas', { ariaHidden: 'true' })
    const button = make(
      'button',
      { type: 'button', tabIndex: -1 },
      make('span', { ariaHidden: 'true' }, visible(token.text)),
      canvas,
    )
    button.dataset.token = `${position}`
    return { button, canvas, word: { token: position, text: token.text, looks: [] } }
  }

  /** Paints the small images: for each word, the image that contains the patch with the largest weight. */
  #repaint(): void {
    const ramp = readRamp(this.#probe)
    this.#cells = this.#cells.map(cell => {
      const looks = this.#looksOf(this.#subjectOf(cell.word.token))
      const word = { ...cell.word, looks }
      this.#paintSmall(cell.canvas, looks, ramp)
      cell.button.ariaLabel = this.#inWords({ id: 0, text: word.text }, looks)
      return { ...cell, word }
    })
  }

  #paintSmall(canvas: HTMLCanvasElement, looks: readonly Look[], ramp: Ramp): void {
    const { image, weights, most } = strongestOf(looks) ?? looks[0]!
    const painted = this.#painted.find(one => one.image === image && one.overview === (most?.overview ?? one.overview))!
    fit(canvas, image, smallSide)
    paint(canvas, painted, weights, highest(looks), ramp)
  }

  #looksOf(subject: Subject | undefined): Look[] {
    const row = this.#attention?.look(this.#head, subject?.row)
    return this.#images.map(image => lookOf(image, subject && row))
  }

  /** For example: “red” looks most at the left of the image: 98.2 % of its attention is in the image. */
  #inWords(token: PassageToken, looks: readonly Look[]): string {
    const name = quoted(token)
    const share = looks.reduce((sum, look) => sum + look.share, 0)
    const strongest = strongestOf(looks)
    const pictures = this.#images.length === 1 ? 'the picture' : 'the pictures'
    if (share < leastShare || !strongest?.most) return `${name} does not look at ${pictures}.`
    const picture = this.#images.length === 1 ? 'the picture' : `picture ${this.#images.indexOf(strongest.image) + 1}`
    return `${name} looks most at the ${placeOf(strongest.most, strongest.image)} of ${picture}: ${percent(share)} of its attention is in ${pictures}.`
  }

  #nameOf(image: TextImage, overview: boolean): string {
    const name = this.#images.length === 1 ? 'The picture' : `Picture ${this.#images.indexOf(image) + 1}`
    const isCut = image.patches.some(patch => patch.overview !== overview)
    return isCut ? `${name}, ${overview ? 'as a whole' : 'in tiles'}` : name
  }

  #move(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const from = this.#cells.findIndex(({ button }) => button === event.target)
    const last = this.#cells.length - 1
    const steps: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from - 1,
      ArrowDown: from + 1,
      Home: 0,
      End: last,
    }
    const to = steps[event.key]
    if (event.key === 'Escape' && this.#selection.value.pinned) {
      this.#selection.value = nothing
      event.stopPropagation()
    }
    if (from < 0 || to === undefined) return
    event.preventDefault()
    const { button, word } = this.#cells[Math.min(Math.max(to, 0), last)]!
    this.#selection.value = pin(this.#subjectOf(word.token))
    button.focus()
  }
}

const highest = (looks: readonly Look[]): number =>
  looks.reduce((most, { weights }) => weights.reduce((a, b) => Math.max(a, b), most), 0)

/** The image that contains the patch with the largest weight. */
function strongestOf(looks: readonly Look[]): Look | undefined {
  const top = highest(looks)
  return top > 0 ? looks.find(({ weights }) => weights.includes(top)) : undefined
}

function tokenAt({ target }: Event): number | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-token]') : null
  return button ? Number(button.dataset.token) : undefined
}

/** The pixels of a passage's images. */
const picturesOf = ({ parts = [] }: Passage): Pixels[] =>
  parts.flatMap(part => (typeof part === 'object' && 'image' in part ? [part.image] : []))
