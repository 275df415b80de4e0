// Announces an answer to screen readers: its sentences as they arrive, its tool calls, and how it ended.
import { byId } from '../support/dom.js'
import { plural } from '../support/format.js'
import { Announcer } from '../writing/announcer.js'
import type { AnswerTurn, Turn } from '../conversation/turns.js'
import { type Revealed, revealedOf } from './bubbles/pieces.js'

export class AnswerAnnouncer {
  readonly #announcer = new Announcer(byId('chat-announcer', HTMLDivElement))
  readonly #isPaced: () => boolean
  #turn?: AnswerTurn
  /** The answer that was followed last. */
  #last?: AnswerTurn
  /** For each piece, the number of characters that have been announced. */
  #told: number[] = []

  /** `isPaced` returns whether answers are shown token by token, once they are complete. */
  constructor(isPaced: () => boolean) {
    this.#isPaced = isPaced
  }

  /** From now on, announces only this answer. */
  follow(turn: AnswerTurn): void {
    this.#turn = this.#last = turn
    this.#told = []
    this.#announcer.start()
    turn.changes.watch(() => {
      if (turn === this.#turn && !this.#isPaced()) this.#tell(turn)
    })
  }

  /** Clears the announcements of an answer that is no longer in view. */
  leave(path: readonly Turn[]): void {
    if (!this.#last || path.includes(this.#last)) return
    this.#turn = this.#last = undefined
    this.#announcer.start()
  }

  /**
   * Called when `part` of an answer is shown; undefined: all of it. Announces the end once the answer is complete and wholly shown.
   */
  reveal(turn: AnswerTurn, part: Revealed | undefined): void {
    if (turn === this.#turn && turn.ending) this.#tell(turn, part)
  }

  #tell(turn: AnswerTurn, part?: Revealed): void {
    turn.pieces.forEach((piece, at) => {
      const text = piece.kind === 'text' ? revealedOf(piece.text, part) : ''
      if (piece.kind === 'text') this.#announcer.add(text.slice(this.#told[at] ?? 0))
      else if (this.#told[at] === undefined) this.#announcer.say(piece.kind === 'call' ? `Calling ${piece.name}.` : 'Reasoning.')
      this.#told[at] = piece.kind === 'text' ? Math.max(text.length, this.#told[at] ?? 0) : 1 // a text may be shown anew
    })
    if (!turn.ending || part) return
    this.#announcer.end()
    const { reason, tokens } = turn.ending
    const end = reason === 'stop' ? 'is complete' : 'is incomplete'
    if (reason !== 'error' && reason !== 'too-long') this.#announcer.say(`The answer ${end}: ${plural(tokens ?? 0, 'token')}.`)
    this.#turn = undefined
  }
}
