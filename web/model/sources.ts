// The ways to load another model: dropping a file on the page, choosing a file, an address, or an entry of a list.
import catalogue from '../../models/catalogue.json' with { type: 'json' }
import { byId, make } from '../support/dom.js'
import { bytes, foreign } from '../support/format.js'
import { fileAddress, fileName } from './address.js'
import { askFit } from './ask-fit.js'
import { weightFormat } from './facts.js'
import { addressOfOwn, type OwnModel, ownModels } from './own.js'
import type { Source } from './slot.js'

type Use = (source: Source) => void

/** The source for a file, or for the files of a split model; for other files, a sentence that explains the problem. */
export function fromFiles(files: readonly File[]): Source | string {
  const models = files.length === 1 ? files : files.filter(({ name }) => /\.gguf$/i.test(name))
  const [first, ...more] = models
  if (!first) return 'There is no GGUF file among these files.'
  if (more.length === 0) return { name: `“${foreign(first.name)}”`, data: first }
  const whole = (name: string) => name.replace(/-\d{5}-of-(\d{5}\.gguf)$/i, '-of-$1')
  if (more.some(({ name }) => name === whole(name) || whole(name) !== whole(first.name))) {
    return 'These are several models: choose one, or all parts of one that is split.'
  }
  return { name: `“${foreign(first.name.replace(/-\d{5}-of-\d{5}(?=\.gguf$)/i, ''))}”`, data: models }
}

const isOwn = (address: string): boolean => address.startsWith(addressOfOwn(''))

/**
 * `text` is an address as users paste it, or a file on a hub; `projector` is the address of its projector. Files that come with the
 * page are not stored.
 */
export function fromAddress(text: string, projector?: string): Source {
  const named = (text: string) => {
    const address = fileAddress(text)
    const file = foreign(fileName(address))
    // Our own models are known by their names.
    return { name: isOwn(address) ? file.replace(/\.\w+$/, '') : `“${file}”`, data: address }
  }
  const model = named(text)
  return {
    ...model,
    cache: !isOwn(model.data),
    ...(projector !== undefined && { projector: named(projector) }),
  }
}

interface Chosen {
  /** Called with the source that the user chooses. */
  readonly use: Use
  /** Called with the files that the user chooses or drops: of a model, or any others that the page can open. */
  open(files: readonly File[]): void
  /** The bundled model. */
  readonly embedded: Source
}

export function offerSources({ use, open, embedded }: Chosen): void {
  offerDrop(open)
  offerFiles(open)
  offerAddress(use)
  byId('bundled', HTMLButtonElement).addEventListener('click', () => use(embedded))
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

function offerDrop(open: (files: readonly File[]) => void): void {
  const curtain = byId('curtain', HTMLDivElement)
  const bringsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  const lower = (event: DragEvent) => {
    if (!bringsFile(event)) return
    event.preventDefault() // otherwise, the browser would open the file in place of the page
    curtain.hidden = false
  }
  addEventListener('dragenter', lower)
  addEventListener('dragover', lower)
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) curtain.hidden = true // the pointer left the window, not just an element
  })
  addEventListener('drop', event => {
    curtain.hidden = true
    if (!bringsFile(event)) return
    event.preventDefault()
    const { items, files } = event.dataTransfer!
    // Entries are only available while the event is handled, and not in every browser.
    const entries = Array.from(items, item => item.webkitGetAsEntry?.() ?? undefined)
    if (entries.some(entry => entry?.isDirectory)) void filesOf(entries).then(open)
    else if (files.length > 0) open(Array.from(files))
  })
}

/** The files among the entries, and the files directly in their folders. */
async function filesOf(entries: readonly (FileSystemEntry | undefined)[]): Promise<File[]> {
  const files: File[] = []
  for (const entry of entries) {
    if (entry?.isFile)
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)))
    if (!entry?.isDirectory) continue
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      // a reader returns a folder in pieces
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) break
      files.push(...(await filesOf(some.filter(({ isFile }) => isFile))))
    }
  }
  return files
}

function offerFiles(open: Chosen['open']): void {
  const input = byId('file', HTMLInputElement)
  byId('pick', HTMLButtonElement).addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    const files = Array.from(input.files ?? [])
    input.value = '' // lets the user choose the same file again
    if (files.length > 0) open(files)
  })
}

function offerAddress(use: Use): void {
  const url = byId('url', HTMLInputElement)
  byId('address', HTMLFormElement).addEventListener('submit', event => {
    event.preventDefault()
    use(fromAddress(url.value))
  })
}

/** Explains the kinds in the list to users who do not know such models. */
const kinds: Readonly<Record<string, string>> = {
  answers: 'turns a text into another',
  reads: 'only reads, and writes nothing',
  sees: 'looks at pictures',
  hears: 'writes down what is said',
  'answers about pictures': 'answers questions about pictures',
}

/** One of our own models, by its file. */
export const tinySource = (file: string): Source => fromAddress(addressOfOwn(file))

const fromOwn = ({ file, projector }: OwnModel): Source => fromAddress(addressOfOwn(file), projector && addressOfOwn(projector))

/** Models served with the page. Their list is fetched when the user first opens the list of sources. */
function offerTiny(use: Use): void {
  byId('other-models', HTMLDetailsElement).addEventListener(
    'toggle',
    async () => {
      const models = await ownModels()
      byId('tiny-title', HTMLParagraphElement).hidden = models.length === 0
      byId('tiny', HTMLUListElement).replaceChildren(
        ...models.map(model =>
          entry(use, model.name, fromOwn(model), `${kinds[model.kind] ?? model.kind}, ${bytes(model.bytes)}. ${model.note}`),
        ),
      )
    },
    { once: true },
  )
}

function offerCatalogue(use: Use): void {
  byId('catalogue', HTMLUListElement).append(
    ...catalogue.models.map(model =>
      entry(
        use,
        model.name,
        fromAddress(`${model.repository}/resolve/main/${model.file}`),
        `${bytes(model.size)}, ${weightFormat(model.weights)}, license: ${model.license}. ${model.note}`,
      ),
    ),
  )
}

function entry(use: Use, name: string, source: Source, about: string): HTMLLIElement {
  const button = make('button', { type: 'button' }, name)
  button.addEventListener('click', () => use(source))
  return make('li', {}, button, make('span', {}, about), askFit(source, name))
}
