// The button that stores the opened file, with its projector if it has one, in the browser, so that it need not be chosen again.
import type { ModelSlot, Source } from '../model/slot.js'
import { byId } from '../support/dom.js'
import { percent } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import type { Library } from './library.js'

/** The files that a source consists of; none if it is not one file, or one with its projector. */
function filesOf(source: Source | undefined): File[] {
  const all = [source?.data, ...(source?.projector ? [source.projector.data] : [])]
  const files = all.filter(data => data instanceof File)
  return files.length === all.length ? files : []
}

export function offerKeeping(library: Library, slot: ModelSlot): void {
  const place = byId('keep', HTMLDivElement)
  const button = byId('keep-file', HTMLButtonElement)
  const status = byId('keep-status', HTMLSpanElement)

  slot.model.watch(async () => {
    const { source } = slot
    place.hidden = true
    if (filesOf(source).length === 0 || !(await library.isAvailable) || source !== slot.source) return
    place.hidden = button.hidden = false
    button.disabled = false
    status.textContent = ''
  })

  button.addEventListener('click', async () => {
    const { source } = slot
    const files = filesOf(source)
    const isStill = () => slot.source === source
    button.disabled = true
    try {
      for (const file of files) {
        await library.keep(file, share => {
          if (isStill()) button.textContent = `Storing… ${percent(share)}`
        })
      }
      if (!isStill()) return
      // The file is now listed there. Storing may have taken minutes, and the user have gone elsewhere.
      const { activeElement } = document
      if (activeElement === button || activeElement === document.body)
        byId('other-models', HTMLDetailsElement).querySelector('summary')!.focus()
      button.hidden = true
      status.textContent = 'Stored'
    } catch (error) {
      notify(explain(source!.name, error))
      button.disabled = false
    } finally {
      button.textContent = 'Store this file'
    }
  })
}
