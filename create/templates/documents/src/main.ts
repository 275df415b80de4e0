// The page: documents at the top, questions below, and answers with the paragraphs that they cite.
import { answer, citedIn } from './answering.ts'
import { Library, type DocumentPassage } from './library.ts'
import { byId, inWords, make } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { prepare } from './prepare.ts'
import { chatModel, embeddingModel, paragraphsForAnswer } from './settings.ts'
import './styles/base.css'
import './styles/documents.css'

const status = byId('status', HTMLParagraphElement)
const reading = byId('reading', HTMLParagraphElement)
const files = byId('files', HTMLInputElement)
const drop = byId('drop', HTMLLabelElement)
const list = byId('documents', HTMLUListElement)
const example = byId('example', HTMLButtonElement)
const form = byId('form', HTMLFormElement)
const question = byId('question', HTMLInputElement)
const ask = byId('ask', HTMLButtonElement)
const answers = byId('answers', HTMLElement)

await prepare()
const embeds = embeddingModel ? await openModel(embeddingModel, status) : undefined
const embedder = embeds && { name: embeddingModel!, embed: embeds.embed.bind(embeds) }
const library = new Library(embedder, said => {
  reading.textContent = said
})
const model = await openModel(chatModel, status)
await library.open()
files.disabled = example.disabled = false
showDocuments()

/** Adds files one after the other. A file that cannot be read is reported; the others are still added. */
async function add(added: Iterable<File>): Promise<void> {
  const faults: string[] = []
  files.disabled = example.disabled = true
  for (const file of added) await library.add(file).catch(error => faults.push(inWords(error)))
  files.disabled = example.disabled = false
  reading.textContent = faults.join('. ')
  showDocuments()
}

files.addEventListener('change', () => void add([...(files.files ?? [])]).then(() => (files.value = '')))
drop.addEventListener('dragover', event => event.preventDefault())
drop.addEventListener('drop', event => {
  event.preventDefault()
  if (!files.disabled) void add([...(event.dataTransfer?.files ?? [])])
})
example.addEventListener('click', async () => {
  const text = await (await fetch('example.md')).blob()
  await add([new File([text], 'example.md')])
})

function showDocuments(): void {
  const { documents } = library
  list.replaceChildren(
    ...documents.map(({ id, name, paragraphs }) => {
      const remove = make('button', { type: 'button', className: 'quiet', textContent: 'Remove', ariaLabel: `Remove ${name}` })
      remove.addEventListener('click', () => void library.remove(id).then(showDocuments))
      return make(
        'li',
        {},
        make('span', {}, `${name} `, make('span', { className: 'soft' }, `${paragraphs.length} paragraphs`)),
        remove,
      )
    }),
  )
  example.hidden = documents.length > 0
  ask.disabled = documents.length === 0
}

form.addEventListener('submit', event => {
  event.preventDefault()
  if (!ask.disabled) void respond(question.value.trim())
})

/** Searches, answers and cites. The newest answer is at the top. */
async function respond(asked: string): Promise<void> {
  ask.disabled = true
  const text = make('p', { className: 'said' })
  const block = make('article', { className: 'card', ariaBusy: 'true' }, make('h3', {}, asked), text)
  answers.prepend(block)
  try {
    const passages = (await library.find(asked, paragraphsForAnswer)).map(({ passage }) => passage)
    if (passages.length === 0) text.textContent = 'The documents have nothing about this.'
    else {
      const written = await answer(model, asked, passages, piece => text.append(piece))
      block.append(...citedIn(written, passages).map(passage => source(passage, passages.indexOf(passage) + 1)))
    }
    question.value = ''
  } catch (error) {
    text.className = 'bad'
    text.textContent = inWords(error)
  } finally {
    block.ariaBusy = 'false'
    showDocuments()
    question.focus()
  }
}

const source = ({ text, place, document }: DocumentPassage, number: number) =>
  make(
    'figure',
    {},
    make('blockquote', {}, text),
    make('figcaption', { className: 'soft' }, [`[${number}] ${document}`, place].filter(Boolean).join(', ')),
  )
