// A text in the row of texts: its name, progress and end, and a Stop button while it is generated.
import { make } from '../support/dom.js'
import { plural } from '../support/format.js'
import { isReading, type Version } from './version.js'

export interface Chip {
  place: HTMLLIElement
  /** Switches to the text. */
  button: HTMLButtonElement
  /**
   * Shows the Stop button while the text is generated; afterwards, as long as the text is shown token by token, a button that calls
   * `showAll`.
   */
  offer(showAll: (() => void) | undefined): void
}

export function makeChip(version: Version, turnTo: () => void): Chip {
  const { from, name } = version
  const beginning = from ? `continues ${from.version.name}` : version.passage.value.prompt
  const state = make('span')
  const end = make('span', { className: 'end' })
  const button = make('button', { type: 'button', title: beginning }, make('b', {}, name), ' ', state, ' ', end)
  const stop = make('button', { type: 'button', className: 'stop' })
  let stops: (() => void) | undefined
  const place = make('li', { className: 'version' }, button, stop)
  button.addEventListener('click', turnTo)
  stop.addEventListener('click', () => stops?.())
  function offer(showAll?: () => void): void {
    const isWhole = version.outcome !== undefined
    stops = isWhole ? showAll : () => version.stop()
    if (!stops && document.activeElement === stop) button.focus()
    stop.hidden = !stops
    stop.textContent = isWhole ? 'Show all' : 'Stop'
    stop.ariaLabel = isWhole ? `Show all of ${name.toLowerCase()}` : `Stop ${name.toLowerCase()}`
  }
  version.progress.watch(progress => {
    const isWhole = version.outcome !== undefined
    if (isReading(progress)) state.textContent = 'reading…'
    else state.textContent = isWhole ? plural(progress.tokens, 'token') : `generating, ${plural(progress.tokens, 'token')}`
    if (isWhole) end.textContent = version.end || beginning
    place.classList.toggle('writing', !isWhole)
    offer()
  })
  return { place, button, offer }
}
