// A table as a picture (SVG), in the colors of an element of the page.

const xmlns = 'http://www.w3.org/2000/svg'
/** Longer words are cut. */
const mostLetters = 11

const cut = (text: string) => {
  const letters = [...text]
  return letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join('')}…` : text
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(xmlns, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, `${value}`)
  return made
}

/** Row 0 has the names of the columns, and column -1 the names of the rows. */
export class TableDrawing {
  readonly #drawing: SVGElement
  readonly #colors: CSSStyleDeclaration
  readonly #size: { readonly width: number; readonly height: number; readonly name: number }

  constructor(columns: number, rows: number, styled: HTMLElement, size = { width: 84, height: 24, name: 64 }) {
    this.#size = size
    this.#colors = getComputedStyle(styled)
    this.#drawing = element('svg', {
      width: size.name + columns * size.width,
      height: (rows + 1) * size.height,
      'font-family': 'sans-serif',
      'font-size': 12,
    })
    this.#drawing.append(element('rect', { width: '100%', height: '100%', fill: this.#colors.getPropertyValue('--paper') }))
  }

  write(text: string, column: number, row: number): void {
    const { width, height, name } = this.#size
    const written = element('text', {
      x: column < 0 ? 4 : name + column * width + 4,
      y: row * height + 16,
      fill: this.#colors.color,
      ...(row === 0 || column < 0 ? { 'font-weight': 'bold' } : {}),
    })
    written.textContent = cut(text)
    this.#drawing.append(written)
  }

  /** `color` is a custom property of the element. */
  fill(column: number, row: number, color: string, opacity: number): void {
    const { width, height, name } = this.#size
    this.#drawing.append(
      element('rect', {
        x: name + column * width,
        y: row * height,
        width: width - 1,
        height: height - 1,
        fill: this.#colors.getPropertyValue(color),
        'fill-opacity': opacity.toFixed(3),
      }),
    )
  }

  toString(): string {
    return new XMLSerializer().serializeToString(this.#drawing)
  }
}
