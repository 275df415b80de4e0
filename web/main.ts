// The page: loads a model, and shows in a viewer what it attends to in texts or pictures.
import { defineViewer, HeedViewer } from 'heed/viewer'
import { ChatView } from './chat/chat-view.js'
import { type Room, Rooms } from './chat/rooms.js'
import { answerHead } from './lesson/heads.js'
import { showLesson } from './lesson/lesson.js'
import { offerKeeping } from './library/keep-file.js'
import { Library } from './library/library.js'
import { showLibrary } from './library/list.js'
import { showFacts } from './model/facts.js'
import { chats, kindOf } from './model/kind.js'
import { showLoading } from './model/loading.js'
import { ModelSlot, type Source } from './model/slot.js'
import { closeSources, fromAddress, fromFile, offerSources } from './model/sources.js'
import { keepForOffline, needIsolation } from './offline/register.js'
import { PictureView } from './picture-view.js'
import { askToOpen, foreignHost } from './sharing/ask.js'
import { type Linked, readLink } from './sharing/link.js'
import { offerSharing } from './sharing/offer.js'
import { byId } from './support/dom.js'
import { bytes } from './support/format.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { TextView } from './text-view.js'
import { promptsFor } from './writing/prompt.js'
import { Sampling } from './writing/sampling.js'

const embedded: Source = { name: 'the bundled model' }

defineViewer()
const viewer = byId('viewer', HeedViewer)
const library = new Library()
const slot = new ModelSlot(library.isAvailable)
const sampling = new Sampling()
const reload = () => use(slot.source ?? embedded)
const texts = new TextView(viewer, sampling, reload)
const chat = new ChatView(viewer, sampling, reload)
const rooms = new Rooms(room => enter(room))
if (readLink(location.hash)) rooms.open('text')  // links open free text
const pictures = new PictureView(viewer)

async function use(source: Source): Promise<void> {
  clearNotices()
  if (slot.model.value) closeSources()  // progress is shown above the list
  try {
    await slot.load(source)
  } catch (error) {
    notify(explain(source.name, error))
    const part = source.cache ? await library.partOf(source).catch(() => 0) : 0
    if (part > 0) notify(`${explain(source.name, error)} ${bytes(part)} are stored; you can resume the download under “Use another model”.`)
  }
}

/** Switches to a room. Both rooms share one viewer. */
function enter(room: Room): void {
  if (room === 'chat') {
    texts.rest()
    chat.enter()
  } else {
    chat.leave()
    texts.wake()
  }
  skipTo(room === 'chat' ? 'message' : 'prompt', room === 'chat' ? 'message' : 'prompt')
}

function skipTo(id: string, name: string): void {
  const skip = byId('skip', HTMLAnchorElement)
  skip.href = `#${id}`
  skip.textContent = `Skip to the ${name}`
}

/** Opens a dropped file: a picture for the current model, or another model. */
function open(file: File): void {
  if (!file.type.startsWith('image/')) use(fromFile(file))
  else if (slot.model.value?.info.sees) pictures.open(file)
  else notify(`“${file.name}” is a picture, but this model accepts only text: load a vision model first.`)
}

const fromLink = (link: Linked | undefined): Source => link?.model ? fromAddress(link.model) : embedded

/**
 * The source of the model that a link names; undefined if the user does not want it. A model that the user has stored, or of the page
 * itself, needs no question.
 */
async function linked(address: string): Promise<Source | undefined> {
  const source = fromAddress(address)
  const host = foreignHost(source.data as string)
  if (!host || await library.has(source.data as string)) return source
  return await askToOpen(address, host) ? { ...source, cache: false } : undefined
}

/** Follows a link: loads its model, and shows its text and attention. */
async function follow(hash: string): Promise<void> {
  const link = readLink(hash)
  const isCurrent = slot.model.value && fromLink(link).data === slot.source?.data
  const source = link?.model && !isCurrent ? await linked(link.model) : fromLink(link)
  if (!slot.model.value || link && source && source.data !== slot.source?.data) await use(source ?? embedded)
  if (!link || !source || !slot.model.value || slot.model.value.info.sees) return
  rooms.open('text')
  await texts.follow(link)
}

viewer.addEventListener('error', ({ error }) => notify(explain('The model', error)))
slot.model.watch(model => {
  showFacts(byId('facts', HTMLDivElement), model, slot.source?.name)
  if (!model) return
  closeSources()
  const kind = kindOf(model.info)
  const isEmbedded = slot.source === embedded
  viewer.model = model
  void chat.use(chats(model.info) ? model : undefined, promptsFor(isEmbedded ? 'conversations' : 'chats'), isEmbedded ? answerHead : undefined)
  rooms.offer(chats(model.info))
  if (kind === 'sees') {
    texts.hide()
    skipTo('viewer', 'picture')
    pictures.use(model, slot.source?.example)
  } else {
    pictures.hide()
    const own = slot.source?.example?.texts?.map(text => [text] as const)
    texts.use(model, kind, own ?? promptsFor(isEmbedded ? 'stories' : kind))
  }
})
showLoading(slot, use)
showLibrary(library, slot, use)
offerKeeping(library, slot)
offerSources(use, open)
showLesson()
offerSharing(() => texts.state(slot.source?.data))
addEventListener('hashchange', async () => {
  await follow(location.hash)
  if (readLink(location.hash)) viewer.scrollIntoView()  // a link may be far below it, in the lesson
})

/** For the browser console: the current model, and what the page shows of it. */
Object.defineProperty(globalThis, 'heed', {
  value: {
    viewer,
    get model() { return slot.model.value },
    get passage() { return viewer.passage },
    get versions() { return texts.versions },
    get conversation() { return chat.conversation },
    get attention() { return viewer.model?.info.sees ? undefined : viewer.attention },
    get picture() { return pictures.picture },
    get pictureAttention() { return viewer.model?.info.sees ? viewer.attention : undefined },
  },
})

await needIsolation()
await follow(location.hash)
await keepForOffline(byId('offline', HTMLSpanElement))
