// The page: notes can be written and searched by words at once, and by meaning when the model has been loaded.
import { noteItem } from './note-item.ts'
import { Notebook } from './notebook.ts'
import { byId, inWords } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { prepare } from './prepare.ts'
import { embeddingModel } from './settings.ts'
import './styles/base.css'
import './styles/notes.css'

const status = byId('status', HTMLParagraphElement)
const form = byId('form', HTMLFormElement)
const text = byId('text', HTMLTextAreaElement)
const query = byId('query', HTMLInputElement)
const fault = byId('fault', HTMLParagraphElement)
const count = byId('count', HTMLParagraphElement)
const list = byId('notes', HTMLUListElement)

await prepare()
const notebook = new Notebook()
await notebook.open()
await show()
byId('add', HTMLButtonElement).disabled = false

/** Changes the notes, and shows the result or the error. */
async function change(work: Promise<void>): Promise<void> {
  fault.textContent = ''
  await work.catch(error => {
    fault.textContent = inWords(error)
  })
  await show()
}

/** The number of the current search: results of earlier, slower searches are not shown. */
let searches = 0

/** Shows the notes that match the search, or all. */
async function show(): Promise<void> {
  const search = ++searches
  const asked = query.value.trim()
  const notes = asked ? await notebook.find(asked) : notebook.notes
  if (search !== searches) return
  const write = (text: string, id: string) => void change(notebook.write(text, id))
  list.replaceChildren(...notes.map(note => noteItem(note, { write, delete: id => void change(notebook.delete(id)) })))
  list.dataset['shown'] = asked
  const all = notebook.notes.length
  count.textContent = asked ? `${notes.length} of ${all} found` : `${all} ${all === 1 ? 'note' : 'notes'}`
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const written = text.value.trim()
  text.value = ''
  if (written) void change(notebook.write(written))
})
query.addEventListener('input', () => void change(Promise.resolve()))

if (embeddingModel) {
  const model = await openModel(embeddingModel, status)
  await change(notebook.useEmbedder(embeddingModel, model))
} else {
  status.textContent = 'Notes are found by their words. Name a model in src/settings.ts to find them by meaning, too.'
}
