// Saves the conversation in view in this browser, at every turn and while an answer grows, and restores saved ones.
import { planted } from '../conversation/file.js'
import type { Conversation } from '../conversation/conversation.js'
import { Observable } from '../support/observable.js'
import { forgetAll } from './leftovers.js'
import { fresh, type Open } from './open.js'
import { type Draft, type Entry, type KeptModel, longestTitle, titleOf } from './record.js'
import * as shelf from './shelf.js'
import { isOn } from './switch.js'
import { troubleOf } from './trouble.js'
import { type Around, Visit } from './visit.js'
import { Writer } from './writer.js'

/** A conversation that only this tab has, or of which it has more than is saved. */
export interface Unkept {
  readonly draft: Draft
  readonly conversation: Conversation
  /** The revision of the saved part; 0 if nothing is saved. */
  readonly revision: number
}

export class Keeper {
  /** Incremented when the list has changed, in this tab or in another one. */
  readonly changes = new Observable(0)
  /** Incremented when everything was deleted, and when saving was switched on or off; other saved data follows. */
  readonly clears = new Observable(0)
  readonly switches = new Observable(0)
  /** Incremented when the settings of the conversation in view may have changed. */
  readonly settings = new Observable(0)
  readonly #conversation: Conversation
  readonly #visit: Visit
  readonly #writer: Writer
  readonly #others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('heed-conversations') : undefined
  #isMoving = false
  /** Counts requests to bring something into view: an outdated one has no effect. */
  #moves = 0

  /** `around` is called when something is written; the settings that it returns now are the defaults. */
  constructor(conversation: Conversation, around: () => Around) {
    this.#conversation = conversation
    this.#visit = new Visit(conversation, around)
    this.#writer = new Writer(this.#visit, () => this.#tell())
    conversation.path.watch(path => {
      if (this.#isMoving) return
      for (const turn of path) this.#writer.meet(this.#visit.inView, turn)
      this.#writer.change()
      if (!isOn()) this.changes.value++
    })
    this.#others?.addEventListener('message', () => {
      this.changes.value++
      void this.#lookForDeletion()
    })
  }

  /** The reason why the conversation in view is not saved, as a sentence; empty if it is. */
  get trouble(): Observable<string> {
    return this.#visit.trouble
  }

  /** The name of the conversation in view if it has become a copy, because another tab has gone on with it; otherwise empty. */
  get copyName(): Observable<string> {
    return this.#visit.copyName
  }

  /** The id of the conversation in view. */
  get current(): Observable<string> {
    return this.#visit.current
  }

  /** The model of the conversation in view has moved, for example into the store. */
  movedTo(model: KeptModel): void {
    if (!this.#visit.inView.model) return
    this.#visit.inView.model = model
    this.#writer.change()
  }

  /** Called when the user has changed the system message or a setting of the conversation. */
  changed(): void {
    this.settings.value++
    this.#writer.change()
  }

  /** Called when settings have changed outside of the conversation: if it has nothing of its own, it stays blank. */
  adopt(): void {
    if (this.#conversation.turns.length > 0 || this.#visit.inView.revision > 0) return this.changed()
    this.#visit.inView.given = this.#visit.settings
    this.settings.value++
  }

  /** Whether the conversation in view has nothing that the user has written or chosen for it. */
  get isBlank(): boolean {
    return this.#visit.isBlank(this.#visit.inView)
  }

  /** Whether the conversation in view is blank and has the default settings. */
  get isAtRest(): boolean {
    return this.#visit.isAtRest
  }

  /** Writes pending changes. Resolves once that is done, or has failed. */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /**
   * Begins a conversation with the current settings, unless the one in view has no turn yet. Returns the id of the previous one, if
   * there is one.
   */
  begin(): string | undefined {
    return this.#conversation.turns.length > 0 ? this.#begin() : undefined
  }

  #begin(): string | undefined {
    const id = this.#visit.putAway()
    this.#enter({ ...fresh(), given: this.#visit.settings }, () => this.#conversation.clear())
    return id
  }

  /**
   * Shows a conversation from a file or, with `arrive`, from a link: `arrive` is called once the previous one is put away. Returns
   * the id of the previous one; undefined if that is blank.
   */
  show(conversation: Conversation, arrive?: () => void): string | undefined {
    const id = this.#visit.putAway()
    const open = fresh(arrive !== undefined)
    arrive?.()
    this.#enter(open, () => this.#conversation.become(conversation))
    if (!arrive) this.#visit.own(open)
    this.#writer.change()
    return id
  }

  /**
   * Brings a conversation back, by default the last changed one. Resolves to its model and settings; undefined if there is none,
   * it cannot be read, or another one was requested meanwhile.
   */
  async bring(id?: string): Promise<Around | undefined> {
    const move = ++this.#moves
    if (id === this.#visit.inView.id) return this.#visit.inView
    await this.flush()
    await shelf.writeLeft()
    const wanted = id ?? (await shelf.list().catch(() => [])).find(({ state }) => state === 'whole')?.id
    if (wanted === undefined) return undefined
    if (wanted === this.#visit.inView.id) return this.#visit.inView
    const mine = this.#visit.find(wanted)
    const found = await shelf.read(wanted).catch(() => undefined)
    if (move !== this.#moves) return undefined
    const head = found && 'head' in found ? found.head : undefined
    // Includes additions by other tabs, unless this tab has changes that it could not write.
    if (mine?.away && (mine.due.size > 0 || !head || head.revision === mine.revision)) {
      const { away } = mine
      this.#visit.putAway()
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
    this.#visit.putAway()
    const { model, circumstances, revision, changed } = found.head
    const open: Open = { ...fresh(), id: wanted, revision, changed, model, circumstances }
    this.#enter(open, () => this.#conversation.become(conversation))
    const missing = found.damaged + lost.length
    if (missing > 0)
      this.trouble.value = `A part of this conversation is damaged: ${missing === 1 ? 'a turn, a picture or a sound is' : `${missing} turns, pictures or sounds are`} left out.`
    return open
  }

  /**
   * All conversations: the saved ones, and those of this visit that are not saved. `trouble` is the reason if saved ones cannot be
   * listed.
   */
  async list(): Promise<{ entries: Entry[]; trouble: string }> {
    await this.flush()
    await shelf.writeLeft()
    let trouble = ''
    const kept = await shelf.list().catch((error: unknown) => {
      trouble = troubleOf(error)
      return []
    })
    const ids = new Set(kept.map(({ id }) => id))
    const others = this.#visit.listed.filter(({ id }) => !ids.has(id))
    const entries = others.map((open): Entry => {
      const draft = this.#visit.draftOf(open)
      return { id: open.id, changed: draft.changed, title: titleOf({ title: open.copyName ?? '', ...draft }), state: 'unkept' }
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
    const mine = this.#visit.find(id)
    const isInView = mine === this.#visit.inView
    if (mine) mine.isDeleted = true
    if (isInView) this.#begin()
    this.#visit.remove(id)
    this.#tell()
    return async () => {
      const back = records ? await shelf.putBack(records) : id
      if (mine && back === id) {
        mine.isDeleted = false
        this.#visit.add(mine)
      }
      if (isInView && this.isBlank) await this.bring(back)
      this.#tell()
    }
  }

  /** Deletes everything that is saved, and everything of this visit. */
  async clear(): Promise<void> {
    await this.flush()
    forgetAll()
    await shelf.clear()
    for (const open of this.#visit.all) open.isDeleted = true
    this.#begin()
    for (const open of this.#visit.all) if (open !== this.#visit.inView) this.#visit.remove(open.id)
    this.clears.value++
    this.#tell()
  }

  /** Called when the user has switched saving on or off. */
  switched(): void {
    const { inView } = this.#visit
    if (isOn() && inView.revision === 0) this.#visit.own(inView) // a saved one goes on
    this.switches.value++
    this.#writer.change()
  }

  /** Whether the conversation in view is an unchanged one from a link. */
  get isOfLink(): boolean {
    return this.#visit.inView.isOfLink
  }

  /** The conversations of this visit that are not saved, or not with all of their turns. */
  get unkept(): readonly Unkept[] {
    return this.#visit.listed.flatMap(open => {
      const { revision, due } = open
      const draft = { ...this.#visit.draftOf(open), ...(due.size > 0 && { changed: Date.now() }) }
      return revision === 0 || due.size > 0 ? [{ draft, revision, conversation: this.#visit.conversationOf(open) }] : []
    })
  }

  #enter(open: Open, change: () => void): void {
    this.#moves++
    this.#visit.enter(open, () => {
      this.#isMoving = true
      try {
        change()
      } finally {
        this.#isMoving = false
      }
      this.#writer.know(open)
    })
    this.settings.value++
    void this.flush()
  }

  /** Checks whether another tab has deleted the conversation in view, or put it back. */
  async #lookForDeletion(): Promise<void> {
    const open = this.#visit.inView
    if (open.revision === 0 || !isOn()) return
    const isThere = await shelf.has(open.id).catch(() => !open.isDeleted)
    if (open !== this.#visit.inView || isThere !== open.isDeleted) return
    if (!isThere) return this.#visit.findDeleted(open)
    open.isDeleted = false
    this.trouble.value = ''
  }

  /** The list has changed. */
  #tell(): void {
    this.changes.value++
    this.#others?.postMessage(null)
  }
}
