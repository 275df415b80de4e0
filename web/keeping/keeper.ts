// Saves the conversation in view in this browser, at every turn and while an answer grows, and restores saved ones.
import { planted } from '../conversation/file.js'
import { Conversation } from '../conversation/conversation.js'
import type { Turn } from '../conversation/turns.js'
import { Observable } from '../support/observable.js'
import { forget, forgetAll, leave } from './leftovers.js'
import { beginOfTurn, fresh, newId, type Open, recordOf, settingsOf } from './open.js'
import { type Circumstances, type Draft, type Entry, type KeptModel, longestTitle, titleOf } from './record.js'
import * as shelf from './shelf.js'
import { isOn } from './switch.js'
import { troubleOf } from './trouble.js'

/** The interval at which a growing answer is saved: the most that a crash may lose. */
const growthMs = 300

const deletedElsewhere = 'This conversation was deleted in another tab. It is kept again once you send a message.'

/** The model and the settings of the conversation in view. */
export interface Around {
  readonly model?: KeptModel
  readonly circumstances?: Circumstances
}

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
  /** Incremented when the settings of the conversation in view may have changed. */
  readonly settings = new Observable(0)
  readonly #conversation: Conversation
  readonly #around: () => Around
  readonly #others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('heed-conversations') : undefined
  readonly #open = new Map<string, Open>()
  /** Identifies what this page has written, also if it is continued by another one. */
  readonly #page = newId()
  /** The settings that a conversation has by default, as text. */
  readonly #atRest: string
  /** The known turns: whether each was sent to the model when last checked. */
  readonly #met = new WeakMap<Turn, boolean>()
  /** The turns that were written at least once. */
  readonly #written = new WeakSet<Turn>()
  #inView = fresh()
  #isMoving = false
  /** Counts requests to bring something into view: an outdated one has no effect. */
  #moves = 0
  #timer?: { readonly due: number; readonly id: ReturnType<typeof setTimeout> }
  #writing?: Promise<void>
  #isAgain = false

  /** `around` is called when something is written; the settings that it returns now are those by default. */
  constructor(conversation: Conversation, around: () => Around) {
    this.#conversation = conversation
    this.#around = around
    this.#atRest = this.#settings
    this.#open.set(this.#inView.id, this.#inView)
    this.current = new Observable(this.#inView.id)
    conversation.path.watch(path => {
      if (this.#isMoving) return
      for (const turn of path) this.#meet(this.#inView, turn)
      this.#change()
      if (!isOn()) this.changes.value++
    })
    this.#others?.addEventListener('message', () => {
      this.changes.value++
      void this.#lookForDeletion()
    })
    addEventListener('visibilitychange', () => void this.flush())
    addEventListener('pagehide', () => {
      this.#leave()
      void this.flush()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) for (const { id } of this.#open.values()) forget(shelf.leftName(id))
    })
  }

  /** The model of the conversation in view has moved, for example into the store. */
  movedTo(model: KeptModel): void {
    if (!this.#inView.model) return
    this.#inView.model = model
    this.#change()
  }

  /** Called when the user has changed the system message or a setting of the conversation. */
  changed(): void {
    this.settings.value++
    this.#change()
  }

  /** Called when settings have changed, but not for the conversation: if it has nothing of its own, it stays blank. */
  adopt(): void {
    if (this.#conversation.turns.length > 0 || this.#inView.revision > 0) return this.changed()
    this.#inView.given = this.#settings
    this.settings.value++
  }

  /** Whether the conversation in view has nothing that the user has written or chosen for it. */
  get isBlank(): boolean {
    return this.#isBlank(this.#inView)
  }

  /** Whether it also has no settings but those by default. */
  get isAtRest(): boolean {
    return this.isBlank && this.#settings === this.#atRest
  }

  #change(): void {
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

  /**
   * Begins a conversation with the current settings, unless the one in view has no turn yet. Returns the id of the previous one, if
   * there is one.
   */
  begin(): string | undefined {
    return this.#conversation.turns.length > 0 ? this.#begin() : undefined
  }

  #begin(): string | undefined {
    const id = this.#putAway()
    this.#enter({ ...fresh(), given: this.#settings }, () => this.#conversation.clear())
    return id
  }

  /**
   * Shows a conversation from a file or, with `arrive`, from a link: `arrive` is called once the previous one is put away. Returns
   * the id of the previous one; undefined if that is blank.
   */
  show(conversation: Conversation, arrive?: () => void): string | undefined {
    const id = this.#putAway()
    const open = fresh(arrive !== undefined)
    arrive?.()
    this.#enter(open, () => this.#conversation.become(conversation))
    if (!arrive) this.#own(open)
    this.#change()
    return id
  }

  /**
   * Brings a conversation back, by default the last changed one. Resolves to its surroundings; undefined if there is none, it
   * cannot be read, or another one was requested meanwhile.
   */
  async bring(id?: string): Promise<Around | undefined> {
    const move = ++this.#moves
    if (id === this.#inView.id) return this.#inView
    await this.flush()
    await shelf.writeLeft()
    const wanted = id ?? (await shelf.list().catch(() => [])).find(({ state }) => state === 'whole')?.id
    if (wanted === undefined) return undefined
    if (wanted === this.#inView.id) return this.#inView
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
    await shelf.writeLeft()
    let trouble = ''
    const kept = await shelf.list().catch((error: unknown) => {
      trouble = troubleOf(error)
      return []
    })
    const ids = new Set(kept.map(({ id }) => id))
    const others = [...this.#open.values()].filter(
      open => !ids.has(open.id) && !open.isOfLink && !open.isDeleted && !this.#isBlank(open),
    )
    const entries = others.map((open): Entry => {
      const draft = this.#draftOf(open)
      return { id: open.id, changed: draft.changed, title: titleOf({ title: '', ...draft }), state: 'unkept' }
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
    if (isInView) this.#begin()
    this.#open.delete(id)
    this.#tell()
    return async () => {
      if (records) await shelf.putBack(records)
      if (mine) {
        mine.isDeleted = false
        this.#open.set(id, mine)
      }
      if (isInView && this.isBlank) await this.bring(id)
      this.#tell()
    }
  }

  /** Deletes everything that is saved, and everything of this visit. */
  async clear(): Promise<void> {
    await this.flush()
    forgetAll()
    await shelf.clear()
    for (const open of this.#open.values()) open.isDeleted = true
    this.#begin()
    for (const open of this.#open.values()) if (open !== this.#inView) this.#open.delete(open.id)
    this.clears.value++
    this.#tell()
  }

  /** Called when the user has switched saving on or off. */
  switched(): void {
    if (isOn()) this.#own(this.#inView)
    this.switches.value++
    this.#change()
  }

  /** Whether the conversation in view is an unchanged one from a link. */
  get isOfLink(): boolean {
    return this.#inView.isOfLink
  }

  /** The conversations of this visit that are not saved. */
  get unkept(): readonly { readonly draft: Draft; readonly conversation: Conversation }[] {
    return [...this.#open.values()]
      .filter(open => open.revision === 0 && !open.isOfLink && !open.isDeleted && !this.#isBlank(open))
      .map(open => ({ draft: this.#draftOf(open), conversation: open.away ?? this.#conversation }))
  }

  #isBlank(open: Open): boolean {
    if ((open.away ?? this.#conversation).turns.length > 0) return false
    const settings = settingsOf(this.#draftOf(open))
    return settings === open.given || settings === this.#atRest
  }

  /** The settings of the conversation in view, as text. */
  get #settings(): string {
    return settingsOf({ system: this.#conversation.system, circumstances: this.#around().circumstances })
  }

  /** Puts the conversation in view among the open ones. Returns its id, unless it is blank. */
  #putAway(): string | undefined {
    const open = this.#inView
    const isBlank = this.#isBlank(open)
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
    for (const turn of this.#conversation.turns) {
      this.#met.set(turn, turn.isDropped)
      if (open.revision > 0) this.#written.add(turn)
    }
    this.current.value = open.id
    this.settings.value++
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
    if (!this.#isToKeep(open)) return
    if (this.#isBlank(open)) return this.#withdraw(open)
    const turns = [...open.due]
    const isLater = turns.length > 0
    const draft = this.#draftOf(open, isLater)
    const text = JSON.stringify(draft)
    open.due.clear()
    open.isHeadDue = false
    if (!isLater && text === open.kept) return
    open.writing = turns
    try {
      const records = turns.map(turn => recordOf(open.id, turn))
      const outcome = await shelf.write({ draft, revision: open.revision, by: this.#page, records })
      if (typeof outcome === 'number') {
        const isNew = open.revision === 0
        Object.assign(open, { revision: outcome, kept: text, changed: draft.changed })
        for (const turn of turns) this.#written.add(turn)
        if (open === this.#inView) this.trouble.value = ''
        if (isLater || isNew) this.#tell()
        return
      }
      for (const turn of turns) open.due.add(turn)
      if (outcome === 'deleted') this.#findDeleted(open)
      // Another tab has continued or deleted it, so this tab continues with a copy: not for a changed setting alone, and a deleted
      // one only for a new message.
      const goesOn = outcome === 'changed' ? isLater : turns.some(turn => turn.role === 'user' && !this.#written.has(turn))
      if (goesOn) {
        this.#own(open)
        this.#isAgain = true
      }
    } catch (error) {
      for (const turn of turns) open.due.add(turn)
      open.isHeadDue = true
      if (open === this.#inView) this.#report(error)
    } finally {
      open.writing = undefined
    }
  }

  #isToKeep({ isOfLink, isDeleted }: Open): boolean {
    return isOn() && !isOfLink && !isDeleted
  }

  /** A conversation that has become blank is not saved any more. */
  async #withdraw(open: Open): Promise<void> {
    open.isHeadDue = false
    if (open.revision === 0) return
    open.revision = 0
    open.kept = undefined
    await shelf.remove(open.id).catch(() => {})
    this.#tell()
  }

  /** Leaves what is not written yet to the next page. */
  #leave(): void {
    for (const open of this.#open.values()) {
      const turns = [...new Set([...(open.writing ?? []), ...open.due])]
      if (!open.writing && !open.isHeadDue && turns.length === 0) continue
      if (!this.#isToKeep(open) || this.#isBlank(open)) continue
      const draft = this.#draftOf(open, turns.length > 0)
      const records = turns.map(turn => recordOf(open.id, turn))
      leave(shelf.leftName(open.id), { draft, revision: open.revision, by: this.#page, records } satisfies shelf.Changes)
    }
  }

  /** Another tab may have deleted the conversation in view, or may have put it back. */
  async #lookForDeletion(): Promise<void> {
    const open = this.#inView
    if (open.revision === 0 || !isOn()) return
    const isThere = await shelf.has(open.id).catch(() => !open.isDeleted)
    if (open !== this.#inView || isThere !== open.isDeleted) return
    if (!isThere) return this.#findDeleted(open)
    open.isDeleted = false
    this.trouble.value = ''
  }

  #findDeleted(open: Open): void {
    open.isDeleted = true
    if (open === this.#inView) this.trouble.value = deletedElsewhere
  }

  /** The contents of a conversation besides its turns; `isLater` if a turn has changed. */
  #draftOf(open: Open, isLater = false): Draft {
    if (open.away) return open.draft!
    const { turns, last, system } = this.#conversation
    const { model = open.model, circumstances } = this.#around()
    if (isLater) open.model = model
    return {
      id: open.id,
      begins: beginOfTurn(turns[0]),
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
