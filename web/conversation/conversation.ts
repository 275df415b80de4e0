// A conversation as a tree: edited messages and regenerated answers are added beside the old ones. One path through it is in view.
import type { ChatMessage, Model } from 'heed'
import { type AsPart, contentOf, joined } from '../images/messages.js'
import type { Medium } from '../media/medium.js'
import { Observable } from '../support/observable.js'
import {
  type AnswerTurn,
  endedMessages,
  type Look,
  messagesOf,
  piecesOf,
  textOfContent,
  type Turn,
  type UserTurn,
} from './turns.js'

/** The data of a restored turn besides its messages. Without `look`, an answer is shown according to its messages. */
interface Restored {
  readonly pictures?: readonly Medium[]
  readonly look?: Look
  readonly writers?: readonly string[]
  readonly id?: number
}

export class Conversation {
  /** The turns in view, from first to last. */
  readonly path = new Observable<readonly Turn[]>([])
  /** The system message. */
  system = ''
  #first: Turn[] = []
  #chosen?: Turn
  #count = 0

  /** All turns, each after its `before`, and a branch after the previous branch. */
  get turns(): readonly Turn[] {
    const turns: Turn[] = []
    const left = this.#first.toReversed()
    for (let turn = left.pop(); turn; turn = left.pop()) {
      turns.push(turn)
      for (const next of turn.after.toReversed()) left.push(next)
    }
    return turns
  }

  get last(): Turn | undefined {
    return this.path.value.at(-1)
  }

  /** The names of the models that wrote the answers in view, one after the other, as far as they are known. */
  get writers(): readonly string[] {
    return this.path.value.flatMap(turn => (turn.role === 'assistant' ? turn.writers : []))
  }

  /** The first turn in view that is sent to the model, if turns before it are left out. */
  get cut(): Turn | undefined {
    const at = this.path.value.findIndex(turn => !turn.isDropped)
    return at > 0 ? this.path.value[at] : undefined
  }

  /** Adds a message after a turn, or at the beginning, and brings it into view. */
  say(text: string, before?: Turn, pictures: readonly Medium[] = []): UserTurn {
    const turn = this.#add<UserTurn>({ ...this.#place(before), role: 'user', text, pictures })
    this.choose(turn)
    return turn
  }

  /** Adds an empty answer, which a model of this name generates, and brings it into view. */
  answer(before: Turn | undefined, model?: Model, writer?: string): AnswerTurn {
    const turn = this.#add<AnswerTurn>({
      ...this.#place(before),
      role: 'assistant',
      pieces: [],
      messages: [],
      steps: [],
      model,
      writers: writer === undefined ? [] : [writer],
      changes: new Observable(0),
    })
    this.choose(turn)
    return turn
  }

  /**
   * Adds a turn that consists of these messages: one of the user, with its images, or an answer. It comes into view once `choose`
   * or `become` shows it.
   */
  restore(messages: readonly ChatMessage[], before?: Turn, { pictures = [], look, writers = [], id }: Restored = {}): Turn {
    const [first] = messages
    if (first?.role === 'user') return this.#add({ ...this.#place(before, id), role: 'user', text: textOfContent(first), pictures })
    const { pieces, ending }: Look = look ?? { pieces: piecesOf(messages), ending: { reason: 'stop' } }
    return this.#add({
      ...this.#place(before, id),
      role: 'assistant',
      pieces,
      messages: endedMessages(messages, ending),
      steps: [],
      writers,
      ending,
      changes: new Observable(0),
    })
  }

  /** Takes over the contents of another conversation, which must not be used any more. */
  become(other: Conversation): void {
    this.system = other.system
    this.#first = other.#first
    this.#chosen = other.#chosen
    this.#count = other.#count
    this.refresh()
  }

  /** A turn and its alternatives, in the order in which they were added. */
  siblings(turn: Turn): readonly Turn[] {
    return turn.before ? turn.before.after : this.#first
  }

  /** Brings a turn into view, followed by the turns after it that were last in view. */
  choose(turn: Turn): void {
    for (let at: Turn | undefined = turn; at; at = at.before) {
      if (at.before) at.before.chosen = at
      else this.#chosen = at
    }
    this.refresh()
  }

  /** Rebuilds the path and notifies its watchers. */
  refresh(): void {
    const path: Turn[] = []
    for (let at = this.#chosen; at; at = at.chosen) path.push(at)
    this.path.value = path
  }

  clear(): void {
    this.#first = []
    this.#chosen = undefined
    this.refresh()
  }

  /** The messages for the model, up to and including a turn. Without `asPart`, images are left out. */
  messagesTo(last: Turn | undefined, asPart?: AsPart): ChatMessage[] {
    const turns: Turn[] = []
    for (let at = last; at; at = at.before) if (!at.isDropped) turns.push(at)
    const said: ChatMessage[] = []
    for (const turn of turns.reverse()) {
      const last = said.at(-1)
      // After a failed answer, two user messages are adjacent. Few templates accept that, so they are merged.
      if (turn.role === 'assistant') {
        said.push(...messagesOf(turn))
        continue
      }
      const content = contentOf(turn.text, turn.pictures, asPart)
      if (last?.role === 'user') said.splice(-1, 1, { ...last, content: joined(last.content!, content) })
      else said.push({ role: 'user', content })
    }
    return this.system.trim() === '' ? said : [{ role: 'system', content: this.system }, ...said]
  }

  /** The images up to a turn, except those of dropped turns. */
  picturesTo(last: Turn | undefined): readonly Medium[] {
    const pictures: Medium[] = []
    for (let at = last; at; at = at.before) if (at.role === 'user' && !at.isDropped) pictures.unshift(...at.pictures)
    return pictures
  }

  #place(before: Turn | undefined, id = this.#count + 1) {
    this.#count = Math.max(this.#count, id)
    return { id, before, after: [], isDropped: false }
  }

  /** The last of several alternatives is the one in view. */
  #add<Added extends Turn>(turn: Added): Added {
    if (turn.before) {
      turn.before.after.push(turn)
      turn.before.chosen = turn
    } else {
      this.#first.push(turn)
      this.#chosen = turn
    }
    return turn
  }
}
