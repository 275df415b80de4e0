// A conversation that was opened in this visit: where it is written, and what of it is not written yet.
import { storedTurn } from '../conversation/file.js'
import type { Conversation } from '../conversation/conversation.js'
import { textOf, type Turn } from '../conversation/turns.js'
import { isSound } from '../media/medium.js'
import { beginOf, type Circumstances, type Draft, type KeptModel, type TurnRecord } from './record.js'

export interface Open {
  id: string
  /** The name with which the conversation was made, if it is a copy: another tab has gone on with the original. */
  copyName?: string
  model?: KeptModel
  circumstances?: Circumstances
  /** The number of times it was written, which reveals writes by other tabs. */
  revision: number
  /** The settings that the conversation began with, as text: as long as it has these, and no turn, it is blank. */
  given?: string
  /** The turns to write, those that are being written, if any, and whether anything else is to be written. */
  readonly due: Set<Turn>
  writing?: readonly Turn[]
  isHeadDue: boolean
  /** The contents besides turns that were last written, as text. */
  kept?: string
  /** Its turns, and its other contents, while another one is in view. */
  away?: Conversation
  draft?: Draft
  /** Whether it came from a link and has not been continued: it is saved only once it is continued. */
  isOfLink: boolean
  /** Whether the user has deleted it, here or in another tab: it is saved again once a message is added. */
  isDeleted: boolean
  changed: number
}

/** Does not use `crypto`: its random numbers are the seeds of answers, and tests fix their order. */
export const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

export const fresh = (isOfLink = false): Open => ({
  id: newId(),
  revision: 0,
  due: new Set(),
  isHeadDue: false,
  isOfLink,
  isDeleted: false,
  changed: Date.now(),
})

/** The beginning of a message, as a title. */
export function beginOfTurn(turn: Turn | undefined): string {
  const begin = beginOf(turn ? textOf(turn) : '')
  return begin === '' && turn?.role === 'user' && turn.pictures.length > 0
    ? turn.pictures.every(isSound)
      ? 'A sound'
      : 'A picture'
    : begin
}

/** The settings of a conversation as text, to compare them. */
export const settingsOf = ({ system, circumstances }: Pick<Draft, 'system' | 'circumstances'>): string =>
  JSON.stringify([system, circumstances])

/** The current state of a turn: an answer that is still growing counts as stopped here, if nothing more is saved. */
export function recordOf(conversation: string, turn: Turn): TurnRecord {
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
