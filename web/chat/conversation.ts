// A conversation as a tree: a message that is edited, and an answer that is written anew, stand beside the old ones. One path
// through it is looked at.
import type { ChatMessage, Model } from 'heed'
import { Observable } from '../support/observable.js'
import { type AnswerTurn, piecesOf, type Turn, type UserTurn } from './turns.js'

export class Conversation {
  /** The turns looked at, from the first to the last. */
  readonly path = new Observable<readonly Turn[]>([])
  /** What stands before all turns. */
  system = ''
  #first: Turn[] = []
  #chosen?: Turn
  #count = 0

  /** All turns, each after the one before it. */
  get turns(): readonly Turn[] {
    const from = (turns: readonly Turn[]): Turn[] => turns.flatMap(turn => [turn, ...from(turn.after)])
    return from(this.#first)
  }

  get last(): Turn | undefined {
    return this.path.value.at(-1)
  }

  /** A message behind a turn, or at the beginning, which is then looked at. */
  say(text: string, before?: Turn): UserTurn {
    return this.#add({ ...this.#place(before), role: 'user', text })
  }

  /** An answer, empty as yet or of these messages, which is then looked at. */
  answer(before: Turn | undefined, { model, messages }: { model?: Model, messages?: readonly ChatMessage[] } = {}): AnswerTurn {
    return this.#add({
      ...this.#place(before), role: 'assistant', pieces: piecesOf(messages ?? []), messages: messages ?? [], steps: [], model,
      ending: messages && { reason: 'stop' }, changes: new Observable(0),
    })
  }

  /** A turn and those in its place, in the order in which they came. */
  siblings(turn: Turn): readonly Turn[] {
    return turn.before ? turn.before.after : this.#first
  }

  /** Looks at a turn, and at what of those behind it was looked at last. */
  choose(turn: Turn): void {
    for (let at: Turn | undefined = turn; at; at = at.before) {
      if (at.before) at.before.chosen = at
      else this.#chosen = at
    }
    this.refresh()
  }

  /** Something of the turns looked at has changed. */
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

  /** What is sent to the model of the turns up to one, and with it. */
  messagesTo(last: Turn | undefined): ChatMessage[] {
    const turns: Turn[] = []
    for (let at = last; at; at = at.before) if (!at.isDropped) turns.unshift(at)
    const said: ChatMessage[] = []
    for (const turn of turns) {
      const last = said.at(-1)
      // Where an answer failed, two messages of the user's stand together: few templates take that.
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
