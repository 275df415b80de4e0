// Messages of a chat that would become empty turns, or that only templates for other models read, are errors that name them.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import { refuse } from '../readers.js'

/** Throws `invalid-argument`. The role is checked when the message is rendered. */
export function checkMessages(messages: readonly ChatMessage[], continueFinal: boolean): void {
  messages.forEach(checkMessage)
  const last = messages.at(-1)
  if (continueFinal && last && last.role !== 'assistant' && last.role !== 'model') {
    throw refuse(`chat: message ${messages.length - 1}: continueFinal: the last message is of the role ${last.role}, not the model's`)
  }
}

function checkMessage(message: ChatMessage, at: number): void {
  const { role, content, tool_calls: calls, reasoning_content: reasoning } = message
  if (content === undefined) {
    if (role === 'assistant' && (calls ?? reasoning) !== undefined) return
    throw refuse(`chat: message ${at}: no content, only ${Object.keys(message).join(', ')}`)
  }
  const isText = (part?: ContentPart) => part?.type === 'text' ? typeof part.text === 'string' : part?.type === 'thinking'
  if (Array.isArray(content) ? content.every(isText) : content === null || typeof content === 'string') return
  throw refuse(`chat: message ${at}: content: not text or parts of type text: this model reads text only`)
}
