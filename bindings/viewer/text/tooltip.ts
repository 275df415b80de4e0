// A small label next to the token under the pointer. Without a pointer, the card and the live region give this information.

const gap = 8

export class Tooltip {
  readonly #element: HTMLElement

  constructor(element: HTMLElement) {
    this.#element = element
  }

  /** Shows `text` above the first line of `target`, or below it if there is no room, inside the window. */
  show(target: HTMLElement, text: string): void {
    this.#element.textContent = text
    this.#element.hidden = false
    const [line] = target.getClientRects()
    const { width, height } = this.#element.getBoundingClientRect()
    if (!line) return this.hide()
    const left = Math.min(Math.max(line.left + line.width / 2 - width / 2, gap), innerWidth - width - gap)
    const above = line.top - height - gap
    this.#element.style.left = `${left}px`
    this.#element.style.top = `${above < gap ? line.bottom + gap : above}px`
  }

  hide(): void {
    this.#element.hidden = true
  }
}
