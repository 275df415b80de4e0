// The messages of a chat, checked and copied at the call. What would become an empty turn, or what only templates for other models
// read, is an error that names its place.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import { reading } from '../called-from.js'
import { copyOfData, expect, isObject, isString, itemsOf, matched, Mismatch, type Reader, refuse } from '../readers.js'

const string = expect<string>('a string', isString)
const object: Reader<Record<string, unknown>> = (value, what) => {
  if (isObject(value)) return copyOfData(value, what) as Record<string, unknown>
  throw new Mismatch('an object')
}

/** Throws `invalid-argument`. */
export function readMessages(value: unknown, continueFinal: boolean): ChatMessage[] {
  const messages = reading(() => matched('chat: messages', value, () => {
    const items = itemsOf(value)
    if (items) return items.map((message, at) => readMessage(message, `chat: messages[${at}]`))
    throw new Mismatch('an array of messages')
  }))
  const last = messages.at(-1)
  if (continueFinal && last && last.role !== 'assistant' && last.role !== 'model') {
    throw refuse(`chat: messages[${messages.length - 1}].role: continueFinal: expected a message of the model, got "${last.role}"`)
  }
  return messages
}

function readMessage(value: unknown, what: string): ChatMessage {
  const message = matched(what, value, object) as unknown as ChatMessage
  const { role, content, tool_calls: calls, reasoning_content: reasoning } = message
  matched(`${what}.role`, role, string)
  if (content === undefined && (role !== 'assistant' || (calls ?? reasoning) === undefined)) {
    throw refuse(`${what}.content: missing, there is only ${Object.keys(message).join(', ')}`)
  }
  if (Array.isArray(content)) for (const [at, part] of content.entries()) checkPart(part, `${what}.content[${at}]`)
  else if (content !== undefined && content !== null) matched(`${what}.content`, content, expect('a string or an array of parts', isString))
  if (reasoning !== undefined && reasoning !== null) matched(`${what}.reasoning_content`, reasoning, string)
  if (calls !== undefined && calls !== null) checkCalls(calls, `${what}.tool_calls`)
  return message
}

function checkPart(part: ContentPart, what: string): void {
  matched(what, part, expect('an object', isObject))
  if (part.type === 'thinking') return
  matched(`${what}.type`, part.type, expect("'text', because this model reads text only", value => value === 'text'))
  matched(`${what}.text`, part.text, string)
}

function checkCalls(calls: unknown, what: string): void {
  for (const [at, call] of matched(what, calls, expect<object[]>('an array', Array.isArray)).entries()) {
    const described = matched(`${what}[${at}].function`, (call as { function?: unknown } | null)?.function, expect<{ name: unknown }>('an object', isObject))
    matched(`${what}[${at}].function.name`, described.name, string)
  }
}
