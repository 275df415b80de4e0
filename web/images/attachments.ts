// The images of a message or text that is being written: chosen, pasted or dropped, with the number of tokens of each.
import { HeedError, type Model } from 'heed'
import { make } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { clearNotices, notify } from '../support/notices.js'
import { Observable } from '../support/observable.js'
import { isPicture, noPictures, type Picture, readPicture, sizeOf, thumbnail } from './picture.js'

const thumbnailSide = 72

/** The text that images are added to. */
interface Written {
  /** The text box, in a form with a line of actions. */
  readonly box: HTMLTextAreaElement
  /** The id of the button that adds images. */
  readonly id: string
  /** A name for the purpose of the images. */
  readonly name: string
  /** Moves the focus back to the box after the last image was removed. */
  readonly leave: () => void
  /** The image's mark in the box; undefined if it has none. */
  readonly markOf?: (picture: Picture) => string
}

interface Row {
  readonly place: HTMLLIElement
  readonly cost: HTMLSpanElement
}

export class Attachments {
  readonly pictures = new Observable<readonly Picture[]>([])
  readonly #list: HTMLUListElement
  readonly #sum = make('p', { className: 'help', role: 'status' })
  readonly #place = make('div', { className: 'attachments', hidden: true })
  /** Errors about images are shown in the place of the images. */
  readonly #notices = make('div', { className: 'notices' })
  readonly #pick: HTMLButtonElement
  readonly #rows = new Map<Picture, Row>()
  readonly #written: Written
  #reading?: Promise<boolean>
  #model?: Model
  /** The number of the current count, which detects outdated answers. */
  #counts = 0

  constructor(written: Written) {
    this.#written = written
    const { box, id, name } = written
    this.#list = make('ul', { ariaLabel: `Pictures of the ${name}` })
    this.#pick = make('button', { type: 'button', hidden: true, id }, 'Add a picture…')
    this.#place.append(this.#list, this.#sum)
    const input = make('input', {
      type: 'file',
      accept: 'image/*',
      multiple: true,
      hidden: true,
      id: `${id}-file`,
      ariaLabel: `Pictures for the ${name}`,
    })
    box.before(this.#notices, this.#place)
    box.form!.querySelector('.actions .help')!.before(this.#pick, input)
    this.#pick.addEventListener('click', () => input.click())
    input.addEventListener('change', () => {
      const files = Array.from(input.files ?? [])
      input.value = '' // lets the user choose the same file again
      void this.add(files)
    })
    box.addEventListener('paste', event => {
      const files = Array.from(event.clipboardData?.files ?? []).filter(isPicture)
      if (files.length === 0) return
      event.preventDefault()
      void this.add(files)
    })
    this.pictures.watch(pictures => this.#show(pictures))
  }

  /** Switches to a model. The images stay. */
  use(model: Model | undefined): void {
    this.#model = model
    this.#pick.hidden = !model?.info.acceptsImages
    void this.#count()
  }

  /** Shows an error. */
  tell(sentence: string): void {
    notify(sentence, this.#notices)
  }

  /** While added images are being read: resolves to whether all could be. Large ones take a while. */
  get reading(): Promise<boolean> | undefined {
    return this.#reading
  }

  /** Adds images, and reports files that are not images. Adds nothing for a model that accepts no images. */
  async add(files: readonly File[]): Promise<void> {
    if (!this.#model?.info.acceptsImages) return this.tell(noPictures(`“${foreign(files[0]!.name)}” is a picture`))
    if (this.#notices.hasChildNodes()) clearNotices() // about what was added before
    const before = this.#reading
    const reading = (this.#reading = this.#read(files).then(async areRead => (await before) !== false && areRead))
    await reading
    if (reading === this.#reading) this.#reading = undefined
  }

  async #read(files: readonly File[]): Promise<boolean> {
    let areRead = true
    for (const file of files) {
      try {
        const picture = await readPicture(file, file.name || 'A pasted picture')
        this.pictures.value = [...this.pictures.value, picture]
      } catch (error) {
        const why =
          HeedError.from(error).code === 'out-of-memory' ? 'is too large to read' : 'is not a picture that this browser can read'
        this.tell(`“${foreign(file.name)}” ${why}.`)
        areRead = false
      }
    }
    return areRead
  }

  clear(): void {
    this.pictures.value = []
  }

  #show(pictures: readonly Picture[]): void {
    for (const [picture, { place }] of this.#rows) {
      if (pictures.includes(picture)) continue
      place.remove()
      this.#rows.delete(picture)
    }
    for (const picture of pictures) {
      if (this.#rows.has(picture)) continue
      const row = this.#row(picture)
      this.#rows.set(picture, row)
      this.#list.append(row.place)
    }
    this.#place.hidden = pictures.length === 0
    void this.#count()
  }

  #row(picture: Picture): Row {
    const remove = make('button', { type: 'button', ariaLabel: `Remove ${picture.name}` }, '×')
    const cost = make('span')
    const mark = this.#written.markOf?.(picture)
    const place = make(
      'li',
      {},
      thumbnail(picture, thumbnailSide, `${picture.name}, ${sizeOf(picture)}`),
      ...(mark ? [make('b', {}, mark)] : []),
      cost,
      remove,
    )
    remove.addEventListener('click', () => {
      const next = (place.nextElementSibling ?? place.previousElementSibling)?.querySelector('button')
      this.pictures.value = this.pictures.value.filter(other => other !== picture)
      if (next) next.focus()
      else this.#written.leave()
    })
    return { place, cost }
  }

  /** Shows how many tokens the images will take. */
  async #count(): Promise<void> {
    const count = ++this.#counts
    const model = this.#model
    const pictures = this.pictures.value
    if (!model || pictures.length === 0) return void (this.#sum.textContent = '')
    if (!model.info.acceptsImages) {
      for (const { cost } of this.#rows.values()) cost.textContent = ''
      this.#sum.textContent = 'This model reads no pictures.'
      return
    }
    try {
      const tokens = await Promise.all(pictures.map(({ pixels: { width, height } }) => model.imageTokens({ width, height })))
      if (count !== this.#counts) return
      pictures.forEach((picture, at) => {
        this.#rows.get(picture)!.cost.textContent = plural(tokens[at]!, 'token')
      })
      const sum = tokens.reduce((sum, some) => sum + some, 0)
      const { contextLength } = model.info
      this.#sum.textContent =
        `${plural(pictures.length, 'picture')}, ${plural(sum, 'token')} of a context of ${contextLength}` +
        `${sum < contextLength ? '.' : ': too many, so remove some.'}`
    } catch (error) {
      if (count === this.#counts && HeedError.from(error).code !== 'disposed') this.#sum.textContent = (error as Error).message
    }
  }
}
