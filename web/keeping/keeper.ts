// Saves the conversation in view in this browser, at every turn and while an answer grows, and restores saved ones.
import { planted, storedTurn } from '../conversation/file.js'
import { Conversation } from '../conversation/conversation.js'
import { textOf, type Turn } from '../conversation/turns.js'
import { Observable } from '../support/observable.js'
import { type Circumstances, type Draft, type Entry, type KeptModel, titleOf, type TurnRecord } from './record.js'
import * as shelf from './shelf.js'
import { isOn } from './switch.js'
import { troubleOf } from './trouble.js'

/** The interval at which a growing answer is saved: the most that a closed tab may lose. */
const growthMs = 300

const longestTitle = 80

/** The model and the settings of the conversation in view. */
export interface Around {
  readonly model?: KeptModel
  readonly circumstances?: Circumstances
}

/** A conversation that was opened in this visit. */
interface Open {
  id: string
  model?: KeptModel
  circumstances?: Circumstances
  /** The number of times it was written, which reveals writes by other tabs. */
  revision: number
  /** The turns to write, and whether anything else is to be written. */
  readonly due: Set<Turn>
  isHeadDue: boolean
  /** Its turns, while another one is in view. */
  away?: Conversation
  /** Whether it came from a link and has not been continued: it is saved once it is. */
  isOfLink: boolean
  /** Whether the user has deleted it: it is saved again once a message is added. */
  isDeleted: boolean
  changed: number
  draft?: Draft
}

/** Does not use random numbers, whose order determines the seeds of answers. */
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

const fresh = (isOfLink = false): Open => ({
  id: newId(),
  revision: 0,
  due: new Set(),
  isHeadDue: false,
  isOfLink,
  isDeleted: false,
  changed: Date.now(),
})

export class Keeper {
  /** The reason why the conversation in view is not saved, as a sentence; empty if it is. */
  readonly trouble = new Observable('')
  /** The id of the conversation in view. */
  readonly current: Observable<string>
  /** Incremented when the list has changed, in this tab or in another one. */
  readonly changes = new Observable(0)
  /** Incremented when everything was deleted, and when saving was switched on or off; other saved data follows. */
  readonly clears = new Observable(0)
  readonly switches = new Observable(0)
  readonly #conversation: Conversation
  readonly #around: () => Around
  readonly #others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('heed-conversations') : undefined
  readonly #open = new Map<string, Open>()
  /** The known turns: whether each was sent to the model when last checked. */
  readonly #met = new WeakMap<Turn, boolean>()
  #inView = fresh()
  #isMoving = false
  /** Counts requests to bring something into view: an outdated one has no effect. */
  #moves = 0
  #timer?: { readonly due: number; readonly id: ReturnType<typeof setTimeout> }
  #writing?: Promise<void>
  #isAgain = false

  /** `around` is called when something is written. */
  constructor(conversation: Conversation, around: () => Around) {
    this.#conversation = conversation
    this.#around = around
    this.#open.set(this.#inView.id, this.#inView)
    this.current = new Observable(this.#inView.id)
    conversation.path.watch(path => {
      if (this.#isMoving) return
      for (const turn of path) this.#meet(this.#inView, turn)
      this.changed()
      if (!isOn()) this.changes.value++
    })
    this.#others?.addEventListener('message', () => {
      this.changes.value++
    })
    addEventListener('visibilitychange', () => void this.flush())
    addEventListener('pagehide', () => void this.flush())
  }

  /** The model of the conversation in view has moved, for example into the store. */
  movedTo(model: KeptModel): void {
    if (!this.#inView.model) return
    this.#inView.model = model
    this.changed()
  }

  /** Called when the system message or a setting has changed. */
  changed(): void {
    this.#inView.isHeadDue = true
    this.#request(0)
  }

  /** Writes pending changes. Resolves once that is done, or has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer?.id)
    this.#timer = undefined
    if (this.#writing) this.#isAgain = true
    else
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
      })
    return this.#writing
  }

  /** Begins an empty conversation. Resolves to the id of the previous one; undefined if that is empty. */
  begin(): string | undefined {
    const hasTurns = !this.#isEmpty(this.#inView)
    const id = this.#putAway()
    this.#enter(fresh(), () => this.#conversation.clear())
    return hasTurns ? id : undefined
  }

  /**
   * Shows a conversation from a file or, with `arrive`, from a link: `arrive` is called once the previous one is put away. Returns
   * the id of the previous one; undefined if that is empty.
   */
  show(conversation: Conversation, arrive?: () => void): string | undefined {
    const id = this.#putAway()
    const open = fresh(arrive !== undefined)
    arrive?.()
    this.#enter(open, () => this.#conversation.become(conversation))
    if (!arrive) this.#own(open)
    this.changed()
    return id
  }

  /**
   * Brings a conversation back, by default the last changed one. Resolves to its surroundings; undefined if there is none, it
   * cannot be read, or another one was requested meanwhile.
   */
  async bring(id?: string): Promise<Around | undefined> {
    const wanted = id ?? (await shelf.list().catch(() => [])).find(({ state }) => state === 'whole')?.id
    if (wanted === undefined) return undefined
    const move = ++this.#moves
    if (wanted === this.#inView.id) return this.#inView
    await this.flush()
    const mine = this.#open.get(wanted)
    const found = await shelf.read(wanted).catch(() => undefined)
    if (move !== this.#moves) return undefined
    const head = found && 'head' in found ? found.head : undefined
    // Includes additions by other tabs, unless this tab has changes that it could not write.
    if (mine?.away && (mine.due.size > 0 || !head || head.revision === mine.revision)) {
      const { away } = mine
      this.#putAway()
      this.#enter(mine, () => this.#conversation.become(away))
      return mine
    }
    if (!found) return undefined
    if (!('head' in found)) {
      this.trouble.value = `${found.title}: it stays as it is, and cannot be shown.`
      return undefined
    }
    const { conversation, lost } = await planted({ system: found.head.system, turns: found.turns, path: [found.head.last] }, true)
    if (move !== this.#moves) return undefined
    this.#putAway()
    const { model, circumstances, revision, changed } = found.head
    const open: Open = { ...fresh(), id: wanted, revision, changed, model, circumstances }
    this.#enter(open, () => this.#conversation.become(conversation))
    const missing = found.damaged + lost
    if (missing > 0)
      this.trouble.value = `A part of this conversation is damaged: ${missing === 1 ? 'a turn or a picture is' : `${missing} turns or pictures are`} left out.`
    return open
  }

  /**
   * All conversations: the saved ones, and those of this visit that are not saved. `trouble` is the reason if saved ones cannot be
   * listed.
   */
  async list(): Promise<{ entries: Entry[]; trouble: string }> {
    await this.flush()
    let trouble = ''
    const kept = await shelf.list().catch((error: unknown) => {
      trouble = troubleOf(error)
      return []
    })
    const ids = new Set(kept.map(({ id }) => id))
    const others = [...this.#open.values()].filter(
      open => !ids.has(open.id) && !open.isOfLink && !open.isDeleted && !this.#isEmpty(open),
    )
    const entries = others.map((open): Entry => {
      const { begins, changed } = open.away ? open.draft! : this.#draftOf(open)
      return { id: open.id, changed, title: titleOf({ title: '', begins }), state: 'unkept' }
    })
    return { entries: [...entries, ...kept], trouble }
  }

  /** Called when another part of the page has changed the saved data. */
  relist(): void {
    this.#tell()
  }

  async rename(id: string, title: string): Promise<void> {
    await shelf.rename(id, title.trim().slice(0, longestTitle))
    this.#tell()
  }

  /** Deletes a conversation. Resolves to a function that restores it. */
  async remove(id: string): Promise<() => Promise<void>> {
    await this.flush()
    const records = await shelf.remove(id)
    const mine = this.#open.get(id)
    const isInView = mine === this.#inView
    if (mine) mine.isDeleted = true
    if (isInView) this.begin()
    this.#open.delete(id)
    this.#tell()
    return async () => {
      if (records) await shelf.putBack(records)
      if (mine) {
        mine.isDeleted = false
        this.#open.set(id, mine)
      }
      if (isInView && this.#isEmpty(this.#inView)) await this.bring(id)
      this.#tell()
    }
  }

  /** Deletes everything that is saved, and everything of this visit. */
  async clear(): Promise<void> {
    await this.flush()
    await shelf.clear()
    for (const open of this.#open.values()) open.isDeleted = true
    this.begin()
    for (const open of this.#open.values()) if (open !== this.#inView) this.#open.delete(open.id)
    this.clears.value++
    this.#tell()
  }

  /** Called when the user has switched saving on or off. */
  switched(): void {
    if (isOn()) this.#own(this.#inView)
    this.switches.value++
    this.changed()
  }

  /** Whether the conversation in view is an unchanged one from a link. */
  get isOfLink(): boolean {
    return this.#inView.isOfLink
  }

  /** The conversations of this visit that are not saved. */
  get unkept(): readonly { readonly draft: Draft; readonly conversation: Conversation }[] {
    return [...this.#open.values()]
      .filter(open => open.revision === 0 && !open.isOfLink && !open.isDeleted && !this.#isEmpty(open))
      .map(open => ({ draft: open.away ? open.draft! : this.#draftOf(open), conversation: open.away ?? this.#conversation }))
  }

  #isEmpty(open: Open): boolean {
    return (open.away ?? this.#conversation).turns.length === 0
  }

  /** Puts the conversation in view among the open ones. Returns its id, unless it is empty. */
  #putAway(): string | undefined {
    const open = this.#inView
    const isBlank = this.#isEmpty(open) && this.#conversation.system.trim() === ''
    open.draft = this.#draftOf(open)
    Object.assign(open, { circumstances: open.draft.circumstances })
    open.away = new Conversation()
    open.away.become(this.#conversation)
    return isBlank ? undefined : open.id
  }

  #enter(open: Open, change: () => void): void {
    this.#moves++
    this.#isMoving = true
    this.trouble.value = ''
    open.away = undefined
    this.#inView = open
    this.#open.set(open.id, open)
    try {
      change()
    } finally {
      this.#isMoving = false
    }
    for (const turn of this.#conversation.turns) this.#met.set(turn, turn.isDropped)
    this.current.value = open.id
    void this.flush()
  }

  /** Registers a turn that is new, or is no longer sent to the model, and follows an answer as it grows. */
  #meet(open: Open, turn: Turn): void {
    const known = this.#met.get(turn)
    if (known === turn.isDropped) return
    this.#met.set(turn, turn.isDropped)
    if (known === undefined && (open.isOfLink || (open.isDeleted && turn.role === 'user'))) this.#own(open)
    open.due.add(turn)
    if (known !== undefined || turn.role === 'user' || turn.ending) return
    turn.changes.watch(() => {
      open.due.add(turn)
      this.#request(turn.ending ? 0 : growthMs)
    })
  }

  /** Makes a conversation one of this tab's own, to be written from the start. */
  #own(open: Open): void {
    this.#open.delete(open.id)
    const isKept = open.revision > 0
    Object.assign(open, { id: isKept || open.isDeleted ? newId() : open.id, revision: 0, isOfLink: false, isDeleted: false })
    this.#open.set(open.id, open)
    for (const turn of (open.away ?? this.#conversation).turns) open.due.add(turn)
    if (open === this.#inView) this.current.value = open.id
  }

  #request(ms: number): void {
    const due = performance.now() + ms
    if (this.#timer && this.#timer.due <= due) return
    clearTimeout(this.#timer?.id)
    this.#timer = { due, id: setTimeout(() => void this.flush(), ms) }
  }

  async #write(): Promise<void> {
    do {
      this.#isAgain = false
      for (const open of [...this.#open.values()]) if (open.due.size > 0 || open.isHeadDue) await this.#writeOne(open)
    } while (this.#isAgain)
  }

  async #writeOne(open: Open): Promise<void> {
    if (!isOn() || open.isOfLink || open.isDeleted || this.#isEmpty(open)) return
    const turns = [...open.due]
    const isLater = turns.length > 0
    const draft = open.away ? open.draft! : this.#draftOf(open, isLater)
    open.due.clear()
    open.isHeadDue = false
    if (!isLater && JSON.stringify(draft) === JSON.stringify(open.draft)) return
    try {
      const outcome = await shelf.write(
        draft,
        open.revision,
        turns.map(turn => recordOf(open.id, turn)),
      )
      if (outcome === 'written') {
        open.revision++
        open.draft = draft
        open.changed = draft.changed
        if (open === this.#inView) this.trouble.value = ''
        if (isLater) this.#tell()
        return
      }
      for (const turn of turns) open.due.add(turn)
      open.isDeleted = outcome === 'deleted'
      // Another tab has continued it, so this tab continues with a copy. A changed setting alone does not cause a copy.
      if (outcome === 'changed' && isLater) {
        this.#own(open)
        this.#isAgain = true
      }
    } catch (error) {
      for (const turn of turns) open.due.add(turn)
      open.draft = draft
      if (open === this.#inView) this.#report(error)
    }
  }

  #draftOf(open: Open, isLater = false): Draft {
    const { turns, last, system } = this.#conversation
    const { model = open.model, circumstances } = this.#around()
    if (isLater) open.model = model
    return {
      id: open.id,
      begins: begin(turns[0]),
      changed: isLater ? Date.now() : open.changed,
      last: last?.id ?? 0,
      system,
      ...(open.model && { model: open.model }),
      ...(circumstances && { circumstances }),
    }
  }

  #report(error: unknown): void {
    this.trouble.value = troubleOf(error)
  }

  /** The list has changed. */
  #tell(): void {
    this.changes.value++
    this.#others?.postMessage(null)
  }
}

/** The beginning of a message, as a title. */
function begin(turn: Turn | undefined): string {
  const text = turn ? textOf(turn).trim().replace(/\s+/g, ' ') : ''
  const characters = [...text]
  if (text === '' && turn?.role === 'user' && turn.pictures.length > 0) return 'A picture'
  return characters.length <= longestTitle ? text : `${characters.slice(0, longestTitle - 1).join('')}…`
}

/** The current state of a turn: an answer that is still growing counts as stopped here, if nothing more is saved. */
function recordOf(conversation: string, turn: Turn): TurnRecord {
  const stored = { conversation, ...storedTurn(turn) }
  if (turn.role === 'user') return stored
  return {
    ...stored,
    look: {
      pieces: turn.pieces.map(piece => ({ ...piece, ...(piece.kind === 'reasoning' && { done: true }) })),
      ending: turn.ending ?? { reason: 'abort' },
    },
  }
}
