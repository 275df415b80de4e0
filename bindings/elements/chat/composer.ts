// The composer of messages: text and images, by keyboard, button, paste and drop.
import { make, part } from '../support/dom.js'
import { isOfInputMethod } from '../support/input-methods.js'
import type { Labels } from '../support/labels.js'
import { picturesAmong, thumbnail } from './pictures.js'

export interface ComposerEvents {
  readonly send: () => void
  readonly stop: () => void
  /** Called when the user begins to write. */
  readonly begin: () => void
}

export class Composer {
  readonly input = part('input', make('textarea', { rows: 1, dir: 'auto' }))
  readonly #send = part('send', make('button', { type: 'submit', className: 'send' }))
  readonly #add = part('add', make('button', { type: 'button', className: 'add', hidden: true }, '+'))
  readonly #file = make('input', { type: 'file', accept: 'image/*', multiple: true, hidden: true })
  readonly #chosen = make('div', { className: 'pictures', hidden: true })
  readonly #form = part('composer', make('form', {}, this.#add, this.input, this.#send, this.#file))
  readonly node = make('div', {}, this.#chosen, this.#form)
  #pictures: File[] = []
  #labels!: Labels
  #isBusy = false

  constructor({ send, stop, begin }: ComposerEvents) {
    this.#form.addEventListener('submit', event => {
      event.preventDefault()
      if (this.#isBusy) stop()
      else send()
    })
    this.input.addEventListener('keydown', event => {
      if (isOfInputMethod(event)) return // Enter ends the composition
      if (event.key === 'Escape' && this.#isBusy) stop()
      if (event.key !== 'Enter' || event.shiftKey) return
      event.preventDefault()
      if (!this.#isBusy) send()
    })
    this.input.addEventListener('focus', begin)
    this.#add.addEventListener('click', () => this.#file.click())
    this.#file.addEventListener('change', () => {
      this.#choose(picturesAmong(this.#file.files))
      this.#file.value = ''
    })
    this.node.addEventListener('paste', event => this.#take(event, event.clipboardData))
    this.node.addEventListener('dragover', event => {
      if (!this.#add.hidden) event.preventDefault()
    })
    this.node.addEventListener('drop', event => this.#take(event, event.dataTransfer))
  }

  set labels(labels: Labels) {
    this.#labels = labels
    this.input.ariaLabel = labels.message
    this.#add.ariaLabel = this.#add.title = labels.addPictures
    this.#file.ariaLabel = labels.addPictures
    this.#showBusy()
    this.#showPictures()
  }

  set isBusy(isBusy: boolean) {
    this.#isBusy = isBusy
    this.#showBusy()
  }

  set takesPictures(takes: boolean) {
    this.#add.hidden = !takes
  }

  /** Returns the message, and clears the composer. */
  take(): { text: string; pictures: readonly File[] } {
    const taken = { text: this.input.value.trim(), pictures: this.#pictures }
    this.input.value = ''
    this.#pictures = []
    this.#showPictures()
    return taken
  }

  #take(event: Event, data: DataTransfer | null): void {
    const pictures = this.#add.hidden ? [] : picturesAmong(data?.files)
    if (pictures.length === 0) return
    event.preventDefault()
    this.#choose(pictures)
  }

  #choose(pictures: readonly File[]): void {
    this.#pictures = [...this.#pictures, ...pictures]
    this.#showPictures()
    this.input.focus()
  }

  #showBusy(): void {
    this.#send.textContent = this.#isBusy ? this.#labels.stop : this.#labels.send
  }

  #showPictures(): void {
    this.#chosen.hidden = this.#pictures.length === 0
    this.#chosen.replaceChildren(
      ...this.#pictures.map(picture => {
        const remove = make('button', { type: 'button', ariaLabel: `${this.#labels.remove} ${picture.name}` }, '×')
        remove.addEventListener('click', () => {
          this.#pictures = this.#pictures.filter(one => one !== picture)
          this.#showPictures()
          this.input.focus()
        })
        return make('div', { className: 'chosen' }, thumbnail(picture, picture.name), remove)
      }),
    )
  }
}
