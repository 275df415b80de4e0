// Checks and copies the messages of a chat at the call. A value that would become an empty turn, that only templates of other
// models support, or that this model's template cannot see, is an error that names its place.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import { reading } from '../called-from.js'
import { copyOfData, expect, isObject, isString, itemsOf, matched, Mismatch, type Reader } from '../readers.js'

const string = expect<string>('a string', isString)

/** A part with an image or a sound. */
export type MediaPart = Readonly<Record<string, unknown>> & { readonly type: 'image' | 'audio' }

const isMedia = (part: unknown): part is MediaPart => isObject(part) && (part.type === 'image' || part.type === 'audio')

/** Copies a message; its parts with images and sounds are added to `media`, and the copy has their indices in it instead. */
const copyWithout =
  (media: MediaPart[]): Reader<Record<string, unknown>> =>
  (value, what) => {
    if (!isObject(value)) throw new Mismatch('an object')
    const { content } = value
    const parts =
      Array.isArray(content) &&
      Array.from(content, (part: unknown) => (isMedia(part) ? { type: part.type, [part.type]: media.push({ ...part }) - 1 } : part))
    return copyOfData(parts ? { ...value, content: parts } : value, what) as Record<string, unknown>
  }

interface ReadMessages {
  readonly messages: ChatMessage[]
  /** The parts with images and sounds, by the indices in the copied messages. */
  readonly media: readonly MediaPart[]
}

/** The roles and keys that every template may get; a template may name other keys and roles in its text. */
const known = {
  roles: ['system', 'developer', 'user', 'assistant', 'model', 'tool'],
  message: ['role', 'content', 'reasoning_content', 'tool_calls', 'tool_call_id', 'name'],
  part: ['type', 'text', 'image', 'audio', 'thinking'],
  call: ['id', 'type', 'function'],
  function: ['name', 'arguments'],
}

/** The model that the messages are for: the kinds of parts that it accepts besides text, and the text of its template. */
interface For {
  readonly accepts: readonly string[]
  readonly jinja: string
}

/** The letters of a key in lower case, so that `toolCallId` and `tool_call_id` are alike. */
const lettersOf = (key: string) => key.replace(/[^a-z]/gi, '').toLowerCase()

/**
 * Throws for a key that is another spelling of a known one, unless the template reads it. Other unknown keys are the caller's own,
 * such as dates and ids of stored messages.
 */
function checkKeys(value: object, what: string, keys: readonly string[], { jinja }: For): void {
  for (const [key, item] of Object.entries(value)) {
    if (keys.includes(key) || item === undefined || item === null) continue
    const meant = keys.find(known => lettersOf(known) === lettersOf(key))
    if (meant && !jinja.match(/\w+/g)?.includes(key)) throw refuse(`${what} has an unknown key "${key}"; expected ${meant}`)
  }
}

/** Checks and copies the messages. Throws `invalid-argument`. `jinja`: the template, if there is one. */
export function readMessages(
  value: unknown,
  continueFinal: boolean,
  { acceptsImages, acceptsAudio }: ModelInfo,
  jinja = '',
): ReadMessages {
  const media: MediaPart[] = []
  const accepts = [...(acceptsImages ? ['image'] : []), ...(acceptsAudio ? ['audio'] : [])]
  const messages = reading(() =>
    matched('chat: messages', value, () => {
      const items = itemsOf(value)
      if (items) return items.map((message, at) => readMessage(message, `chat: messages[${at}]`, media, { accepts, jinja }))
      throw new Mismatch('an array of messages')
    }),
  )
  checkResults(messages)
  const last = messages.at(-1)
  if (continueFinal && last && last.role !== 'assistant' && last.role !== 'model') {
    throw refuse(`chat: messages[${messages.length - 1}].role: continueFinal: expected a message of the model, got "${last.role}"`)
  }
  return { messages, media }
}

function readMessage(value: unknown, what: string, media: MediaPart[], reader: For): ChatMessage {
  const message = matched(what, value, copyWithout(media)) as unknown as ChatMessage
  const { role, content, tool_calls: calls, reasoning_content: reasoning } = message
  matched(`${what}.role`, role, string)
  const isRole = () => known.roles.includes(role) || [`'${role}'`, `"${role}"`].some(quoted => reader.jinja.includes(quoted))
  matched(`${what}.role`, role, expect(`${known.roles.join(', ')} or a role that the template names`, isRole))
  if (content === undefined && (role !== 'assistant' || (calls ?? reasoning) === undefined)) {
    throw refuse(`${what}.content: missing, there is only ${Object.keys(message).join(', ')}`)
  }
  checkKeys(message, what, known.message, reader)
  if (Array.isArray(content)) for (const [at, part] of content.entries()) checkPart(part, `${what}.content[${at}]`, reader)
  else if (content !== undefined && content !== null)
    matched(`${what}.content`, content, expect('a string or an array of parts', isString))
  for (const key of ['reasoning_content', 'tool_call_id', 'name'] as const) {
    const text = message[key] ?? undefined
    if (text !== undefined) matched(`${what}.${key}`, text, string)
  }
  if (calls !== undefined && calls !== null) checkCalls(calls, `${what}.tool_calls`, reader)
  return message
}

function checkPart(part: ContentPart, what: string, reader: For): void {
  const { accepts } = reader
  matched(what, part, expect('an object', isObject))
  if (part.type !== 'thinking' && !accepts.includes(part.type)) {
    const kinds = ['text', ...accepts].map(kind => `'${kind}'`)
    const expected = accepts.length > 0 ? kinds.join(' or ') : "'text', because this model reads text only"
    matched(
      `${what}.type`,
      part.type,
      expect(expected, value => value === 'text'),
    )
    matched(`${what}.text`, part.text, string)
  }
  checkKeys(part, what, known.part, reader)
}

function checkCalls(calls: unknown, what: string, reader: For): void {
  for (const [at, call] of matched(what, calls, expect<object[]>('an array', Array.isArray)).entries()) {
    const described = matched(
      `${what}[${at}].function`,
      (call as { function?: unknown } | null)?.function,
      expect<{ name: unknown }>('an object', isObject),
    )
    matched(`${what}[${at}].function.name`, described.name, string)
    checkKeys(call, `${what}[${at}]`, known.call, reader)
    checkKeys(described, `${what}[${at}].function`, known.function, reader)
  }
}

/**
 * Throws for a tool result whose id no earlier call has. Does nothing while no call has an id: calls may lack ids, or be in earlier
 * turns of a session.
 */
function checkResults(messages: readonly ChatMessage[]): void {
  const ids = new Set<string>()
  for (const [at, { tool_calls, tool_call_id: id }] of messages.entries()) {
    for (const call of tool_calls ?? []) if (call.id) ids.add(call.id)
    if (id && ids.size > 0 && !ids.has(id)) {
      throw refuse(`chat: messages[${at}].tool_call_id: no call before it has the id "${id}", only ${[...ids].join(', ')}`)
    }
  }
}
