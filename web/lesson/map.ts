// A heat map as an image with words at its edges: the attention of each row's token, by column.

export interface DrawnMap {
  readonly label: string
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** The weights, row by row. */
  readonly weights: readonly (readonly number[])[]
}

const namespace = 'http://www.w3.org/2000/svg'
const cell = 22
const letter = 7.6
const gap = 6

/** A map whose size is known and that has no squares yet. */
export interface EmptyMap {
  readonly picture: SVGSVGElement
  draw(): void
}

function add(parent: Element, name: string, attributes: Record<string, number | string>, text?: string): Element {
  const made = document.createElementNS(namespace, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`)
  if (text !== undefined) made.textContent = text
  parent.append(made)
  return made
}

const widest = (texts: readonly string[]) => Math.max(...texts.map(text => text.length)) * letter + gap

/** An `<svg>` whose squares, once they are drawn, are as opaque as their weights, in the color of the text around it. */
export function emptyMap(map: DrawnMap): EmptyMap {
  const { label, rows, columns } = map
  const [left, top] = [widest(rows), widest(columns)]
  const [width, height] = [left + columns.length * cell, top + rows.length * cell]
  const picture = document.createElementNS(namespace, 'svg')
  add(picture, 'title', {}, label)
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    class: 'drawn-map',
  })) {
    picture.setAttribute(name, `${value}`)
  }
  return { picture, draw: () => draw(picture, map, left, top) }
}

function draw(picture: Element, { rows, columns, weights }: DrawnMap, left: number, top: number): void {
  columns.forEach((text, column) => {
    const x = left + (column + 0.5) * cell + 4
    add(picture, 'text', { x, y: top - gap, transform: `rotate(-90 ${x} ${top - gap})` }, text)
  })
  rows.forEach((text, row) => {
    const y = top + row * cell
    add(picture, 'text', { x: left - gap, y: y + cell * 0.68, 'text-anchor': 'end' }, text)
    columns.forEach((_, column) => {
      const weight = weights[row]![column]
      if (weight === undefined) return // outside of the token's mask
      const place = { x: left + column * cell + 1, y: y + 1, width: cell - 2, height: cell - 2, rx: 2 }
      add(picture, 'rect', { ...place, class: 'ground' })
      add(picture, 'rect', { ...place, class: 'weight', 'fill-opacity': weight })
    })
  })
}
