// The legend of the colors, and the choice of their scale, which the text, the maps and the gates share.
import type { Parts } from '../frame/parts.js'
import { describe, make } from '../support/dom.js'
import { Observable } from '../support/observable.js'
import { type Scale, strength } from './color-scale.js'

/** The weights that the legend names. */
const named: Readonly<Record<Scale, readonly number[]>> = {
  'square-root': [0, 0.01, 0.1, 0.25, 0.5, 1],
  linear: [0, 0.25, 0.5, 0.75, 1],
}

export class ScaleChoice {
  readonly scale = new Observable<Scale>('square-root')

  constructor({ root, probe, attention: { legend } }: Parts) {
    const ticks = make('span', { className: 'ticks' })
    const isLinear = make('input', { id: 'linear', type: 'checkbox' })
    const colors = describe(make('span', { className: 'legend-colors' }, ticks), {
      role: 'img',
      'aria-label': 'Colors from no attention to all of it',
    })
    legend.append(
      colors,
      describe(make('label', {}, isLinear, 'linear scale'), {
        title: 'Otherwise by the square root, which tells small weights apart',
      }),
    )
    isLinear.addEventListener('change', () => {
      this.scale.value = isLinear.checked ? 'linear' : 'square-root'
    })
    this.scale.watch(scale => {
      isLinear.checked = scale === 'linear'
      root.dataset.scale = probe.dataset.scale = scale
      ticks.replaceChildren(
        ...named[scale].map(weight => {
          const tick = make('span', {}, weight === 0 ? '0' : `${weight * 100} %`)
          tick.style.insetInlineStart = `${strength(weight, scale) * 100}%`
          return tick
        }),
      )
    })
  }
}
