// The progress of loading a model, with buttons to pause and cancel it.
import type { LoadPhase } from 'heed'
import { byId } from '../support/dom.js'
import { bytes, duration } from '../support/format.js'
import { tell } from '../support/notices.js'
import type { Loading, ModelSlot, Source } from './slot.js'

const doing: Record<LoadPhase, string> = {
  resolve: 'Opening', wait: 'Another tab is downloading', check: 'Verifying', download: 'Downloading', load: 'Loading', import: 'Storing',
}

/** The current phase with the model's name, and how much has been loaded. */
function describe({ source, progress: { phase, file, loaded, total }, isPaused }: Loading): [what: string, figures: string] {
  const name = file === 'projector' && source.projector ? source.projector.name : source.name
  if (!isPaused && total !== undefined && loaded >= total) return [`Preparing ${name}`, '…']
  const what = `${isPaused ? 'Paused' : doing[phase]} ${name}`
  if (loaded === 0) return [what, isPaused ? '' : '…']
  return [what, `: ${bytes(loaded)}${total === undefined ? '' : ` of ${bytes(total)}`}`]
}

/** The download speed, and the time remaining. */
function pace({ progress: { phase, loaded, total, bytesPerSecond }, isPaused }: Loading): string {
  if (phase !== 'download' || !bytesPerSecond || isPaused) return ''
  const speed = `${bytes(bytesPerSecond)}/s`
  return total === undefined ? speed : `${speed}, ${duration((total - loaded) / bytesPerSecond)} left`
}

/** `use` is called to resume a paused source. */
export function showLoading(slot: ModelSlot, use: (source: Source) => void): void {
  const place = byId('loading', HTMLDivElement)
  const what = byId('loading-what', HTMLSpanElement)
  const figures = byId('loading-figures', HTMLSpanElement)
  const rest = byId('loading-pace', HTMLParagraphElement)
  const bar = byId('loading-bar', HTMLProgressElement)
  const pause = byId('loading-pause', HTMLButtonElement)
  byId('loading-cancel', HTMLButtonElement).addEventListener('click', () => {
    slot.cancel()
    byId('other-models', HTMLDetailsElement).querySelector('summary')!.focus()  // the button is gone
  })
  pause.addEventListener('click', () => {
    const { isPaused, source } = slot.loading.value!
    if (isPaused) use(source)
    else slot.pause()
  })
  slot.loading.watch(loading => {
    place.hidden = !loading
    if (!loading) return
    const { loaded, total, notice } = loading.progress
    ;[what.textContent, figures.textContent] = describe(loading)
    rest.textContent = pace(loading)
    pause.hidden = !loading.isKept
    pause.textContent = loading.isPaused ? 'Resume' : 'Pause'
    place.classList.toggle('fetched', loading.isKept)
    if (total) bar.value = loaded / total
    else bar.removeAttribute('value')
    if (notice) tell(`${notice}.`)
  })
}
