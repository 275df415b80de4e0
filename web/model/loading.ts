// The progress of loading a model, with buttons to pause and cancel it.
import type { LoadPhase } from 'heed'
import { byId } from '../support/dom.js'
import { bytes, duration } from '../support/format.js'
import { tell } from '../support/notices.js'
import type { Loading, ModelSlot, Source } from './slot.js'
import { Rate } from '#elements/download/rate.js'

const doing: Record<LoadPhase, string> = {
  resolve: 'Opening',
  wait: 'Another tab is downloading',
  check: 'Verifying',
  download: 'Downloading',
  load: 'Loading',
  import: 'Storing',
}

/** The current phase with the model's name, and how much has been loaded. */
function describe({ source, progress: { phase, file, loaded, total }, isPaused }: Loading): [what: string, figures: string] {
  const name = file === 'projector' && source.projector ? source.projector.name : source.name
  if (!isPaused && total !== undefined && loaded >= total) return [`Preparing ${name}…`, '']
  const what = `${isPaused ? 'Paused' : doing[phase]} ${name}`
  if (loaded === 0) return [what + (isPaused ? '' : '…'), '']
  return [`${what}:`, ` ${bytes(loaded)}${total === undefined ? '' : ` of ${bytes(total)}`}`]
}

/** The loaded share, the speed, and the time remaining, as far as known. */
function pace({ progress: { loaded, total }, isPaused }: Loading, perSecond: number | undefined): string {
  if (loaded === 0 || (total !== undefined && loaded >= total)) return ''
  const parts = total ? [`${Math.floor((loaded / total) * 100)} %`] : []
  if (!isPaused && perSecond) {
    parts.push(`${bytes(perSecond)}/s`)
    if (total !== undefined) parts.push(`${duration((total - loaded) / perSecond)} left`)
  }
  return parts.join(', ')
}

/** `use` is called to resume a paused source. */
export function showLoading(slot: ModelSlot, use: (source: Source) => void): void {
  const place = byId('loading', HTMLDivElement)
  const what = byId('loading-what', HTMLSpanElement)
  const figures = byId('loading-figures', HTMLSpanElement)
  const rest = byId('loading-pace', HTMLParagraphElement)
  const bar = byId('loading-bar', HTMLProgressElement)
  const pause = byId('loading-pause', HTMLButtonElement)
  const rate = new Rate()
  /** Moves the focus to the neighboring element: the focused one is about to be removed. */
  const leave = () => byId('other-models', HTMLDetailsElement).querySelector('summary')!.focus()
  byId('loading-cancel', HTMLButtonElement).addEventListener('click', () => {
    leave()
    slot.cancel()
  })
  pause.addEventListener('click', () => {
    const { isPaused, source } = slot.loading.value!
    if (isPaused) use(source)
    else slot.pause()
  })
  slot.loading.watch(loading => {
    if (!loading && place.contains(document.activeElement)) leave()
    place.hidden = !loading
    if (!loading) return
    const { source, progress } = loading
    const { loaded, total, notice } = progress
    ;[what.textContent, figures.textContent] = describe(loading)
    rest.textContent = pace(loading, rate.at(progress, source))
    pause.hidden = !loading.isKept
    pause.textContent = loading.isPaused ? 'Resume' : 'Pause'
    place.classList.toggle('large', source.data !== undefined)
    if (total) bar.value = loaded / total
    else bar.removeAttribute('value')
    if (notice) tell(`${notice}.`)
  })
}
