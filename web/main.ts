// The page: a model, and a desk to use it at, for texts or for pictures.
import { HeadChoice } from './attention/heads.js'
import { showFacts } from './model/facts.js'
import { kindOf } from './model/kind.js'
import { showLoading } from './model/loading.js'
import { ModelSlot, type Source } from './model/slot.js'
import { closeSources, fromFile, offerSources } from './model/sources.js'
import { keepForOffline, needIsolation } from './offline/register.js'
import { PictureDesk } from './picture-desk.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { TextDesk } from './text-desk.js'

const embedded: Source = { name: 'the story model of this page' }

const slot = new ModelSlot()
const choice = new HeadChoice()
const texts = new TextDesk(choice, () => use(slot.source ?? embedded))
const pictures = new PictureDesk(choice)

async function use(source: Source): Promise<void> {
  clearNotices()
  try {
    await slot.load(source)
  } catch (error) {
    notify(explain(source.name, error))
  }
}

/** A file that the reader dropped: a picture for the model in use, or another model. */
function open(file: File): void {
  if (!file.type.startsWith('image/')) use(fromFile(file))
  else if (slot.model.value?.info.sees) pictures.open(file)
  else notify(`“${file.name}” is a picture, and this model does not see: drop a model that does first.`)
}

slot.model.watch(model => {
  showFacts(byId('facts', HTMLDivElement), model, slot.source?.name)
  if (!model) return
  closeSources()
  const kind = kindOf(model.info)
  if (kind === 'sees') {
    texts.hide()
    pictures.use(model)
  } else {
    pictures.hide()
    texts.use(model, kind, slot.source === embedded ? 'stories' : kind)
  }
  const skip = byId('skip', HTMLAnchorElement)
  skip.href = kind === 'sees' ? '#picture' : '#prompt'
  skip.textContent = `Skip to the ${kind === 'sees' ? 'picture' : 'prompt'}`
})
showLoading(slot)
offerSources(use, open)

/** For the console of the browser: the model in use, and what the page shows of it. */
Object.defineProperty(globalThis, 'heed', {
  value: {
    get model() { return slot.model.value },
    get passage() { return texts.inspection.passage },
    get attention() { return texts.inspection.attention },
    get picture() { return pictures.picture },
    get pictureAttention() { return pictures.attention },
  },
})

await needIsolation()
await use(embedded)
await keepForOffline(byId('offline', HTMLSpanElement))
