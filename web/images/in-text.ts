// Images in a text that is being written: each is at the place of its mark, such as [image 1], which can be moved, cut and pasted.
import type { Model } from 'heed'
import type { Passage, PassagePart } from 'heed/viewer'
import { type Medium, partOf } from '../media/medium.js'
import { Attachments } from './attachments.js'
import type { Observable } from '../support/observable.js'

const mark = /\[picture (\d+)\]/g

/** An image with the number in its mark. */
interface Numbered {
  readonly picture: Medium
  readonly number: number
}

export class PicturesInText {
  readonly #box: HTMLTextAreaElement
  readonly #attachments: Attachments
  readonly #numbers = new Map<Medium, number>()
  /** Images whose marks have been inserted into the text. */
  readonly #placed = new Set<Medium>()
  #model?: Model
  #count = 0

  /** `box` is the text box; it gets an input event when a mark is added or removed, as if the user had typed it. */
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

  /** Switches to a model. The images stay. */
  use(model: Model): void {
    this.#model = model
    this.#attachments.use(model)
  }

  add(files: readonly File[]): void {
    void this.#attachments.add(files)
  }

  /** The images, including those whose marks the user has cut out of the text. */
  get list(): Observable<readonly Medium[]> {
    return this.#attachments.pictures
  }

  /** The images with the numbers in their marks. */
  get numbered(): readonly Numbered[] {
    return this.list.value.map(picture => ({ picture, number: this.#numbers.get(picture)! }))
  }

  /** Adds images whose marks are in the text. */
  bringBack(numbered: readonly Numbered[]): void {
    const taken = new Set(this.#numbers.values())
    const added = numbered.filter(({ number }) => !taken.has(number))
    for (const { picture, number } of added) {
      this.#numbers.set(picture, number)
      this.#placed.add(picture)
      this.#count = Math.max(this.#count, number)
    }
    if (added.length > 0) this.list.value = [...added.map(({ picture }) => picture), ...this.list.value]
  }

  clear(): void {
    this.#attachments.clear()
  }

  /**
   * A text with its images in place of their marks, as the model reads it. For a model that accepts no images, marks are left out.
   * Text that only looks like a mark stays text.
   */
  readIn(text: string): Pick<Passage, 'prompt' | 'parts'> {
    const pictures = new Map([...this.#numbers].map(([picture, number]) => [`${number}`, picture]))
    const parts: PassagePart[] = []
    let from = 0
    for (const found of text.matchAll(mark)) {
      const picture = pictures.get(found[1]!)
      if (!picture) continue
      parts.push(text.slice(from, found.index), partOf(picture))
      from = found.index + found[0].length
    }
    if (from === 0) return { prompt: text }
    const all = [...parts, text.slice(from)].filter(part => part !== '')
    if (this.#model?.info.acceptsImages) return { prompt: text, parts: all }
    return { prompt: all.filter(part => typeof part === 'string').join('') }
  }

  #markOf(picture: Medium): string {
    const number = this.#numbers.get(picture) ?? ++this.#count
    this.#numbers.set(picture, number)
    return `[picture ${number}]`
  }

  /** Inserts the image's mark at the cursor. */
  #putIn(picture: Medium): void {
    this.#placed.add(picture)
    const { selectionStart, selectionEnd } = this.#box
    this.#box.setRangeText(this.#markOf(picture), selectionStart, selectionEnd, 'end')
    this.#changed()
  }

  #takeOut(picture: Medium): void {
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
