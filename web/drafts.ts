// Saves drafts of this tab, and restores them after a reload: the message, its images, edited messages, and free text with its
// texts. Loaded once the page is shown.
import type { Model } from 'heed'
import type { ChatView } from './chat/chat-view.js'
import type { Edited, UserTurn } from './conversation/turns.js'
import { pictureAt } from './images/picture.js'
import { conversationIds, Desk } from './keeping/desk.js'
import type { Keeper } from './keeping/keeper.js'
import type { ModelSlot } from './model/slot.js'
import { byId, make } from './support/dom.js'
import type { TextView } from './text-view.js'
import { isSameText, storedText, textsOf } from './versions/stored.js'
import { Version } from './versions/version.js'

/** The interval at which a growing text is saved. */
const growthMs = 300

interface StoredEdit extends Edited {
  readonly conversation: string
  readonly turn: number
}

/** A record's value, any part of which may be damaged. */
type Damaged<Value> = { readonly [Name in keyof Value]?: unknown }

interface Typed {
  readonly message: string
  readonly prompt: string
  /** Whether a link has brought the prompt, and brings it again. */
  readonly isOfLink: boolean
  /** Messages and prompts that were set aside. */
  readonly asideMessages: readonly string[]
  readonly asidePrompts: readonly string[]
  readonly edits: readonly StoredEdit[]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter(one => typeof one === 'string' && one !== '')

const asEdits = (value: unknown): StoredEdit[] =>
  (Array.isArray(value) ? (value as Damaged<StoredEdit>[]) : []).filter(
    (edit): edit is StoredEdit =>
      typeof edit?.conversation === 'string' && typeof edit.turn === 'number' && typeof edit.text === 'string',
  )

export async function keepDrafts(chat: ChatView, texts: TextView, slot: ModelSlot): Promise<Desk> {
  const desk = await Desk.open()
  await keepTyped(desk, chat, texts)
  await keepPictures(desk, chat)
  keepTexts(desk, texts, slot, chat.keeper)
  tellTrouble(desk, chat)
  chat.keeper.switches.watch(switches => {
    if (switches > 0) desk.switched()
  })
  chat.keeper.clears.watch(clears => {
    if (clears > 0) void desk.clear()
  })
  return desk
}

/** Saves the message, the prompt, texts set aside and the edited messages. */
async function keepTyped(desk: Desk, { conversation, keeper, aside }: ChatView, texts: TextView): Promise<void> {
  const message = byId('message', HTMLTextAreaElement)
  const prompt = byId('prompt', HTMLTextAreaElement)
  const there = (desk.found.get('typed') ?? {}) as Damaged<Typed>
  const kept = new Set<unknown>(await conversationIds())
  let edits = asEdits(there.edits).filter(edit => kept.has(edit.conversation))
  const initial = prompt.defaultValue

  const userTurns = () => conversation.turns.filter((turn): turn is UserTurn => turn.role === 'user')
  /** Collects the current edits of the conversation in view, and the saved ones of others. */
  function gather(): void {
    const id = keeper.current.value
    const own = userTurns().flatMap(({ id: turn, edited }) => (edited ? [{ conversation: id, turn, ...edited }] : []))
    edits = [...edits.filter(edit => edit.conversation !== id), ...own]
  }
  function changed(): void {
    const value: Typed = {
      message: message.value,
      prompt: prompt.value === initial ? '' : prompt.value,
      isOfLink: texts.isOfLink,
      asideMessages: aside.texts.value,
      asidePrompts: texts.aside.texts.value,
      edits,
    }
    const isEmpty =
      value.message + value.prompt === '' && [aside.texts.value, texts.aside.texts.value, edits].every(list => list.length === 0)
    desk.keep('typed', isEmpty ? undefined : () => value)
  }

  /** Puts a text into a box, as if typed, unless the user has typed something meanwhile. */
  function bring(box: HTMLTextAreaElement, text: string): void {
    if (text === '' || box.value !== box.defaultValue) return
    box.value = text
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
  bring(message, asText(there.message))
  // The text of a link replaces the prompt, which is then set aside.
  const own = location.hash.includes('prompt=') && there.isOfLink === true ? '' : asText(there.prompt)
  if (prompt.value === prompt.defaultValue) bring(prompt, own)
  else if (own !== '' && own !== prompt.value) texts.aside.add([own])
  aside.add(asTexts(there.asideMessages))
  texts.aside.add(asTexts(there.asidePrompts))
  for (const { texts: list } of [aside, texts.aside]) list.watch(changed)
  keeper.current.watch(id => {
    const byTurn = new Map(edits.filter(({ conversation }) => conversation === id).map(edit => [edit.turn, edit]))
    if (byTurn.size === 0) return
    for (const turn of userTurns()) {
      const edit = byTurn.get(turn.id)
      if (edit) turn.edited ??= { text: edit.text, isOpen: edit.isOpen === true }
    }
    conversation.refresh()
  })
  for (const event of ['input', 'change']) {
    for (const box of [message, prompt]) box.addEventListener(event, changed)
    byId('chat-log', HTMLElement).addEventListener(event, () => {
      gather()
      changed()
    })
  }
  keeper.clears.watch(clears => {
    if (clears === 0) return
    edits = []
    for (const one of [aside, texts.aside]) one.clear()
    for (const box of [message, prompt]) {
      box.value = box.defaultValue
      box.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
}

/** Saves the images of the message. */
async function keepPictures(desk: Desk, { attachments, keeper }: ChatView): Promise<void> {
  const stored = desk.found.get('pictures')
  const list = Array.isArray(stored) ? (stored as { name?: unknown; url?: unknown }[]) : []
  const read = await Promise.all(list.map(({ name, url } = {}) => pictureAt(url, asText(name))))
  const there = read.filter(picture => picture !== undefined)
  if (there.length > 0) attachments.pictures.value = [...there, ...attachments.pictures.value]
  attachments.pictures.watch(pictures => {
    const value = pictures.map(({ name, url }) => ({ name, url }))
    desk.keep('pictures', value.length > 0 ? () => value : undefined)
  })
  keeper.clears.watch(clears => {
    if (clears > 0) attachments.clear()
  })
}

const keyOf = ({ info }: Model): string => `${info.name} ${info.fileBytes}`

/** Saves the texts of each model, and lists them again once the model is loaded. */
function keepTexts(desk: Desk, texts: TextView, slot: ModelSlot, keeper: Keeper): void {
  const { versions } = texts
  const names = new WeakMap<Version, string>()
  /** The texts of all models, by the name of the record: from this visit, or as found. */
  const all = new Map<string, unknown>([...desk.found].filter(([name]) => name.startsWith('text ')))
  const inView = new Map([...desk.found].filter(([name]) => name.startsWith('view ')))

  function follow(version: Version): void {
    const model = slot.model.value
    if (!model || names.has(version) || version.order.isOfLink) return
    const name = `text ${keyOf(model)} ${version.number}`
    names.set(version, name)
    all.set(name, version)
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      clearTimeout(timer)
      timer = undefined
      desk.keep(name, () => storedText(version))
    }
    version.progress.watch(() => {
      if (version.outcome) write()
      else timer ??= setTimeout(write, growthMs)
    })
  }
  for (const version of versions.list.value) follow(version)
  versions.onAdded(follow)
  versions.removed.watch(version => {
    const name = version && names.get(version)
    if (!name) return
    all.delete(name)
    desk.keep(name, undefined)
  })
  versions.inView.watch(({ current, beside }) => {
    const model = slot.model.value
    if (!model || versions.list.value.length === 0) return
    const name = `view ${keyOf(model)}`
    const value = { current: current?.number, beside: beside?.number }
    inView.set(name, value)
    desk.keep(name, () => value)
  })
  keeper.clears.watch(clears => {
    if (clears === 0) return
    all.clear()
    versions.clear()
  })
  slot.model.watch(model => {
    if (!model) return
    const mine = [...all].filter(([name]) => name.startsWith(`text ${keyOf(model)} `))
    const live = mine.flatMap(([, text]) => (text instanceof Version ? [text] : []))
    // Texts that a link has brought meanwhile are not shown twice.
    const stored = mine.filter(
      ([, text]) => !(text instanceof Version) && !versions.list.value.some(version => isSameText(version, text)),
    )
    for (const [name] of stored) {
      all.delete(name)
      desk.keep(name, undefined) // it may get another number
    }
    const made = textsOf(
      stored.map(([, text]) => text),
      [...versions.list.value, ...live].map(({ number }) => number),
    )
    versions.adopt(made)
    const list = [...live, ...made].filter(version => !versions.list.value.includes(version))
    if (list.length === 0) return
    const view = inView.get(`view ${keyOf(model)}`) as { current?: number; beside?: number } | undefined
    const find = (number: number | undefined) => list.find(version => version.number === number)
    const there = versions.inView.value
    const shown = there.current ? there : { current: find(view?.current), beside: find(view?.beside) }
    texts.comeBack({ prompt: texts.place.prompt, texts: list.sort((one, other) => one.number - other.number), inView: shown })
  })
}

/** Reports beside a text box that it is not saved; for the conversation, the keeper may have reported it already. */
function tellTrouble(desk: Desk, { keeper }: ChatView): void {
  const notes = ['chat-compose', 'writing'].map(id => {
    const note = make('p', { className: 'chat-note', role: 'status' })
    byId(id, HTMLElement).before(note)
    return note
  })
  const tell = () => {
    notes[0]!.textContent = keeper.trouble.value === '' ? desk.trouble.value : ''
    notes[1]!.textContent = desk.trouble.value
  }
  desk.trouble.watch(tell)
  keeper.trouble.watch(tell)
}
