// A part of the page that a phone shows as a sheet from below on request; on larger screens, the page scrolls to it. An open sheet
// is an entry of the tab's history: Back closes it.
import { bringIntoView } from './dom.js'

const isNarrow = () => matchMedia('(width < 40rem)')

export class Sheet {
  readonly #place: HTMLElement
  readonly #close: HTMLButtonElement
  #opener?: HTMLElement

  /** `close` is a button in `place`. */
  constructor(place: HTMLElement, close: HTMLButtonElement) {
    this.#place = place
    this.#close = close
    if (history.state?.sheet) history.replaceState({ ...history.state, sheet: undefined }, '') // a reload has closed it
    close.addEventListener('click', () => this.close())
    place.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !this.isOpen) return
      event.stopPropagation()
      this.close()
    })
    isNarrow().addEventListener('change', () => this.close())
    addEventListener('popstate', () => {
      if (!history.state?.sheet) this.close()
    })
  }

  get isOpen(): boolean {
    return this.#place.classList.contains('sheet')
  }

  /** Opens the sheet, which has the focus until it closes, at `beside`. A larger screen scrolls to the part, unless `kept`. */
  open(beside?: HTMLElement, kept = false): void {
    if (!isNarrow().matches) return kept ? undefined : bringIntoView(this.#place)
    if (!this.isOpen) this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
    if (!this.isOpen) history.pushState({ ...history.state, sheet: true }, '')
    this.#place.classList.add('sheet')
    this.#place.scrollTop = 0
    beside?.scrollIntoView()
    this.#close.focus({ preventScroll: true })
  }

  close(): void {
    if (!this.isOpen) return
    this.#place.classList.remove('sheet')
    this.#opener?.focus()
    this.#opener = undefined
    if (history.state?.sheet) history.back()
  }
}
