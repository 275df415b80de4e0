// The images of a message or text that is being written, and the sounds of a message: chosen, pasted or dropped, with the number of
// tokens of each.
import { HeedError, type Model } from 'heed'
import {
  accepts,
  counted,
  isAccepted,
  isMedium,
  isSound,
  type Kind,
  type Medium,
  preview,
  readMedium,
  tokensOf,
} from '../media/medium.js'
import { isSoundFile, noSounds } from '../media/sound.js'
import { make } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { clearNotices, notify } from '../support/notices.js'
import { Observable } from '../support/observable.js'
import { isPicture, noPictures } from '../media/picture.js'

const thumbnailSide = 72

/** The text that images are added to. */
interface Written {
  /** The text box, in a form with a line of actions. */
  readonly box: HTMLTextAreaElement
  /** The id of the button that adds images. */
  readonly id: string
  /** What the text is called in labels: `text` or `message`. */
  readonly name: string
  /** Moves the focus back to the box after the last image was removed. */
  readonly leave: () => void
  /** The image's mark in the box; undefined if it has none. */
  readonly markOf?: (medium: Medium) => string
  /** Whether it may have sounds. */
  readonly hasSounds?: true
}

interface Row {
  readonly place: HTMLLIElement
  readonly cost: HTMLSpanElement
}

export class Attachments {
  /** The images and sounds. */
  readonly pictures = new Observable<readonly Medium[]>([])
  readonly #list: HTMLUListElement
  readonly #sum = make('p', { className: 'help', role: 'status' })
  readonly #place = make('div', { className: 'attachments', hidden: true })
  /** Errors about images are shown in the place of the images. */
  readonly #notices = make('div', { className: 'notices' })
  readonly #pick: HTMLButtonElement
  readonly #input: HTMLInputElement
  readonly #rows = new Map<Medium, Row>()
  readonly #written: Written
  #reading?: Promise<boolean>
  #model?: Model
  /** The number of the current count, which detects outdated answers. */
  #counts = 0

  constructor(written: Written) {
    this.#written = written
    const { box, id, name } = written
    this.#list = make('ul', { ariaLabel: `${written.hasSounds ? 'Pictures and sounds' : 'Pictures'} of the ${name}` })
    this.#pick = make('button', { type: 'button', hidden: true, id })
    this.#place.append(this.#list, this.#sum)
    const input = (this.#input = make('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      id: `${id}-file`,
      ariaLabel: `Files for the ${name}`,
    }))
    box.before(this.#notices, this.#place)
    box.form!.querySelector('.actions .help')!.before(this.#pick, input)
    this.#pick.addEventListener('click', () => input.click())
    input.addEventListener('change', () => {
      const files = Array.from(input.files ?? [])
      input.value = '' // lets the user choose the same file again
      void this.add(files)
    })
    box.addEventListener('paste', event => {
      const files = Array.from(event.clipboardData?.files ?? []).filter(isMedium)
      if (files.length === 0) return
      event.preventDefault()
      void this.add(files)
    })
    this.pictures.watch(pictures => this.#show(pictures))
  }

  #accepts(kind: Kind): boolean {
    return !!this.#model && accepts(this.#model.info, kind) && (kind === 'picture' || !!this.#written.hasSounds)
  }

  /** A file of a type that the browser does not know may be either. */
  #kindOf(file: File): Kind {
    if (isSoundFile(file)) return 'sound'
    return isPicture(file) || this.#accepts('picture') || !this.#accepts('sound') ? 'picture' : 'sound'
  }

  /** Switches to a model. The images and sounds stay. */
  use(model: Model | undefined): void {
    this.#model = model
    const kinds = (['picture', 'sound'] as const).filter(kind => this.#accepts(kind))
    this.#pick.hidden = kinds.length === 0
    this.#pick.textContent = `Add a ${kinds.join(' or ')}…`
    this.#input.accept = kinds.map(kind => (kind === 'picture' ? 'image/*' : 'audio/*')).join(',')
    void this.#count()
  }

  /** Shows an error, with a button that may help. */
  tell(sentence: string, remedy?: HTMLButtonElement): void {
    notify(sentence, this.#notices, remedy)
  }

  /** Resolves to whether all added images could be read; undefined if none is being read. Large images take a while. */
  get reading(): Promise<boolean> | undefined {
    return this.#reading
  }

  /** Adds images and sounds, and reports other files. Adds nothing that the model does not accept. */
  async add(files: readonly File[]): Promise<void> {
    const strange = files.find(file => !this.#accepts(this.#kindOf(file)))
    if (strange) {
      const name = `“${foreign(strange.name)}”`
      return this.tell(isSoundFile(strange) ? noSounds(`${name} is a sound`) : noPictures(`${name} is a picture`))
    }
    if (this.#notices.hasChildNodes()) clearNotices() // they are about images added before
    const before = this.#reading
    const reading = (this.#reading = this.#read(files).then(async areRead => (await before) !== false && areRead))
    await reading
    if (reading === this.#reading) this.#reading = undefined
  }

  async #read(files: readonly File[]): Promise<boolean> {
    let areRead = true
    for (const file of files) {
      try {
        const medium = await readMedium(file, this.#kindOf(file))
        this.pictures.value = [...this.pictures.value, medium]
      } catch (error) {
        this.tell(`“${foreign(file.name)}” ${(error as Error).message}.`)
        areRead = false
      }
    }
    return areRead
  }

  clear(): void {
    this.pictures.value = []
  }

  #show(pictures: readonly Medium[]): void {
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

  #row(picture: Medium): Row {
    const remove = make('button', { type: 'button', ariaLabel: `Remove ${picture.name}` }, '×')
    const cost = make('span')
    const mark = this.#written.markOf?.(picture)
    const place = make('li', {}, preview(picture, thumbnailSide), ...(mark ? [make('b', {}, mark)] : []), cost, remove)
    remove.addEventListener('click', () => {
      const next = (place.nextElementSibling ?? place.previousElementSibling)?.querySelector('button')
      this.pictures.value = this.pictures.value.filter(other => other !== picture)
      if (next) next.focus()
      else this.#written.leave()
    })
    return { place, cost }
  }

  /** Shows how many tokens the images and sounds will take. */
  async #count(): Promise<void> {
    const count = ++this.#counts
    const model = this.#model
    const pictures = this.pictures.value
    if (!model || pictures.length === 0) return void (this.#sum.textContent = '')
    const unread = pictures.find(medium => !isAccepted(medium, model.info))
    if (unread) {
      for (const { cost } of this.#rows.values()) cost.textContent = ''
      this.#sum.textContent = isSound(unread) ? 'This model hears nothing.' : 'This model reads no pictures.'
      return
    }
    try {
      const tokens = await Promise.all(pictures.map(medium => tokensOf(medium, model)))
      if (count !== this.#counts) return
      pictures.forEach((picture, at) => {
        this.#rows.get(picture)!.cost.textContent = plural(tokens[at]!, 'token')
      })
      const sum = tokens.reduce((sum, some) => sum + some, 0)
      const { contextLength } = model.info
      this.#sum.textContent =
        `${counted(pictures)}, ${plural(sum, 'token')} of a context of ${contextLength}` +
        `${sum < contextLength ? '.' : ': too many, so remove some.'}`
    } catch (error) {
      if (count === this.#counts && HeedError.from(error).code !== 'disposed') this.#sum.textContent = (error as Error).message
    }
  }
}
