// Conversations as JSON: with all their branches, and also as a list of messages that other programs can read.
import type { ChatMessage } from 'heed'
import { asUrl, contentOf, picturesOf } from '../images/messages.js'
import type { Kind } from '../media/medium.js'
import { Conversation } from './conversation.js'
import { type Look, messagesOf, type Piece, textOfContent, type Turn } from './turns.js'

export interface StoredTurn {
  id: number
  /** The id of the turn that it follows; null at the beginning. */
  after: number | null
  /** One message for a user turn; for an answer, all messages that make it up. */
  messages: readonly ChatMessage[]
  isDropped?: true
  /** The names of the models that wrote an answer, if they are known. */
  writers?: readonly string[]
  /** The appearance of an answer, which its messages do not determine completely. Files do not contain it. */
  look?: Look
}

interface Stored {
  format: 'heed-conversation'
  version: 1
  model?: string
  system: string
  /** The path in view, as messages. */
  messages: readonly ChatMessage[]
  turns: readonly StoredTurn[]
  /** The ids of the turns in view. */
  path: readonly number[]
  /** The settings of its answers, as keeping/record.ts describes them. */
  circumstances?: object
}

export const storedTurn = (turn: Turn): StoredTurn => ({
  id: turn.id,
  after: turn.before?.id ?? null,
  messages: turn.role === 'user' ? [{ role: 'user', content: contentOf(turn.text, turn.pictures, asUrl) }] : messagesOf(turn),
  ...(turn.isDropped && { isDropped: true }),
  ...(turn.role === 'assistant' && turn.writers.length > 0 && { writers: turn.writers }),
})

export function exported(conversation: Conversation, circumstances?: object, model?: string): string {
  const stored: Stored = {
    format: 'heed-conversation',
    version: 1,
    model,
    system: conversation.system,
    messages: conversation.messagesTo(conversation.last, asUrl),
    turns: conversation.turns.map(storedTurn),
    path: conversation.path.value.map(({ id }) => id),
    circumstances,
  }
  return JSON.stringify(stored, null, 2)
}

export interface Imported {
  readonly conversation: Conversation
  /** The kinds of the images and sounds that are left out, because they are elsewhere or damaged. */
  readonly lost: readonly Kind[]
}

/** A conversation as described by a file. */
export type Told = Pick<Stored, 'system' | 'turns' | 'path'>

/** Reads a conversation as a new one. Rejects with an Error that describes the problem. */
export const imported = (text: string): Promise<Imported> => planted(read(text))

/** A conversation of these turns, each of which follows the turn in `after`. With `keepsIds`, they keep their ids. */
export async function planted({ system, turns, path }: Told, keepsIds = false): Promise<Imported> {
  const conversation = new Conversation()
  conversation.system = system
  const made = new Map<number, Turn>()
  const lost: Kind[] = []
  for (const { id, after, messages, isDropped, look, writers } of turns) {
    const read = messages[0]?.role === 'user' ? await picturesOf(messages[0]) : undefined
    lost.push(...(read?.lost ?? []))
    const before = after === null ? undefined : made.get(after)
    const turn = conversation.restore(messages, before, {
      pictures: read?.pictures,
      look: isLook(look) ? look : undefined,
      writers: areNames(writers) ? writers : undefined,
      id: keepsIds ? id : undefined,
    })
    turn.isDropped = isDropped ?? false
    made.set(id, turn)
  }
  const last = made.get(path.at(-1) ?? NaN)
  if (last) conversation.choose(last)
  return { conversation, lost }
}

/** The roles of messages that templates know. */
const roles: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool']

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A message without the fields that other programs set to null because they are empty. */
const withoutNulls = (message: unknown): unknown =>
  isRecord(message)
    ? Object.fromEntries(Object.entries(message).filter(([name, value]) => value !== null || name === 'content'))
    : message

function isMessage(value: unknown): value is ChatMessage {
  if (!isRecord(value) || !roles.includes(value.role)) return false
  const { content, tool_calls: calls, reasoning_content: reasoning } = value
  const hasContent =
    content === undefined ||
    content === null ||
    typeof content === 'string' ||
    (Array.isArray(content) && content.every(part => isRecord(part) && (part.text === undefined || typeof part.text === 'string')))
  const hasCalls =
    calls === undefined ||
    (Array.isArray(calls) &&
      calls.every(call => isRecord(call) && isRecord(call.function) && typeof call.function.name === 'string'))
  return hasContent && hasCalls && (reasoning === undefined || typeof reasoning === 'string')
}

export function isTurn(value: unknown): value is StoredTurn {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.id) &&
    (value.after === null || Number.isSafeInteger(value.after)) &&
    Array.isArray(value.messages) &&
    value.messages.every(isMessage)
  )
}

function isPiece(value: unknown): value is Piece {
  if (!isRecord(value)) return false
  const { kind, text, id, name, given, result } = value
  if (kind === 'call')
    return [id, name, given].every(one => typeof one === 'string') && (result === undefined || typeof result === 'string')
  return typeof text === 'string' && (kind === 'text' || (kind === 'reasoning' && [value.tokens, value.ms].every(Number.isFinite)))
}

const isLook = (value: unknown): value is Look =>
  isRecord(value) &&
  Array.isArray(value.pieces) &&
  value.pieces.every(isPiece) &&
  isRecord(value.ending) &&
  typeof value.ending.reason === 'string' &&
  ['string', 'undefined'].includes(typeof value.ending.error) &&
  [value.ending.seed, value.ending.tokens, value.ending.tokensPerSecond].every(one => one === undefined || Number.isFinite(one))

const areNames = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(one => typeof one === 'string')

/** Parses JSON. Throws an Error if that fails. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}

/** Whether `value` comes from a file with all conversations (keeping/files.ts). */
export const isOfAll = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && value.format === 'heed-conversations'

/** Reads a conversation in this page's own format. Throws an Error that describes the problem. */
export function readStored({ version, system = '', turns, path = [] }: Record<string, unknown>): Told {
  if (version !== 1) throw new Error(`this page does not support version ${String(version)}`)
  const ids = new Set<number | null>([null])
  const isWhole =
    typeof system === 'string' &&
    Array.isArray(path) &&
    Array.isArray(turns) &&
    turns.every(turn => {
      if (!isTurn(turn) || ids.has(turn.id) || !ids.has(turn.after)) return false
      return ids.add(turn.id)
    })
  if (!isWhole) throw new Error('its turns are malformed')
  return { system: system as string, turns: turns as StoredTurn[], path: path as number[] }
}

/** Reads a file that this page exported, or a list of messages from another program. */
function read(text: string): Told {
  const value = parsed(text)
  if (isRecord(value) && value.format === 'heed-conversation') return readStored(value)
  const given = Array.isArray(value) ? value : isRecord(value) ? value.messages : undefined
  if (!Array.isArray(given)) throw new Error('it has no messages')
  const messages = given.map(withoutNulls)
  const stranger = messages.find(message => isRecord(message) && typeof message.role === 'string' && !roles.includes(message.role))
  if (isRecord(stranger)) throw new Error(`no message can have the role “${String(stranger.role)}”`)
  if (!messages.every(isMessage)) throw new Error('its messages are malformed')
  return fromMessages(messages)
}

/** Each user message becomes a turn, and all messages up to the next one become an answer. */
function fromMessages(messages: readonly ChatMessage[]): Told {
  const isSystem = ({ role }: ChatMessage) => role === 'system' || role === 'developer'
  const turns: (StoredTurn & { messages: ChatMessage[] })[] = []
  for (const message of messages.filter(message => !isSystem(message))) {
    const last = turns.at(-1)
    if (message.role !== 'user' && last && last.messages[0]!.role !== 'user') last.messages.push(message)
    else turns.push({ id: turns.length, after: turns.length === 0 ? null : turns.length - 1, messages: [message] })
  }
  return { system: messages.filter(isSystem).map(textOfContent).join('\n\n'), turns, path: [turns.length - 1] }
}
