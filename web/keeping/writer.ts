// Writes the conversations of a visit into this browser as they change, beside other tabs, which may write the same ones.
import type { Turn } from '../conversation/turns.js'
import { askWhile } from './leaving.js'
import { forget, leave } from './leftovers.js'
import { newId, type Open, recordOf } from './open.js'
import { type Head, titleOfCopy } from './record.js'
import * as shelf from './shelf.js'
import { isOn } from './switch.js'
import { troubleOf } from './trouble.js'
import type { Visit } from './visit.js'

/** The interval at which a growing answer is saved: the most that a crash may lose. */
const growthMs = 300

export class Writer {
  readonly #visit: Visit
  readonly #tell: () => void
  /** Identifies what this page has written, even if another page continues it. */
  readonly #page = newId()
  /** The known turns, and whether each was left out of prompts when last checked. */
  readonly #met = new WeakMap<Turn, boolean>()
  /** The turns that were written at least once. */
  readonly #written = new WeakSet<Turn>()
  #timer?: { readonly due: number; readonly id: ReturnType<typeof setTimeout> }
  #writing?: Promise<void>
  #isAgain = false
  /** The conversations that could not be written when last tried. */
  readonly #failed = new WeakSet<Open>()
  readonly #isLosing = () => this.#visit.all.some(one => this.#failed.has(one) && this.#isToKeep(one) && !this.#visit.isBlank(one))

  /** `tell` is called when the list of saved conversations has changed. */
  constructor(visit: Visit, tell: () => void) {
    this.#visit = visit
    this.#tell = tell
    addEventListener('visibilitychange', () => void this.flush())
    addEventListener('pagehide', () => {
      this.#leave()
      void this.flush()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) for (const { id } of visit.all) forget(shelf.leftName(id))
    })
  }

  /** The conversation in view has changed. */
  change(): void {
    this.#visit.inView.isHeadDue = true
    this.#request(0)
  }

  /** Registers the turns of a conversation that has come into view. */
  know(open: Open): void {
    for (const turn of this.#visit.conversationOf(open).turns) {
      this.#met.set(turn, turn.isDropped)
      if (open.revision > 0) this.#written.add(turn)
    }
  }

  /** Registers a turn that is new, or is no longer sent to the model, and follows an answer as it grows. */
  meet(open: Open, turn: Turn): void {
    const known = this.#met.get(turn)
    if (known === turn.isDropped) return
    this.#met.set(turn, turn.isDropped)
    if (known === undefined && (open.isOfLink || (open.isDeleted && turn.role === 'user'))) this.#visit.own(open)
    open.due.add(turn)
    if (known !== undefined || turn.role === 'user' || turn.ending) return
    turn.changes.watch(() => {
      open.due.add(turn)
      this.#request(turn.ending ? 0 : growthMs)
    })
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

  #request(ms: number): void {
    const due = performance.now() + ms
    if (this.#timer && this.#timer.due <= due) return
    clearTimeout(this.#timer?.id)
    this.#timer = { due, id: setTimeout(() => void this.flush(), ms) }
  }

  async #write(): Promise<void> {
    do {
      this.#isAgain = false
      for (const open of this.#visit.all) if (open.due.size > 0 || open.isHeadDue) await this.#writeOne(open)
    } while (this.#isAgain)
  }

  async #writeOne(open: Open): Promise<void> {
    if (!this.#isToKeep(open)) return
    if (this.#visit.isBlank(open)) return this.#withdraw(open)
    const turns = [...open.due]
    const isLater = turns.length > 0
    const changes = this.#changesOf(open, turns)
    const { draft } = changes
    const text = JSON.stringify(draft)
    open.due.clear()
    open.isHeadDue = false
    if (!isLater && text === open.kept) return
    open.writing = turns
    try {
      const outcome = await shelf.write(changes)
      if (typeof outcome !== 'number') return this.#fallBehind(open, turns, outcome === 'deleted' ? undefined : outcome)
      const isNew = open.revision === 0
      Object.assign(open, { revision: outcome, kept: text, changed: draft.changed })
      for (const turn of turns) this.#written.add(turn)
      this.#failed.delete(open)
      this.#visit.report(open, '')
      if (isLater || isNew) this.#tell()
    } catch (error) {
      for (const turn of turns) open.due.add(turn)
      open.isHeadDue = true
      this.#hold(open)
      this.#visit.report(open, troubleOf(error))
    } finally {
      open.writing = undefined
    }
  }

  #changesOf(open: Open, turns: readonly Turn[]): shelf.Changes {
    const records = turns.map(turn => recordOf(open.id, turn))
    return {
      draft: this.#visit.draftOf(open, turns.length > 0),
      revision: open.revision,
      by: this.#page,
      records,
      title: open.copyName,
    }
  }

  /**
   * Another tab has continued or deleted a conversation, so this tab continues with a copy once a turn has changed or, if it was
   * deleted, once there is a new message. `there`: what the other tab has written.
   */
  #fallBehind(open: Open, turns: readonly Turn[], there: Head | undefined): void {
    for (const turn of turns) open.due.add(turn)
    if (!there) this.#visit.findDeleted(open)
    const goesOn = there ? turns.length > 0 : turns.some(turn => turn.role === 'user' && !this.#written.has(turn))
    if (!goesOn) return
    this.#visit.own(open, there && titleOfCopy(there))
    this.#isAgain = true
  }

  /** A conversation could not be written, so that leaving the page would lose it. */
  #hold(open: Open): void {
    this.#failed.add(open)
    askWhile(this.#isLosing)
  }

  #isToKeep({ isOfLink, isDeleted }: Open): boolean {
    return isOn() && !isOfLink && !isDeleted
  }

  /** A conversation that has become blank is not saved any more, unless another tab has gone on with it. */
  async #withdraw(open: Open): Promise<void> {
    const { id, revision } = open
    open.isHeadDue = false
    if (revision === 0) return
    open.revision = 0
    open.kept = undefined
    const isGone = await shelf.withdraw(id, { revision, by: this.#page }).catch(() => true)
    if (isGone) return this.#tell()
    open.revision = revision
    this.#visit.own(open) // what is blank here is a new conversation from now on
  }

  /** Leaves what is not written yet to the next page. */
  #leave(): void {
    for (const open of this.#visit.all) {
      const turns = [...new Set([...(open.writing ?? []), ...open.due])]
      if (!open.writing && !open.isHeadDue && turns.length === 0) continue
      if (!this.#isToKeep(open) || this.#visit.isBlank(open)) continue
      leave(shelf.leftName(open.id), this.#changesOf(open, turns))
    }
  }
}
