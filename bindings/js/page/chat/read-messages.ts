// Checks and copies the messages of a chat at the call. A value that would become an empty turn, or that only templates of other
// models support, is an error that names its place.
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import { reading } from '../called-from.js'
import { copyOfData, expect, isObject, isString, itemsOf, matched, Mismatch, type Reader } from '../readers.js'

const string = expect<string>('a string', isString)

/** A part with an image. */
type ImagePart = Readonly<Record<string, unknown>>

/** Copies a message; parts with images are added to `images`, and the copy has their numbers. */
const copyWithout =
  (images: ImagePart[]): Reader<Record<string, unknown>> =>
  (value, what) => {
    if (!isObject(value)) throw new Mismatch('an object')
    const { content } = value
    const parts =
      Array.isArray(content) &&
      Array.from(content, (part: unknown) =>
        isObject(part) && part.type === 'image' ? { type: 'image', image: images.push({ ...part }) - 1 } : part,
      )
    return copyOfData(parts ? { ...value, content: parts } : value, what) as Record<string, unknown>
  }

interface ReadMessages {
  readonly messages: ChatMessage[]
  /** By the numbers in the copied parts. */
  readonly images: readonly ImagePart[]
}

/** Throws `invalid-argument`. */
export function readMessages(value: unknown, continueFinal: boolean, { acceptsImages }: ModelInfo): ReadMessages {
  const images: ImagePart[] = []
  const messages = reading(() =>
    matched('chat: messages', value, () => {
      const items = itemsOf(value)
      if (items) return items.map((message, at) => readMessage(message, `chat: messages[${at}]`, images, acceptsImages))
      throw new Mismatch('an array of messages')
    }),
  )
  const last = messages.at(-1)
  if (continueFinal && last && last.role !== 'assistant' && last.role !== 'model') {
    throw refuse(`chat: messages[${messages.length - 1}].role: continueFinal: expected a message of the model, got "${last.role}"`)
  }
  return { messages, images }
}

function readMessage(value: unknown, what: string, images: ImagePart[], acceptsImages: boolean): ChatMessage {
  const message = matched(what, value, copyWithout(images)) as unknown as ChatMessage
  const { role, content, tool_calls: calls, reasoning_content: reasoning } = message
  matched(`${what}.role`, role, string)
  if (content === undefined && (role !== 'assistant' || (calls ?? reasoning) === undefined)) {
    throw refuse(`${what}.content: missing, there is only ${Object.keys(message).join(', ')}`)
  }
  if (Array.isArray(content)) for (const [at, part] of content.entries()) checkPart(part, `${what}.content[${at}]`, acceptsImages)
  else if (content !== undefined && content !== null)
    matched(`${what}.content`, content, expect('a string or an array of parts', isString))
  if (reasoning !== undefined && reasoning !== null) matched(`${what}.reasoning_content`, reasoning, string)
  if (calls !== undefined && calls !== null) checkCalls(calls, `${what}.tool_calls`)
  return message
}

function checkPart(part: ContentPart, what: string, acceptsImages: boolean): void {
  matched(what, part, expect('an object', isObject))
  if (part.type === 'thinking' || (acceptsImages && part.type === 'image')) return
  const expected = acceptsImages ? "'text' or 'image'" : "'text', because this model reads text only"
  matched(
    `${what}.type`,
    part.type,
    expect(expected, value => value === 'text'),
  )
  matched(`${what}.text`, part.text, string)
}

function checkCalls(calls: unknown, what: string): void {
  for (const [at, call] of matched(what, calls, expect<object[]>('an array', Array.isArray)).entries()) {
    const described = matched(
      `${what}[${at}].function`,
      (call as { function?: unknown } | null)?.function,
      expect<{ name: unknown }>('an object', isObject),
    )
    matched(`${what}[${at}].function.name`, described.name, string)
  }
}
