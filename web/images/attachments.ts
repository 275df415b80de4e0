// The pictures of the message that is being written: chosen, pasted or dropped, with what each will cost.
import { HeedError, type Model } from 'heed'
import { byId, make } from '../support/dom.js'
import { plural } from '../support/format.js'
import { notify } from '../support/notices.js'
import { Observable } from '../support/observable.js'
import { isPicture, noPictures, type Picture, readPicture, sizeOf, thumbnail } from './picture.js'

const thumbnailSide = 72

interface Row {
  readonly place: HTMLLIElement
  readonly cost: HTMLSpanElement
}

export class Attachments {
  readonly pictures = new Observable<readonly Picture[]>([])
  readonly #list = make('ul', { ariaLabel: 'Pictures of the message' })
  readonly #sum = make('p', { className: 'help', role: 'status' })
  readonly #place = make('div', { className: 'attachments', hidden: true }, this.#list, this.#sum)
  readonly #pick = make('button', { type: 'button', hidden: true, id: 'attach' }, 'Add a picture…')
  readonly #rows = new Map<Picture, Row>()
  readonly #leave: () => void
  #reading?: Promise<boolean>
  #model?: Model
  /** Counts what is measured, so that outdated answers can be detected. */
  #counts = 0

  /** `leave` moves the focus back to the message, once the last picture was removed. */
  constructor(leave: () => void) {
    this.#leave = leave
    const form = byId('chat-compose', HTMLFormElement)
    const box = byId('message', HTMLTextAreaElement)
    const input = make('input', {
      type: 'file',
      accept: 'image/*',
      multiple: true,
      hidden: true,
      id: 'attach-file',
      ariaLabel: 'Pictures',
    })
    box.before(this.#place)
    form.querySelector('.actions .help')!.before(this.#pick, input)
    this.#pick.addEventListener('click', () => input.click())
    input.addEventListener('change', () => {
      const files = Array.from(input.files ?? [])
      input.value = '' // so that the same file can be chosen again
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

  /** Switches to a model. The pictures stay. */
  use(model: Model | undefined): void {
    this.#model = model
    this.#pick.hidden = !model?.info.readsImages
    void this.#count()
  }

  /** While added pictures are read: resolves to whether all could be. Large ones take a while. */
  get reading(): Promise<boolean> | undefined {
    return this.#reading
  }

  /** Adds pictures, and says which files are none. Nothing is added for a model that reads no pictures. */
  async add(files: readonly File[]): Promise<void> {
    if (!this.#model?.info.readsImages) return notify(noPictures(`“${files[0]!.name}” is a picture`))
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
        notify(`“${file.name}” ${why}.`)
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
    const place = make('li', {}, thumbnail(picture, thumbnailSide, `${picture.name}, ${sizeOf(picture)}`), cost, remove)
    remove.addEventListener('click', () => {
      const next = (place.nextElementSibling ?? place.previousElementSibling)?.querySelector('button')
      this.pictures.value = this.pictures.value.filter(other => other !== picture)
      if (next) next.focus()
      else this.#leave()
    })
    return { place, cost }
  }

  /** Says how many tokens the pictures will become. */
  async #count(): Promise<void> {
    const count = ++this.#counts
    const model = this.#model
    const pictures = this.pictures.value
    if (!model || pictures.length === 0) return void (this.#sum.textContent = '')
    if (!model.info.readsImages) {
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
