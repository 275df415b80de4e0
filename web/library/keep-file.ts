// Files that the user has opened from the disk, each a model or one with its projector: a button stores them in the browser, so
// that they need not be chosen again; after a reload, another one lets the user choose an unstored file again. Loaded when there is
// such a file.
import type { ModelSlot, Source } from '../model/slot.js'
import { byId } from '../support/dom.js'
import { foreign, percent } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import type { Library } from './library.js'

const place = byId('keep', HTMLDivElement)
const button = byId('keep-file', HTMLButtonElement)
const why = byId('keep-why', HTMLSpanElement)
const status = byId('keep-status', HTMLSpanElement)

/** The files of a source; empty unless it is one file, or one with its projector. */
function filesOf(source: Source | undefined): File[] {
  const all = [source?.data, ...(source?.projector ? [source.projector.data] : [])]
  const files = all.filter(data => data instanceof File)
  return files.length === all.length ? files : []
}

/** The current action of the button. */
let press = () => {}
button.addEventListener('click', () => press())

function offer(reason: string, name: string, act: () => void): void {
  place.hidden = button.hidden = false
  button.disabled = false
  why.textContent = reason
  button.textContent = name
  status.textContent = ''
  press = act
}

/** Offers to store the files of the open model. `stored` is called once they are stored and the source names the copies. */
export async function offerKeeping(library: Library, slot: ModelSlot, stored: () => void): Promise<void> {
  const source = slot.source!
  const files = filesOf(source)
  const isStill = () => slot.source === source
  if (files.length === 0 || !(await library.isAvailable) || !isStill()) return
  const store = async () => {
    button.disabled = true
    try {
      const copies: string[] = []
      for (const file of files) {
        copies.push(
          await library.keep(file, share => {
            if (isStill()) button.textContent = `Storing… ${percent(share)}`
          }),
        )
      }
      source.stored = { data: copies[0]!, projector: copies[1] }
      if (!isStill()) return
      stored()
      // The file is now listed there. Storing may have taken minutes, and the user may be elsewhere.
      const { activeElement } = document
      if (activeElement === button || activeElement === document.body)
        byId('other-models', HTMLDetailsElement).querySelector('summary')!.focus()
      button.hidden = true
      why.textContent = ''
      status.textContent = 'Stored'
    } catch (error) {
      notify(explain(source.name, error))
      if (isStill()) offerToStore()
    }
  }
  const offerToStore = () => offer('A reload closes this file.', 'Store it in this browser', () => void store())
  offerToStore()
}

/** Names the model that was open before a reload, and offers to open it again: by `act`, which `name` describes. */
export function offerAgain(model: string, name: string, act: () => void): void {
  offer(`“${foreign(model)}” was open before the reload.`, name, act)
}
