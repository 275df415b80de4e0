// The conversations that were opened in this visit, one of which is in view.
import { Conversation } from '../conversation/conversation.js'
import { Observable } from '../support/observable.js'
import { beginOfTurn, fresh, newId, type Open, settingsOf } from './open.js'
import type { Circumstances, Draft, KeptModel } from './record.js'

const deletedElsewhere = 'This conversation was deleted in another tab. It is kept again once you send a message.'

/** The model and the settings of the conversation in view. */
export interface Around {
  readonly model?: KeptModel
  readonly circumstances?: Circumstances
}

export class Visit {
  /** The id of the conversation in view. */
  readonly current: Observable<string>
  /** The reason why the conversation in view is not saved, as a sentence; empty if it is. */
  readonly trouble = new Observable('')
  /** The name of the conversation in view if it has become a copy, because another tab has gone on with it; otherwise empty. */
  readonly copyName = new Observable('')
  readonly #conversation: Conversation
  readonly #around: () => Around
  readonly #open = new Map<string, Open>()
  /** The settings that a conversation has by default, as text. */
  readonly #atRest: string
  #inView = fresh()

  /** `around` is called when something is written; the settings that it returns now are the defaults. */
  constructor(conversation: Conversation, around: () => Around) {
    this.#conversation = conversation
    this.#around = around
    this.#atRest = this.settings
    this.add(this.#inView)
    this.current = new Observable(this.#inView.id)
  }

  get inView(): Open {
    return this.#inView
  }

  /** All conversations of this visit. */
  get all(): readonly Open[] {
    return [...this.#open.values()]
  }

  /** The conversations that the list includes even if they are not saved. */
  get listed(): readonly Open[] {
    return this.all.filter(open => !open.isOfLink && !open.isDeleted && !this.isBlank(open))
  }

  find(id: string): Open | undefined {
    return this.#open.get(id)
  }

  add(open: Open): void {
    this.#open.set(open.id, open)
  }

  remove(id: string): void {
    this.#open.delete(id)
  }

  conversationOf(open: Open): Conversation {
    return open.away ?? this.#conversation
  }

  /** The settings of the conversation in view, as text. */
  get settings(): string {
    return settingsOf({ system: this.#conversation.system, circumstances: this.#around().circumstances })
  }

  /** Whether a conversation has nothing that the user has written or chosen for it. */
  isBlank(open: Open): boolean {
    if (this.conversationOf(open).turns.length > 0) return false
    const settings = settingsOf(this.draftOf(open))
    return settings === open.given || settings === this.#atRest
  }

  /** Whether the conversation in view is blank and has the default settings. */
  get isAtRest(): boolean {
    return this.isBlank(this.#inView) && this.settings === this.#atRest
  }

  /** The contents of a conversation besides its turns; `isLater` if a turn has changed. */
  draftOf(open: Open, isLater = false): Draft {
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

  /** Keeps the contents of the conversation in view for when it comes back. Returns its id, unless it is blank. */
  putAway(): string | undefined {
    const open = this.#inView
    const isBlank = this.isBlank(open)
    open.draft = this.draftOf(open)
    Object.assign(open, { circumstances: open.draft.circumstances })
    open.away = new Conversation()
    open.away.become(this.#conversation)
    return isBlank ? undefined : open.id
  }

  /** Brings a conversation into view; `change` gives the view its contents. */
  enter(open: Open, change: () => void): void {
    this.trouble.value = ''
    open.away = undefined
    this.#inView = open
    this.add(open)
    change()
    this.current.value = open.id
    this.copyName.value = open.copyName ?? ''
  }

  /**
   * Makes a conversation this tab's own: all its turns are due to be written, under a new id if it was saved or deleted, or is a
   * copy. `copyName`: the copy's name.
   */
  own(open: Open, copyName?: string): void {
    this.remove(open.id)
    const isKept = open.revision > 0
    Object.assign(open, {
      copyName,
      id: isKept || open.isDeleted || copyName !== undefined ? newId() : open.id,
      revision: 0,
      isOfLink: false,
      isDeleted: false,
    })
    this.add(open)
    for (const turn of this.conversationOf(open).turns) open.due.add(turn)
    if (open !== this.#inView) return
    this.current.value = open.id
    this.copyName.value = copyName ?? ''
  }

  /** Another tab has deleted a conversation. */
  findDeleted(open: Open): void {
    open.isDeleted = true
    this.report(open, deletedElsewhere)
  }

  /** Tells whether a conversation could be saved: the reason if not, otherwise an empty text. */
  report(open: Open, trouble: string): void {
    if (open === this.#inView) this.trouble.value = trouble
  }
}
