// Goes on with an answer that was stopped or has reached the longest length.
import type { ChatMessage, Model } from 'heed'
import { type AnswerTurn, textOfContent } from './turns.js'

/** The part of an answer that exists. */
export interface Begun {
  readonly message: ChatMessage
  readonly tokens: number
}

/** What a continuation begins with; undefined if the answer cannot go on. It is one text, without tool calls. */
export function begunIn({ ending, messages, pieces, filling }: AnswerTurn): Begun | undefined {
  const [message, ...others] = messages
  const isCut = ending?.reason === 'abort' || ending?.reason === 'length'
  const isText = pieces.at(-1)?.kind === 'text' && pieces.every(({ kind }) => kind !== 'call')
  if (!isCut || !isText || filling || !message || others.length > 0 || textOfContent(message).trim() === '') return undefined
  return { message, tokens: ending.tokens ?? 0 }
}

/** Prepares an answer for its continuation by a model of this name, whose tokens it has from then on. */
export function resume(turn: AnswerTurn, model: Model, writer: string, { message }: Begun): void {
  const last = turn.pieces.at(-1)
  if (last?.kind === 'text') last.text = textOfContent(message) // without the white space that the message has lost at its ends
  if (turn.model !== model) turn.steps.length = 0
  turn.model = model
  if (turn.writers.at(-1) !== writer) turn.writers = [...turn.writers, writer]
  turn.ending = turn.pace = undefined
  turn.changes.value++
}

/** The messages of the whole answer. */
export function joined({ message }: Begun, [first, ...rest]: readonly ChatMessage[]): ChatMessage[] {
  return first ? [{ ...message, ...first, content: textOfContent(message) + textOfContent(first) }, ...rest] : [message]
}
