// How far the load of a model is, and the button that cancels it.
import { byId } from '../support/dom.js'
import { bytes } from '../support/format.js'
import type { Loading, ModelSlot } from './slot.js'

function describe({ source, progress: { loaded, total } }: Loading): string {
  if (loaded === 0) return `Opening ${source.name}…`
  if (total === undefined) return `Reading ${source.name}: ${bytes(loaded)}`
  if (loaded >= total) return `Preparing ${source.name}…`
  return `Reading ${source.name}: ${bytes(loaded)} of ${bytes(total)}`
}

export function showLoading(slot: ModelSlot): void {
  const place = byId('loading', HTMLDivElement)
  const text = byId('loading-text', HTMLParagraphElement)
  const bar = byId('loading-bar', HTMLProgressElement)
  byId('loading-cancel', HTMLButtonElement).addEventListener('click', () => slot.cancel())
  slot.loading.watch(loading => {
    place.hidden = !loading
    if (!loading) return
    const { loaded, total } = loading.progress
    text.textContent = describe(loading)
    if (total) bar.value = loaded / total
    else bar.removeAttribute('value')
  })
}
