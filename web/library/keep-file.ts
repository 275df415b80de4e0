// The button that stores the opened file in the browser, so that it need not be chosen again.
import type { ModelSlot } from '../model/slot.js'
import { byId } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import type { Library } from './library.js'

export function offerKeeping(library: Library, slot: ModelSlot): void {
  const place = byId('keep', HTMLDivElement)
  const button = byId('keep-file', HTMLButtonElement)
  const status = byId('keep-status', HTMLSpanElement)

  slot.model.watch(async () => {
    const file = slot.source?.data
    place.hidden = true
    if (!(file instanceof File) || !await library.isAvailable || file !== slot.source?.data) return
    place.hidden = button.hidden = false
    button.disabled = false
    status.textContent = ''
  })

  button.addEventListener('click', async () => {
    const file = slot.source?.data
    if (!(file instanceof File)) return
    const isStill = () => slot.source?.data === file
    button.disabled = true
    try {
      await library.keep(file, share => {
        if (isStill()) button.textContent = `Storing… ${percent(share)}`
      })
      if (!isStill()) return
      byId('other-models', HTMLDetailsElement).querySelector('summary')!.focus()  // the file is now listed there
      button.hidden = true
      status.textContent = 'Stored'
    } catch (error) {
      notify(explain(`“${file.name}”`, error))
      button.disabled = false
    } finally {
      button.textContent = 'Store this file'
    }
  })
}
