// Pictures in a text that is being written: each stands where its mark does, such as [picture 1], which can be moved, cut and pasted.
import type { Model } from 'heed'
import type { Passage, PassagePart } from 'heed/viewer'
import { Attachments } from './attachments.js'
import type { Picture } from './picture.js'

const mark = /\[picture (\d+)\]/g

export class PicturesInText {
  readonly #box: HTMLTextAreaElement
  readonly #attachments: Attachments
  readonly #numbers = new Map<Picture, number>()
  /** Those whose marks have been put into the text. */
  readonly #placed = new Set<Picture>()
  #model?: Model
  #count = 0

  /** `box` is what the text is written in; it has an event when a mark is added or removed, as if the user had typed it. */
  constructor(box: HTMLTextAreaElement) {
    this.#box = box
    this.#attachments = new Attachments({
      box,
      id: 'attach-to-text',
      name: 'text',
      leave: () => box.focus(),
      markOf: picture => this.#markOf(picture),
    })
    this.#attachments.pictures.watch(pictures => {
      for (const picture of [...this.#placed]) if (!pictures.includes(picture)) this.#takeOut(picture)
      for (const picture of pictures) if (!this.#placed.has(picture)) this.#putIn(picture)
    })
  }

  /** Switches to a model. The pictures stay. */
  use(model: Model): void {
    this.#model = model
    this.#attachments.use(model)
  }

  add(files: readonly File[]): void {
    void this.#attachments.add(files)
  }

  /**
   * A text with its pictures where their marks are, which is how the model reads it. Where it reads no pictures, their marks are left out. What
   * is no mark of a picture stays text.
   */
  readIn(text: string): Pick<Passage, 'prompt' | 'parts'> {
    const pictures = new Map([...this.#numbers].map(([picture, number]) => [`${number}`, picture]))
    const parts: PassagePart[] = []
    let from = 0
    for (const found of text.matchAll(mark)) {
      const picture = pictures.get(found[1]!)
      if (!picture) continue
      parts.push(text.slice(from, found.index), { image: picture.pixels })
      from = found.index + found[0].length
    }
    if (from === 0) return { prompt: text }
    const all = [...parts, text.slice(from)].filter(part => part !== '')
    if (this.#model?.info.acceptsImages) return { prompt: text, parts: all }
    return { prompt: all.filter(part => typeof part === 'string').join('') }
  }

  #markOf(picture: Picture): string {
    const number = this.#numbers.get(picture) ?? ++this.#count
    this.#numbers.set(picture, number)
    return `[picture ${number}]`
  }

  /** Where the user is writing. */
  #putIn(picture: Picture): void {
    this.#placed.add(picture)
    const { selectionStart, selectionEnd } = this.#box
    this.#box.setRangeText(this.#markOf(picture), selectionStart, selectionEnd, 'end')
    this.#changed()
  }

  #takeOut(picture: Picture): void {
    const text = this.#box.value.replaceAll(this.#markOf(picture), '')
    this.#placed.delete(picture)
    this.#numbers.delete(picture)
    if (text === this.#box.value) return
    this.#box.value = text
    this.#changed()
  }

  #changed(): void {
    this.#box.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
