// The ways to load another model: dropping a file on the page, choosing a file, an address, or an entry of a list.
import catalogue from '../../models/catalogue.json' with { type: 'json' }
import { byId, make } from '../support/dom.js'
import { bytes } from '../support/format.js'
import { fileAddress, fileName } from './address.js'
import type { Example, Source } from './slot.js'

type Use = (source: Source) => void

export const fromFile = (file: File): Source => ({ name: `“${file.name}”`, data: file })

/** `text` is an address as users paste it, or a file on a hub. */
export function fromAddress(text: string): Source {
  const address = fileAddress(text)
  return { name: `“${fileName(address)}”`, data: address, cache: true }
}

/** `use` is called with the source that the user chooses, `open` with any dropped file. */
export function offerSources(use: Use, open: (file: File) => void): void {
  offerDrop(open)
  offerFile(use)
  offerAddress(use)
  offerTiny(use)
  offerCatalogue(use)
}

/** Closes the list of sources after one has been used. If the focus is inside, it moves to the summary. */
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

/** An entry of the list that the build puts next to the page. */
interface TinyModel {
  name: string
  file: string
  kind: string
  bytes: number
  note: string
  example?: Example
}

/** Models served with the page. Their list is fetched when the user first opens the list of sources. */
function offerTiny(use: Use): void {
  byId('other-models', HTMLDetailsElement).addEventListener('toggle', async () => {
    const answer = await fetch(new URL('tiny/catalogue.json', document.baseURI)).catch(() => undefined)
    if (!answer?.ok) return
    const models: TinyModel[] = await answer.json()
    byId('tiny-title', HTMLParagraphElement).hidden = models.length === 0
    byId('tiny', HTMLUListElement).replaceChildren(...models.map(({ name, file, kind, bytes: size, note, example }) => {
      const picture = example?.picture && fileAddress(`tiny/${example.picture}`)
      const source = { ...fromAddress(`tiny/${file}`), cache: false, example: { ...example, picture } }
      return entry(use, name, source, `${kind}, ${bytes(size)}. ${note}`)
    }))
  }, { once: true })
}

function offerCatalogue(use: Use): void {
  byId('catalogue', HTMLUListElement).append(...catalogue.models.map(model =>
    entry(use, model.name, fromAddress(`${model.repository}/resolve/main/${model.file}`),
      `${bytes(model.size)}, ${model.weights}, ${model.licence}. ${model.note}`)))
}

function entry(use: Use, name: string, source: Source, about: string): HTMLLIElement {
  const button = make('button', { type: 'button' }, name)
  button.addEventListener('click', () => use(source))
  return make('li', {}, button, make('span', {}, about))
}
