// The drawing of a sound: how loud it is over time, with the stretch of a word, and what a head attends to.
import { highest, perSecond } from '../media/levels.js'

/** The most bars to draw: about as many as a screen has room for. */
const mostBars = 2000

/** The label of the drawing of nothing. */
const none = 'No sound yet'

const svg = <Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Record<string, string | number>) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`)
  return element
}

export class Waveform {
  readonly element = svg('svg', { class: 'waveform', role: 'img', preserveAspectRatio: 'none', 'aria-label': none })
  readonly #path = svg('path', { 'vector-effect': 'non-scaling-stroke' })
  readonly #stretch = svg('rect', { y: 0, height: 100, width: 0 })
  readonly #attention = svg('path', { class: 'attention' })
  readonly #place = svg('path', { class: 'place', 'vector-effect': 'non-scaling-stroke' })
  #seconds = 0

  /**
   * `onPoint` is called with the time under the pointer, and with undefined when it leaves; `onClick` with the time that is
   * clicked.
   */
  constructor(onPoint: (time?: number) => void, onClick: (time: number) => void) {
    this.element.append(this.#stretch, this.#attention, this.#path, this.#place)
    const timeAt = ({ clientX }: MouseEvent) => {
      const { left, width } = this.element.getBoundingClientRect()
      return ((clientX - left) / width) * this.#seconds
    }
    this.element.addEventListener('pointermove', event => onPoint(timeAt(event)))
    this.element.addEventListener('pointerleave', () => onPoint())
    this.element.addEventListener('click', event => onClick(timeAt(event)))
  }

  show(levels: readonly number[]): void {
    const most = Math.max(0.05, highest(levels))
    const each = Math.max(Math.ceil(levels.length / mostBars), 1)
    this.#seconds = levels.length / perSecond
    this.element.setAttribute('viewBox', `0 0 ${Math.max(levels.length, 1)} 100`)
    this.element.setAttribute('aria-label', levels.length === 0 ? none : `The sound, ${this.#seconds.toFixed(1)} seconds`)
    const bar = (_: unknown, index: number) => {
      const from = index * each
      const half = Math.max(1, (highest(levels.slice(from, from + each)) / most) * 48)
      return `M${from + each / 2},${(50 - half).toFixed(1)}v${(2 * half).toFixed(1)}`
    }
    this.#path.setAttribute('d', Array.from({ length: Math.ceil(levels.length / each) }, bar).join(''))
  }

  /** Draws attention weights, one for each 0.02 s from `begin` on, in seconds; undefined removes them. */
  attend(weights: Float32Array | undefined, begin = 0): void {
    const width = 0.02 * perSecond
    const largest = weights?.reduce((most, weight) => Math.max(most, weight), 0) ?? 0
    const columns = Array.from(weights ?? [], (weight, at) => {
      const height = (100 * weight) / largest
      return height < 1 ? '' : `M${(begin * perSecond + at * width).toFixed(2)},100v${-height.toFixed(1)}h${width.toFixed(2)}V100z`
    })
    this.#attention.setAttribute('d', columns.join(''))
  }

  /** Marks the position that is played, in seconds; undefined removes the mark. */
  playAt(time?: number): void {
    this.#place.setAttribute('d', time === undefined ? '' : `M${(time * perSecond).toFixed(2)},0v100`)
  }

  /** Marks the stretch of a word, in seconds; undefined removes the mark. */
  light(word?: { start: number; end: number }): void {
    const length = word ? Math.max(word.end - word.start, 0.05) : 0
    this.#stretch.setAttribute('x', `${(word?.start ?? 0) * perSecond}`)
    this.#stretch.setAttribute('width', `${length * perSecond}`)
  }
}
