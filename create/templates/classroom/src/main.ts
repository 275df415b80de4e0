// The page: a text, the viewer that shows where the model looks, and the questions.
import { HeedViewer } from 'heed/viewer'
import { look, promptOf, type Look } from './looking.ts'
import { byId, inWords } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { prepare } from './prepare.ts'
import { questionCard } from './question-card.ts'
import { questions } from './questions.ts'
import { source } from './settings.ts'
import './styles/base.css'
import './styles/classroom.css'

const form = byId('form', HTMLFormElement)
const text = byId('text', HTMLTextAreaElement)
const show = byId('show', HTMLButtonElement)
const ask = byId('ask', HTMLButtonElement)
const fault = byId('fault', HTMLParagraphElement)

await prepare()
const model = await openModel(source, byId('status', HTMLParagraphElement))
const viewer = new HeedViewer()
byId('viewer', HTMLDivElement).append(viewer)
viewer.model = model
viewer.addEventListener('error', () => {
  fault.textContent = 'The attention could not be shown.'
})
show.disabled = ask.disabled = false

/** Runs one action at a time, and shows its error. */
async function busy(work: () => Promise<void>): Promise<void> {
  show.disabled = ask.disabled = true
  fault.textContent = ''
  try {
    await work()
  } catch (error) {
    fault.textContent = inWords(error)
  } finally {
    show.disabled = ask.disabled = false
  }
}

/** Shows a text; for a message, also the model's answer. */
async function see(asked: Pick<Look, 'text' | 'chat'>): Promise<void> {
  if (!asked.chat) return viewer.show(asked.text)
  const prompt = await promptOf(model, asked)
  const { tokens } = await model.generate(prompt, { temperature: 0, maxTokens: 60, topLogprobs: 8 })
  await viewer.show({
    prompt: '',
    parts: prompt as [],
    written: tokens.map(token => ({ ...token, alternatives: token.alternatives ?? [] })),
  })
}

form.addEventListener('submit', event => {
  event.preventDefault()
  void busy(() => see({ text: text.value }))
})
ask.addEventListener('click', () => void busy(() => see({ text: text.value, chat: true })))

byId('questions', HTMLOListElement).append(
  ...questions.map((question, at) => {
    const measure = () => look(model, question.look, question.words)
    const showLook = () =>
      busy(async () => {
        await see(question.look)
        viewer.layer = question.look.layer
        viewer.head = question.look.head
        // For a generated token, the viewer shows the attention of the token before it, from which it was chosen.
        viewer.token = (await measure()).position + (question.look.chat ? 1 : 0)
        await viewer.settled()
        viewer.scrollIntoView({ block: 'nearest' })
      })
    return questionCard(question, at, showLook, measure)
  }),
)

await busy(() => see({ text: text.value, chat: true }))
