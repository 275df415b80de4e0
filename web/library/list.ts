// The list of stored models, with buttons to open, resume and delete them.
import type { StoredModel } from 'heed'
import { askFit } from '../model/ask-fit.js'
import type { ModelSlot, Source } from '../model/slot.js'
import { byId, make } from '../support/dom.js'
import { bytes, daysAgo, foreign } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import { type Kept, type Library, sourceOf } from './library.js'

function describe({ bytes: there, total, complete, lastUsed }: StoredModel): string {
  const size = complete ? bytes(there) : `${bytes(there)}${total === undefined ? ' so far' : ` of ${bytes(total)}`}`
  return lastUsed ? `${size}, used ${daysAgo(lastUsed)}` : size
}

function describeRoom({ models, room: { models: used, usage = 0, quota } }: Kept): string {
  const inAll = `${models.length === 1 ? 'It takes' : 'They take'} ${bytes(used)}`
  return quota === undefined ? `${inAll}.` : `${inAll}; there is room for ${bytes(Math.max(quota - usage, 0))} more.`
}

/** `use` is called with the source of the model to open. */
export function showLibrary(library: Library, slot: ModelSlot, use: (source: Source) => void): void {
  const place = byId('library', HTMLElement)
  const list = byId('kept', HTMLUListElement)
  const room = byId('kept-room', HTMLParagraphElement)
  const news = byId('kept-news', HTMLParagraphElement)
  const sources = byId('other-models', HTMLDetailsElement) // closed initially: the store is not queried until it is opened
  const refresh = () => library.refresh().catch((error: unknown) => notify(explain('The list of stored models', error)))

  library.kept.watch(kept => {
    place.hidden = !kept || (kept.models.length === 0 && news.textContent === '')
    if (!kept) return
    const focused = [...list.children].findIndex(row => row.contains(document.activeElement))
    list.replaceChildren(...kept.models.map(row))
    room.textContent = kept.models.length > 0 ? describeRoom(kept) : ''
    if (focused >= 0) focusNear(focused)
  })
  sources.addEventListener('toggle', () => {
    if (!sources.open) news.textContent = ''
    else void refresh()
  })
  if (sources.open) void refresh() // opened before this script ran
  let isLoading = false
  slot.loading.watch(loading => {
    const was = isLoading
    isLoading = loading !== undefined && !loading.isPaused
    if (was && !isLoading && sources.open) void refresh()
  })

  function row(model: StoredModel): HTMLLIElement {
    const open = make('button', { type: 'button' }, model.complete ? 'Open' : 'Resume')
    open.setAttribute('aria-label', `${open.textContent} ${foreign(model.name)}`)
    open.addEventListener('click', () => use(sourceOf(model)))
    const name = make('span', { className: 'kept-name', title: model.source }, foreign(model.name))
    return make(
      'li',
      {},
      name,
      make('span', { className: 'kept-state' }, describe(model)),
      open,
      deleteButton(model),
      askFit(sourceOf(model), foreign(model.name)),
    )
  }

  /** Deletes on the second click only: a model can be large to download again. */
  function deleteButton(model: StoredModel): HTMLButtonElement {
    const button = make('button', { type: 'button', className: 'kept-delete' })
    let isSure = false
    const ask = (sure: boolean) => {
      isSure = sure
      button.textContent = sure ? 'Confirm' : 'Delete'
      button.setAttribute('aria-label', sure ? `Confirm deleting ${foreign(model.name)}` : `Delete ${foreign(model.name)}`)
    }
    ask(false)
    button.addEventListener('blur', () => ask(false))
    button.addEventListener('keydown', event => {
      if (event.key === 'Escape') ask(false)
    })
    button.addEventListener('click', async () => {
      button.focus() // Safari does not focus a clicked button
      if (!isSure) return ask(true)
      if (slot.loading.value?.source.data === model.source) slot.cancel()
      try {
        news.textContent = `${foreign(model.name)} was deleted.`
        await library.delete(model)
      } catch (error) {
        news.textContent = ''
        notify(explain(model.name, error))
      }
    })
    return button
  }

  /** Restores the focus after the rows were replaced: to the row now at `index`, else the last row, else the summary. */
  function focusNear(index: number): void {
    const rows = list.children
    const next = rows[Math.min(index, rows.length - 1)]?.querySelector('button')
    ;(next ?? sources.querySelector('summary'))?.focus()
  }
}
