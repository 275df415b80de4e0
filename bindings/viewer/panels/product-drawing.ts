// Draws a query, a key and the products of their numbers, which add up to their dot product: for each, bars above and below a line.
// Direction shows the sign; color does not.
import type { AttentionParts } from 'heed'

const svg = 'http://www.w3.org/2000/svg'
const labelWidth = 64
const rowHeight = 44
const gap = 10

/** Replaces the drawing with the parts of one key, whose index starts at the first visible key. */
export function drawProduct(
  place: HTMLElement,
  { queryVector, keyVectors, dots }: AttentionParts,
  key: number,
  label: string,
): void {
  const keyVector = keyVectors[key]!
  const products = queryVector.map((value, i) => value * keyVector[i]!)
  let sum = 0
  const sums = products.map(product => (sum += product))
  const width = Math.max(place.clientWidth, 200)
  const height = 4 * (rowHeight + gap)
  const image = element('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label })
  const rows: [name: string, values: Float32Array, most: number][] = [
    ['query', queryVector, mostOf(queryVector)],
    ['key', keyVector, mostOf(keyVector)],
    ['q × k', products, mostOf(products)],
    ['sum', sums, Math.max(mostOf(sums), Math.abs(dots[key]!))],
  ]
  rows.forEach(([name, values, most], index) => {
    const top = index * (rowHeight + gap)
    const middle = top + rowHeight / 2
    const text = element('text', { x: 0, y: middle, 'dominant-baseline': 'central' })
    text.textContent = name
    image.append(
      text,
      element('line', { x1: labelWidth, x2: width, y1: middle, y2: middle, class: 'zero' }),
      element('path', { d: barsOf(values, most, width - labelWidth, middle), class: name === 'sum' ? 'sums' : 'bars' }),
    )
  })
  place.replaceChildren(image)
}

const mostOf = (values: Float32Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** A bar for each value, from the line at `middle` up or down, on `width` pixels. */
function barsOf(values: Float32Array, most: number, width: number, middle: number): string {
  const step = width / values.length
  const bar = Math.max(step * 0.8, 0.5)
  return [...values]
    .map((value, i) => {
      const end = most > 0 ? ((-value / most) * rowHeight) / 2 : 0
      return `M${(labelWidth + i * step).toFixed(2)} ${middle}h${bar.toFixed(2)}v${end.toFixed(2)}h${(-bar).toFixed(2)}z`
    })
    .join('')
}

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(svg, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, `${value}`)
  return made
}
