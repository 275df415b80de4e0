// The ways to bring another model: a drop anywhere on the page, a file, an address, the catalogue.
import catalogue from '../../models/catalogue.json' with { type: 'json' }
import { byId, make } from '../support/dom.js'
import { bytes } from '../support/format.js'
import type { Source } from './slot.js'

type Use = (source: Source) => void

export const fromFile = (file: File): Source => ({ name: `“${file.name}”`, data: file })

export function fromAddress(address: string): Source {
  const name = new URL(address, location.href).pathname.split('/').pop()
  return { name: name ? `“${decodeURIComponent(name)}”` : address, data: address }
}

/** `use` is called with the model that the reader brings, `open` with any file that is dropped. */
export function offerSources(use: Use, open: (file: File) => void): void {
  offerDrop(open)
  offerFile(use)
  offerAddress(use)
  offerCatalogue(use)
}

/** Closes the list of sources: one of them has been used. */
export function closeSources(): void {
  const list = byId('other-models', HTMLDetailsElement)
  const focused = list.contains(document.activeElement)
  list.open = false
  if (focused) list.querySelector('summary')!.focus()
}

function offerDrop(open: (file: File) => void): void {
  const curtain = byId('curtain', HTMLDivElement)
  const bringsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  const lower = (event: DragEvent) => {
    if (!bringsFile(event)) return
    event.preventDefault()  // without this, the browser opens the file in place of the page
    curtain.hidden = false
  }
  addEventListener('dragenter', lower)
  addEventListener('dragover', lower)
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) curtain.hidden = true  // left the window, not just an element
  })
  addEventListener('drop', event => {
    curtain.hidden = true
    if (!bringsFile(event)) return
    event.preventDefault()
    const file = event.dataTransfer?.files[0]
    if (file) open(file)
  })
}

function offerFile(use: Use): void {
  const input = byId('file', HTMLInputElement)
  byId('pick', HTMLButtonElement).addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    input.value = ''  // so that the same file can be chosen again
    if (file) use(fromFile(file))
  })
}

function offerAddress(use: Use): void {
  const url = byId('url', HTMLInputElement)
  byId('address', HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault()
    use(fromAddress(url.value))
  })
}

function offerCatalogue(use: Use): void {
  byId('catalogue', HTMLUListElement).append(...catalogue.models.map(model => {
    const button = make('button', { type: 'button' }, model.name)
    button.addEventListener('click', () => use(fromAddress(`${model.repository}/resolve/main/${model.file}`)))
    const about = `${bytes(model.size)}, ${model.weights}, ${model.licence}. ${model.note}`
    return make('li', {}, button, make('span', {}, about))
  }))
}
