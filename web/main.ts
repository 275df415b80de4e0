// The page: loads a model, and shows in a viewer what it attends to in texts or images.
import { HeedError, type Model } from 'heed'
import { defineViewer, HeedViewer, type Passage, tokensOf } from 'heed/viewer'
import { ChatView } from './chat/chat-view.js'
import { PlainOffer } from './chat/plain-offer.js'
import type { AnswerTurn } from './conversation/turns.js'
import { OwnEdits } from './edits/own.js'
import { FoundHeads } from './heads/found-heads.js'
import { fromModelFiles, misfit, withProjector } from './images/pairs.js'
import { isPicture, noPictures } from './media/picture.js'
import { answerHead } from './lesson/heads.js'
import { showLesson } from './lesson/lesson.js'
import { attempt, isOfPage, isSameModel, keptModel, sourceHere, sourceOfKept } from './keeping/model.js'
import { modelBefore, rememberModel } from './keeping/opened-model.js'
import { mark, type Place, placeAt } from './keeping/places.js'
import type { KeptModel } from './keeping/record.js'
import { Library } from './library/library.js'
import { showLibrary } from './library/list.js'
import { isMedium } from './media/medium.js'
import { isSoundFile } from './media/sound.js'
import { ExampleView } from './model/example-view.js'
import { showFacts } from './model/facts.js'
import { kindOf, type Room, roomsOf } from './model/kind.js'
import { showLoading } from './model/loading.js'
import { exampleOf } from './model/own.js'
import { ModelSlot, type Source } from './model/slot.js'
import { closeSources, fromAddress, offerSources, tinySource } from './model/sources.js'
import { keepForOffline, needIsolation } from './offline/register.js'
import type { PictureView } from './picture-view.js'
import type { SpeechView } from './speech/speech-view.js'
import { type LinkedChat, readChatLink } from './sharing/chat-link.js'
import { foreignHost } from './sharing/host.js'
import { type Cell, type Linked, readLink, type Selected, withHead } from './sharing/link.js'
import { offerSharing } from './sharing/offer.js'
import { select, selectedOf } from './sharing/select.js'
import { button, byId } from './support/dom.js'
import { bytes, foreign } from './support/format.js'
import { leaveInputMethods } from './support/keyboard.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { closeByItself } from './support/menu.js'
import { nextTask } from './support/task.js'
import { areSame } from './support/tokens.js'
import { type TextPlace, TextView } from './text-view.js'
import { Folded } from './view/folded.js'
import { Presentation } from './view/presentation.js'
import { offerPrinting } from './view/printing.js'
import { Rooms } from './view/rooms.js'
import { offerThemes } from './view/theme.js'
import { promptsFor, type ToStart } from './writing/prompt.js'
import { Sampling } from './writing/sampling.js'

const embedded: Source = { name: 'the bundled model' }

/** The target of each room's skip link. */
const entrances: Readonly<Record<Room, { id: string; name: string }>> = {
  chat: { id: 'message', name: 'message' },
  text: { id: 'prompt', name: 'prompt' },
  picture: { id: 'viewer', name: 'picture' },
  speech: { id: 'transcript', name: 'transcript' },
}

leaveInputMethods() // before anything else listens to keys
offerThemes()
showLesson(ask) // at once, so that the page has its full height when the browser restores the scroll position
await nextTask() // here and below: creating the page takes too long for one task on a phone
defineViewer()
const viewer = byId('viewer', HeedViewer)
await nextTask()
const library = new Library()
const slot = new ModelSlot(library.isAvailable, exampleOf)
const sampling = new Sampling()
const ownEdits = new OwnEdits()
/** The tokens before the answer in view or, outside of the chat, the tokens of the prompt. */
const promptInView = () => (rooms.current === 'chat' ? chat.prompt() : viewer.passage.promptTokens)
/** The part of the text in the viewer that the user wrote. */
const ownText = () => (rooms.current === 'chat' ? chat.ownText : viewer.passage.prompt)
// The parts that inspect or edit the text in the viewer, loaded when they are first opened.
const lens = new Folded<Cell>('lens', viewer, async () => new (await import('./lens/lens-view.js')).LensView())
const edits = new Folded<string>(
  'edits',
  viewer,
  async () => new (await import('./edits/edits-view.js')).EditsView(viewer, ownEdits, promptInView),
)
const attribution = new Folded<'open'>(
  'attribution',
  viewer,
  async () => new (await import('./attribution/attribution-view.js')).AttributionView(viewer),
  ['passagechange', 'tokenselect'],
)
const follows = ['passagechange', 'tokenselect'] as const
const copyLink = async (): Promise<string> => (await share.view()).message
const sweep = new Folded<string>(
  'sweep',
  viewer,
  async () => new (await import('./sweep/sweep-view.js')).SweepView(viewer, ownText, copyLink),
  follows,
)
const features = new Folded<string>('features', viewer, async () => {
  const { FeaturesView } = await import('./features/features-view.js')
  return new FeaturesView(viewer, promptInView, copyLink)
})
const compare = new Folded<string>(
  'compare',
  viewer,
  async () => new (await import('./compare/compare-view.js')).CompareView(copyLink),
)
/** The parts above, by name. */
const parts = { lens, attribution, edits, sweep, features, compare }
const foundHeads = new FoundHeads(viewer)
const exampleView = new ExampleView(viewer)
/** Whether an entry of the history is being brought into view. The view does not belong to that entry yet. */
let isArriving = true
/** The hash of the address when its entry of the history was last written. */
let marked: string | undefined
let reloading: Promise<void> | undefined
const reload = () =>
  (reloading ??= use(slot.source ?? embedded).finally(() => {
    reloading = undefined
  }))
const texts = new TextView(viewer, sampling, reload)
const chat = new ChatView(viewer, sampling, reload, turn => share.answer(turn))
/**
 * The conversation in view at this entry of the history, or else the last one; restored before a model has loaded, unless a link
 * brings its own.
 */
const brought =
  location.hash.startsWith('#chat=') && placeAt().conversation === undefined
    ? undefined
    : chat.inView.bring(placeAt().conversation).catch((error: unknown) => {
        chat.inView.say(`The last conversation cannot be shown: ${foreign((error as Error).message)}.`)
        return undefined
      })
await nextTask()
const presentation = new Presentation(viewer) // after the rooms, which handle Escape first
const wasInText = (location.hash === '' || isInPage(location.hash)) && placeAt().room === 'text' // before a reload
if (wasInText) document.querySelector<HTMLInputElement>('#rooms [value=text]')!.checked = true
const rooms = new Rooms(room => enter(room))
if (wasInText || readLink(location.hash)) rooms.open('text') // links open free text
const plain = new PlainOffer(() => {
  converse()
  chat.beReady()
})

async function use(given: Source): Promise<void> {
  clearNotices()
  const source = withProjector(given, slot.source)
  if (typeof source === 'string') return notify(source)
  if (slot.model.value) closeSources() // progress is shown above the list
  try {
    await slot.load(source)
  } catch (error) {
    const part = source.cache ? await library.partOf(source).catch(() => 0) : 0
    const rest = part > 0 ? ` ${bytes(part)} are stored; you can resume the download under “Use another model”.` : ''
    const instead = slot.model.value || source === embedded ? '' : ' The bundled model takes its place.'
    notify((misfit(source, error) ?? explain(source.name, error)) + rest + instead, undefined, shorter(source, error))
  }
  if (slot.model.value || slot.loading.value || source === embedded) return
  await slot.load(embedded).catch((error: unknown) => notify(explain(embedded.name, error)))
}

/** Offers the context that fits, if a model does not fit with a longer one. */
function shorter(source: Source, error: unknown): HTMLButtonElement | undefined {
  const { contextLength } = HeedError.from(error)
  if (contextLength === undefined) return undefined
  return button(`Load it with a context of ${contextLength} tokens`, () => void use({ ...source, contextLength }))
}

/** The source that was reloaded after a crash: showing it may crash it again. */
let recovered: Source | undefined

/** Reports an error while a model is shown. After a crash, reloads the model once, unless another one is being loaded. */
async function recover(error: unknown): Promise<void> {
  const source = slot.source ?? embedded
  if (error instanceof HeedError && error.code === 'crashed' && source !== recovered && !slot.loading.value) {
    recovered = source
    await reload()
  }
  notify(explain('The model', error), byId('viewer-notices', HTMLDivElement))
}

/** Stores the current view in the entry of the history. */
function markPlace(): void {
  if (isArriving) return
  marked = location.hash
  mark({ conversation: chat.keeper.current.value, room: rooms.current })
}

/**
 * The link in the address bar follows the viewer, without new entries in the history. An open sheet has an entry of its own, so the
 * link then follows once the sheet is closed.
 */
function followViewer(): void {
  const hash = isArriving || history.state?.sheet ? undefined : withHead(location.hash, rooms.current, viewer)
  if (hash === undefined || hash === location.hash) return
  history.replaceState(history.state, '', hash)
  linkInForce = marked = location.hash
}

/** Switches to a room. All rooms share one viewer, so the previous room releases it first. */
function enter(room: Room): void {
  if (room !== 'text') texts.rest()
  if (room !== 'chat') chat.leave()
  if (room === 'chat') chat.enter()
  if (room === 'text') texts.wake()
  presentation.enter(room)
  markPlace()
  const skip = byId('skip', HTMLAnchorElement)
  skip.href = `#${entrances[room].id}`
  skip.textContent = `Skip to the ${entrances[room].name}`
}

/**
 * Opens files that were chosen or dropped: images and sounds for the current model, a conversation, or another model, which may
 * have several files.
 */
function open(files: readonly File[]): void {
  const [file] = files
  if (file && files.every(isPicture)) return openPictures(files)
  if (file && files.every(isSoundFile)) return openSounds(files)
  if (file && files.every(isMedium)) return openPictures(files)
  if (files.length > 1 || !file) return void useFiles(files)
  if (file.type === 'application/json' || /\.json$/i.test(file.name)) return openConversation(file)
  void useFiles(files)
}

function openPictures(files: readonly File[]): void {
  const info = slot.model.value?.info
  const picture = files.find(isPicture)!
  if (info?.embedsImages) return void pictureView().then(view => view.open(picture))
  if (rooms.current === 'text' && info) return texts.attach(files)
  if (!info || !converse()) return notify(noPictures(`“${foreign(picture.name)}” is a picture`))
  chat.attach(files)
}

function openSounds(files: readonly File[]): void {
  const file = files[0]!
  const info = slot.model.value?.info
  if (info?.transcribes) return void speechView().then(view => view.open(file))
  if (info?.acceptsAudio && converse()) return chat.attach(files)
  const own = button('Open heed-words', () => void hearWithOwn(file))
  notify(
    `“${foreign(file.name)}” is a sound: to have it transcribed, first open a Whisper model, a file such as ggml-base.bin. Our own, heed-words (3 MB), knows 24 words, such as numbers and colors.`,
    undefined,
    own,
  )
}

/** Transcribes a sound with our own model. */
async function hearWithOwn(file: File): Promise<void> {
  await use(tinySource('heed-words.bin'))
  if (slot.model.value?.info.transcribes) await (await speechView()).open(file)
}

async function useFiles(files: readonly File[]): Promise<void> {
  const source = await fromModelFiles(files, slot.source)
  if (typeof source === 'string') notify(source)
  else await use(source)
}

function openConversation(file: File): void {
  if (!converse()) return notify(`“${foreign(file.name)}” may be a conversation, but this model does not chat.`)
  void chat.inView.openFile(file)
}

/** Whether it is the bundled model, possibly opened as a file. */
const isBundled = ({ info }: Model): boolean => info.name === 'heed-stories'

const keptOf = ({ info }: Model) => keptModel(slot.source ?? embedded, info.name || slot.source?.name || 'A model')

function useInChat(model: Model): void {
  const isEmbedded = isBundled(model)
  const kept = keptOf(model)
  void chat.use(plain.hasChat ? model : undefined, startersFor(slot.source, isEmbedded), isEmbedded ? answerHead : undefined, kept)
}

/** Opens the chat for a conversation, in the plain format if the model has none of its own. Returns whether there is a chat. */
function converse(): boolean {
  const model = slot.model.value
  if (!model) return false
  if (plain.isOffered) {
    plain.take()
    useInChat(model)
    rooms.offer(roomsOf(model.info, true))
  }
  if (plain.hasChat) rooms.open('chat')
  return plain.hasChat
}

/**
 * Puts a message into the chat, for the user to send. If a link has loaded a model that does not chat, the previous model comes
 * back.
 */
async function ask(message: string): Promise<void> {
  if (slot.model.value && !plain.hasChat) await leaveModel()
  if (slot.model.value && !converse()) return notify('This model does not chat. The bundled one, under “Use another model”, does.')
  rooms.open('chat')
  await chat.draft(message)
}

/** Messages that suit a model for starting a conversation. */
function startersFor(source: Source | undefined, isEmbedded: boolean): ToStart {
  const own = source?.example?.texts?.map(text => [text] as const)
  const { pictures = [], needsPicture } = source?.example ?? {}
  return { prompts: own ?? promptsFor(isEmbedded ? 'conversations' : 'chats'), pictures, needsPicture }
}

const fromLink = (link: Selected | undefined): Source => (link?.model ? fromAddress(link.model, link.projector) : embedded)

const isSame = (one: Source, other: Source | undefined): boolean =>
  one.data === other?.data && one.projector?.data === other?.projector?.data

/** The script that asks before a link's model is loaded; undefined until the first question. */
let asked: Promise<typeof import('./sharing/ask.js')> | undefined
const asking = () => (asked ??= import('./sharing/ask.js'))

/**
 * The source of the model that a link names; undefined if the user declines. A model that the user has stored, or that comes with
 * the page, needs no question.
 */
async function linked(address: string, projector: string | undefined, turn: number): Promise<Source | undefined> {
  const source = fromAddress(address, projector)
  const hosts = new Set<string>()
  for (const file of [source.data, source.projector?.data] as (string | undefined)[]) {
    const host = file === undefined ? undefined : foreignHost(file)
    if (host && !(await library.has(file!))) hosts.add(host)
  }
  if (hosts.size === 0) return source
  const { askToOpen } = await asking()
  if (turn !== followed) return undefined
  return (await askToOpen(address, [...hosts].join(' and '), projector)) ? { ...source, cache: false } : undefined
}

/** The source that a link's model replaces, from before it is loaded until it is no longer used. */
let beforeLink: { linked: Source; own: Source } | undefined

/** The view before the first of the followed links, to return to when the page leaves links. */
let own:
  | {
      readonly room: Room
      readonly conversation: string
      readonly texts: TextPlace
      readonly passage: Passage
      readonly view: Selected
    }
  | undefined

/** Number of links followed so far; following an earlier one stops when this grows. */
let followed = 0

/** The hash of the last followed link; empty if there is none. */
let linkInForce = ''

/** Whether a hash names a place in the page, such as #lesson. */
function isInPage(hash: string): boolean {
  return hash.length > 1 && document.getElementById(hash.slice(1)) !== null
}

/**
 * The hash of the link that an address stands for. In-page anchors, such as #lesson, inherit the link that was active when they
 * were visited: going there does not leave the link, and returning there from another link leaves that one.
 */
function linkAt(hash: string): string {
  if (!isInPage(hash)) return hash
  const { link = linkInForce } = placeAt()
  mark({ link })
  return link
}

/** The link in a hash; undefined if there is none, null if it is damaged. */
async function readAny(hash: string): Promise<Selected | undefined | null> {
  try {
    return (await readChatLink(hash)) ?? readLink(hash)
  } catch {
    return null
  }
}

/**
 * Follows a link: loads its model, and shows its text and attention. Without a link, the previous model comes back. Resolves to the
 * link if its text is shown, and nothing else has been shown since.
 */
async function follow(hash: string, place: Place = {}): Promise<Selected | undefined> {
  const turn = ++followed
  const isOther = hash !== linkInForce
  linkInForce = hash
  void asked?.then(({ closeQuestion }) => closeQuestion())
  const link = await readAny(hash)
  if (turn !== followed) return undefined
  if (!link) {
    await (slot.model.value ? leaveLink(turn, isOther ? place : {}) : use(await ownSource()))
    // Shown last, because loading clears earlier notices.
    if (link === null && turn === followed) notify('The conversation in this link is damaged.')
    return undefined
  }
  if (slot.model.value)
    own ??= {
      room: rooms.current,
      conversation: chat.keeper.current.value,
      texts: texts.place,
      passage: viewer.passage,
      view: { ...selectedOf(viewer), ...unfolded() },
    }
  else if (!('messages' in link)) texts.announce((link as Linked).prompt)
  const isCurrent = slot.model.value && isSame(fromLink(link), slot.source)
  const source = link.model && !isCurrent ? await linked(link.model, link.projector, turn) : fromLink(link)
  if (turn !== followed) return undefined
  if (!source) return void (slot.model.value || (await use(embedded)))
  if (!slot.model.value || !isSame(source, slot.source)) await useLinked(source, link)
  else if (beforeLink && slot.loading.value?.source === beforeLink.linked) slot.cancel()
  // The load may have failed or been canceled, or another model may have been opened meanwhile, for which the link's text is not
  // meant.
  if (turn !== followed || !slot.model.value || !isSame(source, slot.source) || slot.model.value.info.embedsImages) return undefined
  const isShown =
    'messages' in link ? await followChat(link as LinkedChat, place, () => turn !== followed) : await followText(link as Linked)
  return isShown && turn === followed ? link : undefined
}

/** Loads a link's model, and remembers what to return to, if the link names a model. */
async function useLinked(source: Source, link: Selected): Promise<void> {
  const before = beforeLink
  const from = slot.source
  if (link.model) beforeLink = { linked: source, own: before && before.linked === from ? before.own : (from ?? embedded) }
  await use(source)
  if (slot.source !== source && beforeLink?.linked === source) beforeLink = before
}

/** Removes a link to a text from the address once the user has opened another model, so that a reload opens that model. */
function dropLink(): void {
  const link = readLink(location.hash)
  if (isArriving || !link || isSame(fromLink(link), slot.source)) return
  beforeLink = own = undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  linkInForce = marked = location.hash
}

/** Restores the view before the links, unless another link is followed meanwhile. `place` comes from the history. */
async function leaveLink(turn: number, place: Place): Promise<void> {
  const from = own
  own = undefined
  await leaveModel()
  const info = slot.model.value?.info
  if (turn !== followed || !info) return
  const room = from?.room ?? place.room
  const conversation = place.conversation ?? from?.conversation
  if (from) texts.comeBack(from.texts)
  if (room && roomsOf(info, plain.hasChat).includes(room)) rooms.open(room)
  if (conversation !== undefined) await chat.comeBack(conversation)
  if (!from || turn !== followed || info.embedsImages) return
  await viewer.settled()
  if (turn !== followed) return
  const { token, lens: cell, ...view } = from.view
  const isSame = isSameText(viewer.passage, from.passage) // otherwise, the positions in the view belong to another text
  await select(viewer, isSame ? from.view : view)
  await lens.restore(isSame ? cell : cell && 'open')
  await attribution.restore(view.attribution)
  await edits.restore(view.edits)
  for (const part of ['sweep', 'features', 'compare'] as const) await parts[part].restore(view[part])
}

const isSameText = (one: Passage, other: Passage): boolean => areSame(tokensOf(one), tokensOf(other))

/** Restores the model that a link's model replaced, even if the latter is still being loaded. */
async function leaveModel(): Promise<void> {
  if (!beforeLink) return
  const { linked, own } = beforeLink
  if (slot.loading.value?.source === linked && slot.source === own) slot.cancel()
  else if ([slot.loading.value?.source, slot.source].includes(linked)) await use(own)
}

async function followChat(link: LinkedChat, { conversation }: Place, isLeft: () => boolean): Promise<boolean> {
  if (converse()) return await chat.follow(link, conversation, isLeft)
  notify('The link is to a conversation, but its model does not chat.')
  return false
}

/**
 * The model that was open before a reload or, on a new visit, the restored conversation's model, if it need not be downloaded;
 * otherwise the bundled one, with an offer to load the other.
 */
async function ownSource(): Promise<Source> {
  const ofConversation = (await brought)?.model
  const wanted = unopened ?? ofConversation
  const source = wanted && (await sourceHere(wanted, address => library.has(address)))
  const ended = source && attempt()
  if (source && ended) {
    slot.model.watch(model => {
      if (model) ended()
    })
    return source
  }
  if (ofConversation && !isSameModel(ofConversation, unopened)) offerModel(ofConversation)
  return embedded
}

/** The model that was open before a reload, until another one replaces the bundled one. */
let unopened = modelBefore()

const chooseFile = () => byId('file', HTMLInputElement).click()

/** Names the model of a conversation, if that is not loaded. */
function offerModel(kept: KeptModel): void {
  const source = sourceOfKept(kept)
  const name = foreign(kept.file ?? kept.name)
  if (source)
    chat.inView.say(
      `This conversation was held with “${name}”.`,
      button('Load it', () => void use(source)),
    )
  else if (kept.isFile)
    chat.inView.say(
      `This conversation was held with “${name}”: choose this file again to go on with it.`,
      button('Choose it…', chooseFile),
    )
}

function followText(link: Linked): Promise<boolean> {
  rooms.open('text')
  return texts.follow(link)
}

/** Scrolls to the part that a link has unfolded. */
async function unfold(link: Selected): Promise<void> {
  if (link.panel !== undefined) viewer.goToPanel()
  await lens.follow(link.lens)
  await attribution.follow(link.attribution)
  await edits.follow(link.edits)
  for (const part of ['sweep', 'features', 'compare'] as const) await parts[part].follow(link[part])
}

/** The unfolded parts. */
const unfolded = () => ({
  lens: lens.linked,
  attribution: attribution.linked,
  edits: edits.linked,
  sweep: sweep.linked,
  features: features.linked,
  compare: compare.linked,
})

/** The state of a page for a link, with the unfolded parts. */
const withFolded = <State extends Selected>(state: State | string): State | string =>
  typeof state === 'string' ? state : { ...state, ...unfolded() }

for (const change of ['layerchange', 'headchange'] as const) viewer.addEventListener(change, followViewer)
viewer.addEventListener('error', ({ error }) => void recover(error))
slot.model.watch(model => {
  showFacts(byId('facts', HTMLDivElement), model, slot.source?.name, place => void showMetadata(place, model!))
  if (!model) return
  dropLink()
  closeSources()
  const kind = kindOf(model.info)
  const isEmbedded = isBundled(model)
  plain.use(model)
  viewer.hidden = kind === 'hears'
  if (kind === 'hears') return listen(model)
  speech?.hide()
  viewer.model = model
  exampleView.use(slot.source?.example)
  void offerToKeep(model)
  for (const part of Object.values(parts)) part.use(model)
  foundHeads.use(model)
  useInChat(model)
  if (kind === 'sees') {
    texts.release()
    void showPicture(model)
  } else {
    pictures?.hide()
    const { texts: asked = [], needsPicture } = slot.source?.example ?? {}
    const own = asked.length > 0 ? asked.map(text => [text] as const) : undefined
    texts.use(model, kind, own ?? promptsFor(isEmbedded ? 'stories' : kind), needsPicture)
  }
  rooms.offer(roomsOf(model.info, plain.hasChat))
  if (kind === 'writes' && !model.info.acceptsImages && slot.source?.data !== undefined) void tellMissing(model, slot.source)
})

/**
 * Remembers which model is open, and offers to store a file of the user; after a reload, offers to open one that could not be
 * loaded.
 */
async function offerToKeep(model: Model): Promise<void> {
  const kept = keptOf(model)
  const missing = slot.source === embedded && unopened && !isOfPage(unopened) ? unopened : undefined
  unopened = undefined
  byId('keep', HTMLDivElement).hidden = true
  if (!missing) rememberModel(kept)
  if (!missing && !kept.isFile) return
  const { offerAgain, offerKeeping } = await import('./library/keep-file.js')
  if (missing) {
    const source = sourceOfKept(missing)
    const [name, act] = source ? (['Load it', () => void use(source)] as const) : (['Choose it again…', chooseFile] as const)
    return offerAgain(missing.file ?? missing.name, name, act)
  }
  await offerKeeping(library, slot, () => {
    const moved = keptOf(model)
    rememberModel(moved)
    chat.movedTo(moved)
  })
}

async function showMetadata(place: HTMLElement, model: Model): Promise<void> {
  const metadata = await import('./metadata/metadata-view.js')
  const { name, projector } = slot.source!
  await metadata.showMetadata(place, model, { model: name, projector: projector?.name })
}

/** The view for vision models, loaded with the first of them. */
let pictures: PictureView | undefined
async function pictureView(): Promise<PictureView> {
  const { PictureView } = await import('./picture-view.js')
  return (pictures ??= new PictureView(viewer, recover))
}

/** The view for models that transcribe, loaded with the first of them. */
let speech: SpeechView | undefined
async function speechView(): Promise<SpeechView> {
  const { SpeechView } = await import('./speech/speech-view.js')
  return (speech ??= new SpeechView())
}

function listen(model: Model): void {
  texts.release()
  pictures?.hide()
  plain.use(model)
  useInChat(model)
  rooms.offer(roomsOf(model.info, false))
  void offerToKeep(model)
  void speechView().then(view => {
    if (slot.model.value === model) view.use(model, slot.source?.example)
  })
}

async function showPicture(model: Model): Promise<void> {
  const view = await pictureView()
  if (slot.model.value === model) await view.use(model, slot.source?.example)
}

/** Says which second file is missing for a model that reads images. */
async function tellMissing(model: Model, source: Source): Promise<void> {
  const missing = await import('./model/missing-projector.js')
  await missing.tellMissing(model.info, source, {
    join: projector => void use({ ...source, projector }),
    choose: chooseFile,
    isCurrent: () => slot.model.value === model,
  })
}
showLoading(slot, use)
showLibrary(library, slot, use)
offerSources({ use, open, embedded })
closeByItself(byId('view-menu', HTMLDetailsElement))
offerPrinting()
const linkedText = () => withFolded(texts.state(slot.source))
const linkedChat = (answer?: AnswerTurn) => chat.state(slot.source, answer ? {} : unfolded(), answer)
const share = offerSharing({
  text: linkedText,
  chat: linkedChat,
  inView: async () => (rooms.current === 'chat' ? linkedChat() : linkedText()),
})
addEventListener('popstate', () => {
  if (location.hash !== marked) {
    isArriving = true
    return
  }
  markPlace() // a link to the current place creates a new entry
  followViewer()
})
addEventListener('hashchange', async () => {
  const { hash } = location
  const place = placeAt()
  const wanted = linkAt(hash)
  const isInPage = wanted !== hash && wanted === linkInForce
  const link = isInPage ? undefined : await follow(wanted, place)
  if (hash === location.hash) {
    isArriving = false
    markPlace()
  }
  if (!link) return
  // The chosen link may be far below the viewer, in the lesson: scroll position and focus move to the viewer.
  if (readLink(hash)) {
    viewer.scrollIntoView()
    if (link.panel === undefined) viewer.focus({ preventScroll: true })
  }
  await unfold(link)
})

/** Drafts are restored after the conversation; if their script fails to load, they are not saved. */
const drafts = Promise.resolve(brought)
  .then(() => import('./drafts.js'))
  .then(({ keepDrafts }) => keepDrafts(chat, texts, ownEdits, slot, viewer))
  .catch(() => undefined)

/** For the browser console: the current model, and what the page shows of it. */
Object.defineProperty(globalThis, 'heed', {
  value: {
    viewer,
    get model() {
      return slot.model.value
    },
    get passage() {
      return viewer.passage
    },
    get versions() {
      return texts.versions
    },
    get conversation() {
      return chat.conversation
    },
    /** Saves drafts. */
    drafts,
    get keeper() {
      return chat.keeper
    },
    get attention() {
      return viewer.model?.info.embedsImages ? undefined : viewer.attention
    },
    get picture() {
      return pictures?.picture
    },
    get pictureAttention() {
      return viewer.model?.info.embedsImages ? viewer.attention : undefined
    },
  },
})

/** Shows what the address refers to. Scripts that are loaded for it depend on this one, which therefore must not wait for them. */
async function arrive(): Promise<void> {
  await needIsolation()
  const place = placeAt()
  await brought
  chat.keeper.current.watch(markPlace)
  const arrivedAt = location.hash
  const linkedTo = await follow(linkAt(arrivedAt), place)
  if (arrivedAt === location.hash) {
    isArriving = false
    markPlace()
  }
  if (linkedTo) await unfold(linkedTo)
  await keepForOffline(byId('offline', HTMLSpanElement))
}

void arrive()
