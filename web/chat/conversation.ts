// A conversation as a tree: edited messages and regenerated answers are added beside the old ones. One path through it is in view.
import type { ChatMessage, Model } from 'heed'
import { Observable } from '../support/observable.js'
import { type AnswerTurn, piecesOf, type Turn, type UserTurn } from './turns.js'

export class Conversation {
  /** The turns in view, from first to last. */
  readonly path = new Observable<readonly Turn[]>([])
  /** The system message. */
  system = ''
  #first: Turn[] = []
  #chosen?: Turn
  #count = 0

  /** All turns, each after its `before`. */
  get turns(): readonly Turn[] {
    const from = (turns: readonly Turn[]): Turn[] => turns.flatMap(turn => [turn, ...from(turn.after)])
    return from(this.#first)
  }

  get last(): Turn | undefined {
    return this.path.value.at(-1)
  }

  /** Adds a message after a turn, or at the beginning, and brings it into view. */
  say(text: string, before?: Turn): UserTurn {
    return this.#add({ ...this.#place(before), role: 'user', text })
  }

  /** Adds an answer, empty or consisting of these messages, and brings it into view. */
  answer(before: Turn | undefined, { model, messages }: { model?: Model, messages?: readonly ChatMessage[] } = {}): AnswerTurn {
    return this.#add({
      ...this.#place(before), role: 'assistant', pieces: piecesOf(messages ?? []), messages: messages ?? [], steps: [], model,
      ending: messages && { reason: 'stop' }, changes: new Observable(0),
    })
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

  /** The messages sent to the model, up to and including a turn. */
  messagesTo(last: Turn | undefined): ChatMessage[] {
    const turns: Turn[] = []
    for (let at = last; at; at = at.before) if (!at.isDropped) turns.unshift(at)
    const said: ChatMessage[] = []
    for (const turn of turns) {
      const last = said.at(-1)
      // After a failed answer, two user messages are adjacent. Few templates accept that, so they are merged.
      if (turn.role === 'assistant') said.push(...turn.messages)
      else if (last?.role === 'user') said.splice(-1, 1, { ...last, content: `${last.content as string}\n\n${turn.text}` })
      else said.push({ role: 'user', content: turn.text })
    }
    return this.system.trim() === '' ? said : [{ role: 'system', content: this.system }, ...said]
  }

  #place(before: Turn | undefined) {
    return { id: ++this.#count, before, after: [], isDropped: false }
  }

  #add<Added extends Turn>(turn: Added): Added {
    const siblings = this.siblings(turn) as Turn[]
    siblings.push(turn)
    this.choose(turn)
    return turn
  }
}
