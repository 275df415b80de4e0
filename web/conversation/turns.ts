// The turns of a conversation: the user's messages and the model's answers, each with the turns that follow it.
import type { ChatFinishReason, ChatMessage, ChatStep, Model } from 'heed'
import type { Medium } from '../media/medium.js'
import type { Observable } from '../support/observable.js'
import type { Filling } from '../unmasking/filling.js'
import type { Pace } from '../writing/writer.js'

/** A part of an answer. Pieces are in order of arrival. */
export type Piece =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'reasoning'; text: string; tokens: number; ms: number; done: boolean }
  | Call

/** A tool call. `given` is its arguments as the model wrote them. */
export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  given: string
  /** The tool's result, or the reason why the call was invalid. */
  result?: string
  isError?: boolean
}

/** How an answer ended. */
export interface Ending {
  readonly reason: ChatFinishReason | 'error' | 'too-long'
  /** The error, as a sentence. */
  readonly error?: string
  /** Whether the conversation exceeded or filled the context. */
  readonly isFull?: boolean
  readonly seed?: number
  readonly tokens?: number
  readonly tokensPerSecond?: number
  readonly firstTokenMs?: number
}

/** The appearance of an answer that has ended. */
export interface Look {
  readonly pieces: Piece[]
  readonly ending: Ending
}

/** A turn's place in the tree. A turn at the beginning has no `before`. */
interface Place {
  readonly id: number
  readonly before?: Turn
  readonly after: Turn[]
  /** The turn in `after` that is in view. */
  chosen?: Turn
  /** Whether it is no longer sent to the model, to make room. */
  isDropped: boolean
}

export interface UserTurn extends Place {
  readonly role: 'user'
  readonly text: string
  /** The images and sounds. */
  readonly pictures: readonly Medium[]
  /** An edit of the message, until it is sent or given up. */
  edited?: Edited
}

/** A message that is being edited. */
export interface Edited {
  readonly text: string
  readonly isOpen: boolean
}

export interface AnswerTurn extends Place {
  readonly role: 'assistant'
  readonly pieces: Piece[]
  /** The messages for prompts: the model's own, and the results of tools. */
  messages: readonly ChatMessage[]
  /** The input and output of the model in each step; empty for an imported answer. */
  readonly steps: ChatStep[]
  model?: Model
  /** The names of the models that wrote it, one after the other; none for an imported answer. */
  writers: readonly string[]
  /** The share of the prompt that has been processed; undefined before processing, and while the model generates. */
  readShare?: number
  /** The speed of generation so far. */
  pace?: Pace
  /** The passes that fill in its masks, if its model writes by unmasking. */
  filling?: Filling
  /** Undefined while it is generated. */
  ending?: Ending
  /** Incremented on each change. */
  readonly changes: Observable<number>
}

export type Turn = UserTurn | AnswerTurn

/** The text of an answer, without its reasoning and calls. */
export const textOf = (turn: Turn): string =>
  turn.role === 'user'
    ? turn.text
    : turn.pieces
        .flatMap(piece => (piece.kind === 'text' ? [piece.text.trim()] : []))
        .filter(text => text !== '')
        .join('\n\n')

/** The messages of an answer; while it is generated, its text so far. */
export function messagesOf({ ending, messages, pieces }: AnswerTurn): readonly ChatMessage[] {
  if (ending) return messages
  const text = pieces.flatMap(piece => (piece.kind === 'text' ? [piece.text] : [])).join('')
  return text === '' ? [] : [{ role: 'assistant', content: text }]
}

/** The messages of an answer that has ended: none if it was stopped before its first word, since an empty turn says nothing. */
export const endedMessages = (messages: readonly ChatMessage[], { reason }: Ending): readonly ChatMessage[] =>
  reason === 'abort' && messages.every(isNothing) ? [] : messages

const isNothing = (message: ChatMessage): boolean =>
  textOfContent(message).trim() === '' && !message.reasoning_content && !message.tool_calls?.length

export const textOfContent = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('')

/** The pieces to show for an answer that consists of these messages. */
export function piecesOf(messages: readonly ChatMessage[]): Piece[] {
  const pieces: Piece[] = []
  for (const message of messages) {
    const { role, reasoning_content: reasoning, tool_calls: calls = [], tool_call_id: id } = message
    const text = textOfContent(message)
    if (role === 'tool') {
      const call = pieces.find((piece): piece is Call => piece.kind === 'call' && piece.id === id)
      if (call) call.result = text
      continue
    }
    if (reasoning) pieces.push({ kind: 'reasoning', text: reasoning, tokens: 0, ms: 0, done: true })
    if (text !== '') pieces.push({ kind: 'text', text })
    for (const {
      id,
      function: { name, arguments: given },
    } of calls) {
      pieces.push({ kind: 'call', id: id ?? '', name, given: typeof given === 'string' ? given : (JSON.stringify(given) ?? '') })
    }
  }
  return pieces
}
