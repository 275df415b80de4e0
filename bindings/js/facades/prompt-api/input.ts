// Checks the prompts that a page passes as the specification requires, and converts them to chat messages.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import { isRegExp } from '../../page/readers.js'
import { exception } from '../browser-ai/exceptions.js'
import { isObject, isSequence, sequence, word } from '../browser-ai/web-idl.js'
import { captured, Captured } from './media.js'
import type { LanguageModelMessage, LanguageModelMessageContent, LanguageModelPromptOptions } from './types.js'

export const types = ['text', 'image', 'audio', 'tool-call', 'tool-response'] as const

/** The types of input that only some models read. */
export const media = ['image', 'audio'] as const
export type Medium = (typeof media)[number]

function content(value: unknown): LanguageModelMessageContent {
  if (!isObject(value) || value.type === undefined || value.value === undefined) {
    throw new TypeError('content: expected a type and a value')
  }
  return { type: word('type', value.type, types), value: isObject(value.value) ? value.value : `${value.value}` }
}

function message(value: unknown): LanguageModelMessage {
  if (!isObject(value) || value.role === undefined || value.content === undefined) {
    throw new TypeError('message: expected a role and a content')
  }
  return {
    role: word('role', value.role, ['system', 'user', 'assistant']),
    content: isSequence(value.content) ? sequence('content', value.content, content) : `${value.content}`,
    prefix: Boolean(value.prefix),
  }
}

/** The messages, with images and sounds as they are now. */
export const toMessages = (value: unknown): LanguageModelMessage[] => captured(sequence('messages', value, message))

/** A list of messages; anything else becomes the text of a user message. */
export const toPrompt = (input: unknown): LanguageModelMessage[] =>
  isSequence(input) ? toMessages(input) : [{ role: 'user', content: `${input}` }]

/** The constraint of an answer, as an option of a chat. Throws for anything but a schema or a RegExp. */
export function formOf({
  responseConstraint,
  omitResponseConstraintInput,
}: LanguageModelPromptOptions): Pick<ChatOptions, 'jsonSchema' | 'regex'> {
  if (responseConstraint == null) {
    if (omitResponseConstraintInput) throw new TypeError('omitResponseConstraintInput: there is no responseConstraint')
    return {}
  }
  if (!isObject(responseConstraint) && typeof responseConstraint !== 'function')
    throw new TypeError('responseConstraint: expected a JSON schema or a RegExp')
  return isRegExp(responseConstraint) ? { regex: responseConstraint } : { jsonSchema: responseConstraint }
}

function partOf({ type, value }: LanguageModelMessageContent, role: string, expects: readonly Medium[]): ContentPart {
  const medium = role === 'assistant' ? undefined : expects.find(one => one === type)
  if (type !== 'text' && !medium) throw exception('NotSupportedError', `Content of type ${type} is not expected from ${role}`)
  if (medium && !(value instanceof Captured)) throw new TypeError(`content: expected ${medium === 'image' ? 'an image' : 'audio'}`)
  if (!medium && typeof value !== 'string') throw new TypeError('content: expected a string')
  return medium ? { type, [medium]: value } : { type, text: value as string }
}

function contentOf({ role, content }: LanguageModelMessage, expects: readonly Medium[]): string | ContentPart[] {
  if (typeof content === 'string') return content
  const parts = content.map(part => partOf(part, role, expects))
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts
}

/** The circumstances that decide, besides the messages themselves, which messages are valid. */
interface Circumstances {
  /** Whether other messages precede them. */
  readonly goesOn: boolean
  /** The types of input besides text that the session was created for. */
  readonly expects: readonly Medium[]
}

/** Converts messages to one common format. */
export function canonical(
  given: readonly LanguageModelMessage[],
  { goesOn, expects }: Circumstances,
): { messages: ChatMessage[]; prefix: boolean } {
  const list: readonly LanguageModelMessage[] = given.length > 0 ? given : [{ role: 'user', content: '' }]
  const messages = list.map((message, index) => {
    const { role, prefix } = message
    if (prefix && (role !== 'assistant' || index < list.length - 1)) {
      throw exception('SyntaxError', 'prefix: only a last message with the role assistant may have it')
    }
    if (role === 'system' && (goesOn || index > 0)) throw new TypeError('A message with the role system must be the first')
    return { role, content: contentOf(message, expects) }
  })
  return { messages, prefix: Boolean(list.at(-1)!.prefix) }
}
