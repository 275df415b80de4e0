// A text in the row of texts: its name, progress and beginning, and a Stop button while it is generated.
import { make } from '../support/dom.js'
import { plural } from '../support/format.js'
import { isReading, type Version } from './version.js'

export interface Chip {
  place: HTMLLIElement
  /** Switches to the text. */
  button: HTMLButtonElement
}

export function makeChip(version: Version, turnTo: () => void): Chip {
  const { from, name } = version
  const beginning = from ? `continues ${from.version.name}` : version.passage.value.prompt
  const state = make('span')
  const button = make(
    'button',
    { type: 'button', title: beginning },
    make('b', {}, name),
    ' ',
    state,
    ' ',
    make('span', { className: 'beginning' }, beginning),
  )
  const stop = make('button', { type: 'button', className: 'stop', ariaLabel: `Stop ${name.toLowerCase()}` }, 'Stop')
  const place = make('li', { className: 'version' }, button, stop)
  button.addEventListener('click', turnTo)
  stop.addEventListener('click', () => version.stop())
  version.progress.watch(progress => {
    const isWhole = version.outcome !== undefined
    if (isReading(progress)) state.textContent = 'reading…'
    else state.textContent = isWhole ? plural(progress.tokens, 'token') : `generating, ${plural(progress.tokens, 'token')}`
    place.classList.toggle('writing', !isWhole)
    if (isWhole && document.activeElement === stop) button.focus()
    stop.hidden = isWhole
  })
  return { place, button }
}
