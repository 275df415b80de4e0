// The side panel: a button, and a summary of the tab's page, with one paragraph for each part of the page.
import { byId, inWords, make } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { partsOf, readTab } from './reading.ts'
import { mostParts, mostTokens, partTokens, promptFor, source } from './settings.ts'
import './styles/base.css'
import './styles/panel.css'

const summarize = byId('summarize', HTMLButtonElement)
const stop = byId('stop', HTMLButtonElement)
const summary = byId('summary', HTMLElement)
const fault = byId('fault', HTMLParagraphElement)

/** The id of this panel's tab, which background.ts puts into the address. */
const tab = Number(new URL(location.href).searchParams.get('tab'))
const model = await openModel(source, byId('status', HTMLParagraphElement))
/** The context must also hold the instructions and the model's answer. */
const most = Math.min(partTokens, model.info.contextLength - mostTokens - 100)
summarize.disabled = false

summarize.addEventListener('click', async () => {
  const controller = new AbortController()
  stop.onclick = () => controller.abort()
  writing(true)
  try {
    const { title, text } = await readTab(tab)
    const parts = await partsOf(model, text, most)
    summary.replaceChildren(make('h2', {}, title))
    for (const part of parts.slice(0, mostParts)) {
      if (controller.signal.aborted) break
      await write(promptFor(title, part), controller.signal)
    }
    if (parts.length > mostParts) {
      summary.append(
        make('p', { className: 'soft' }, `The page is long: these are the first ${mostParts} of its ${parts.length} parts.`),
      )
    }
  } catch (error) {
    fault.textContent = inWords(error)
  } finally {
    writing(false)
  }
})

/** Adds a paragraph, and fills it with the model's answer. */
async function write(content: string, signal: AbortSignal): Promise<void> {
  const paragraph = make('p', { className: 'said' })
  summary.append(paragraph)
  const chat = model.chat([{ role: 'user', content }], { temperature: 0, maxTokens: mostTokens, signal })
  for await (const event of chat) if (event.type === 'text') paragraph.append(event.delta)
}

function writing(on: boolean): void {
  summarize.disabled = on
  stop.hidden = !on
  summary.ariaBusy = String(on)
  if (on) fault.textContent = ''
}
