// Announces an answer to screen readers: its sentences as they arrive, its tool calls, and how it ended.
import { byId } from '../support/dom.js'
import { plural } from '../support/format.js'
import { Announcer } from '../writing/announcer.js'
import type { AnswerTurn } from '../conversation/turns.js'

export class AnswerAnnouncer {
  readonly #announcer = new Announcer(byId('chat-announcer', HTMLDivElement))
  #turn?: AnswerTurn

  /** From now on, announces only this answer. */
  follow(turn: AnswerTurn): void {
    this.#turn = turn
    this.#announcer.start()
    /** For each piece, the number of characters that have been announced. */
    const told: number[] = []
    turn.changes.watch(() => {
      if (turn !== this.#turn) return
      turn.pieces.forEach((piece, at) => {
        if (piece.kind === 'text') this.#announcer.add(piece.text.slice(told[at] ?? 0))
        else if (told[at] === undefined) this.#announcer.say(piece.kind === 'call' ? `Calling ${piece.name}.` : 'Reasoning.')
        told[at] = piece.kind === 'text' ? piece.text.length : 1
      })
      if (!turn.ending) return
      this.#announcer.end()
      const { reason, tokens } = turn.ending
      const end = reason === 'stop' ? 'is complete' : 'is incomplete'
      if (reason !== 'error' && reason !== 'too-long') this.#announcer.say(`The answer ${end}: ${plural(tokens ?? 0, 'token')}.`)
      this.#turn = undefined
    })
  }
}
