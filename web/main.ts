// The page: a model, a prompt, the text that the model writes, and what it attended to on the way.
import { HeedError } from 'heed'
import { Inspection } from './inspection.js'
import { showFacts } from './model/facts.js'
import { showLoading } from './model/loading.js'
import { ModelSlot, type Source } from './model/slot.js'
import { closeSources, offerSources } from './model/sources.js'
import { keepForOffline, needIsolation } from './offline/register.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { Announcer } from './writing/announcer.js'
import { outcomeInWords, showOutcome, showPace } from './writing/figures.js'
import { PromptBox } from './writing/prompt.js'
import { Sampling } from './writing/sampling.js'
import { Writer } from './writing/writer.js'

const embedded: Source = { name: 'the story model of this page' }

const writeButton = byId('write', HTMLButtonElement)
const stopButton = byId('stop', HTMLButtonElement)
const figures = byId('figures', HTMLParagraphElement)

const slot = new ModelSlot()
const writer = new Writer()
const sampling = new Sampling()
const announcer = new Announcer(byId('announcer', HTMLDivElement))
const inspection = new Inspection(error => notify(explain('The model', error)))
const prompt = new PromptBox(inspectPrompt)

/** Takes the prompt apart as soon as it rests: there is something to look at before anything is written. */
function inspectPrompt(): void {
  const { text } = prompt
  if (!slot.model.value || writer.writing.value || text === inspection.passage.prompt) return
  figures.replaceChildren('Press Write, and the model goes on from here.')
  inspection.show({ prompt: text, written: [] })
  inspection.inspect()
}

async function write(): Promise<void> {
  const model = slot.model.value
  if (!model || writer.writing.value || !sampling.check()) return
  const { text } = prompt
  const { options } = sampling
  clearNotices()
  figures.replaceChildren('Reading the prompt…')
  inspection.begin(text)
  announcer.start()
  try {
    const outcome = await writer.write(model, text, options, ({ alternatives = [], ...token }, pace) => {
      inspection.append({ ...token, alternatives })
      announcer.add(token.text)
      showPace(figures, pace)
    })
    if (model !== slot.model.value) return
    announcer.end()
    announcer.say(outcomeInWords(outcome))
    const keepSeed = () => { sampling.seed = outcome.seed }
    showOutcome(figures, outcome, options.seed === undefined ? keepSeed : undefined)
    inspection.inspect()
  } catch (error) {
    if (model === slot.model.value) await recover(error)
  } finally {
    if (model !== slot.model.value) inspectPrompt()  // another model came while this one wrote
  }
}

/** A model that broke down while it wrote is loaded again; any other error is only told. */
async function recover(error: unknown): Promise<void> {
  figures.replaceChildren()
  if (error instanceof HeedError && error.code === 'crashed') await use(slot.source ?? embedded)
  notify(explain('The model', error))
}

async function use(source: Source): Promise<void> {
  clearNotices()
  try {
    await slot.load(source)
  } catch (error) {
    notify(explain(source.name, error))
  }
}

slot.model.watch(model => {
  writeButton.disabled = !model
  showFacts(byId('facts', HTMLDivElement), model, slot.source?.name)
  if (!model) return
  closeSources()
  writer.stop()
  inspection.use(model)
  prompt.offer(slot.source === embedded)
  inspection.show({ prompt: '', written: [] })
  figures.replaceChildren()
  inspectPrompt()
})

writer.writing.watch(writing => {
  const focused = document.activeElement === writeButton || document.activeElement === stopButton
  writeButton.hidden = writing
  stopButton.hidden = !writing
  byId('passage', HTMLDivElement).classList.toggle('writing', writing)
  if (focused) (writing ? stopButton : writeButton).focus()
})

byId('compose', HTMLFormElement).addEventListener('submit', event => {
  event.preventDefault()
  write()
})
stopButton.addEventListener('click', () => writer.stop())
addEventListener('keydown', event => {
  if (event.key === 'Escape') writer.stop()
})
showLoading(slot)
offerSources(use)

/** For the console of the browser: the model in use, and what the page shows of it. */
Object.defineProperty(globalThis, 'heed', {
  value: {
    get model() { return slot.model.value },
    get passage() { return inspection.passage },
    get attention() { return inspection.attention },
  },
})

await needIsolation()
await use(embedded)
await keepForOffline(byId('offline', HTMLSpanElement))
