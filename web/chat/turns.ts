// The turns of a conversation: what its reader said, and what the model answered, each with the turns that follow it.
import type { ChatFinishReason, ChatMessage, ChatStep, Model } from 'heed'
import type { Observable } from '../support/observable.js'

/** A part of an answer, in the order in which they came. */
export type Piece =
  | { readonly kind: 'text', text: string }
  | { readonly kind: 'reasoning', text: string, tokens: number, ms: number, done: boolean }
  | Call

/** A call of a tool. What it was called with is as the model wrote it. */
export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  given: string
  /** Why the model's call was none, or what the tool gave. */
  result?: string
  isError?: boolean
}

/** How an answer came out. */
export interface Ending {
  readonly reason: ChatFinishReason | 'error'
  /** What went wrong, as a sentence. */
  readonly error?: string
  /** Whether the conversation did not fit into the context, or filled it. */
  readonly isFull?: boolean
  readonly seed?: number
  readonly tokens?: number
  readonly tokensPerSecond?: number
}

/** Where a turn stands. A turn at the beginning has none before it. */
interface Place {
  readonly id: number
  readonly before?: Turn
  readonly after: Turn[]
  /** Which of those that follow is looked at. */
  chosen?: Turn
  /** Not sent to the model any more, to make room. */
  isDropped: boolean
}

export interface UserTurn extends Place {
  readonly role: 'user'
  readonly text: string
}

export interface AnswerTurn extends Place {
  readonly role: 'assistant'
  readonly pieces: Piece[]
  /** What of it goes into prompts: its own messages, and results of tools. */
  messages: readonly ChatMessage[]
  /** What the model read and wrote, each time; none of an answer from elsewhere. */
  readonly steps: ChatStep[]
  readonly model?: Model
  /** Absent while it is written. */
  ending?: Ending
  /** Counts its changes. */
  readonly changes: Observable<number>
}

export type Turn = UserTurn | AnswerTurn

/** The text of an answer, without its reasoning and calls. */
export const textOf = (turn: Turn): string => turn.role === 'user'
  ? turn.text
  : turn.pieces.flatMap(piece => piece.kind === 'text' ? [piece.text.trim()] : []).filter(text => text !== '').join('\n\n')

/** What an answer is to be shown as, from the messages that it is. */
export function piecesOf(messages: readonly ChatMessage[]): Piece[] {
  const pieces: Piece[] = []
  for (const { role, content, reasoning_content: reasoning, tool_calls: calls = [], tool_call_id: id } of messages) {
    const text = typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('')
    if (role === 'tool') {
      const call = pieces.find((piece): piece is Call => piece.kind === 'call' && piece.id === id)
      if (call) call.result = text
      continue
    }
    if (reasoning) pieces.push({ kind: 'reasoning', text: reasoning, tokens: 0, ms: 0, done: true })
    if (text !== '') pieces.push({ kind: 'text', text })
    for (const { id, function: { name, arguments: given } } of calls) {
      pieces.push({ kind: 'call', id: id ?? '', name, given: typeof given === 'string' ? given : JSON.stringify(given) ?? '' })
    }
  }
  return pieces
}
