// Converts LangChain's messages to those of a chat.
import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatMessage, ContentPart } from '../../chat/types.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { blobAt, bytesOf, isLocal } from '../addresses.js'

const roles: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'developer',
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
}

/** Throws `invalid-argument` for messages of other kinds, and `unsupported` for content that chats do not take. */
export const toMessages = (messages: readonly BaseMessage[], signal?: AbortSignal): Promise<ChatMessage[]> =>
  Promise.all(messages.map(message => toMessage(message, signal)))

async function toMessage(message: BaseMessage, signal?: AbortSignal): Promise<ChatMessage> {
  const { type, content, name, additional_kwargs: more } = message
  const role = roles[type === 'generic' ? ((message as { role?: string }).role ?? '') : type]
  if (!role) throw refuse(`a message of LangChain: its type is "${type}"`)
  const reasoning = more?.reasoning_content
  return {
    role,
    content: typeof content === 'string' ? content : await toContent(content, signal),
    ...(name !== undefined && { name }),
    ...(role === 'assistant' && typeof reasoning === 'string' && { reasoning_content: reasoning }),
    ...(role === 'assistant' && toCalls(message as AIMessage)),
    ...(role === 'tool' && { tool_call_id: (message as ToolMessage).tool_call_id }),
  }
}

const toCalls = ({ tool_calls: calls = [] }: AIMessage): Pick<ChatMessage, 'tool_calls'> | undefined =>
  calls.length === 0
    ? undefined
    : { tool_calls: calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args as never } })) }

/** A part of content, in LangChain's own format or in a format of OpenAI's that it passes on. */
interface Block {
  readonly type: string
  readonly text?: string
  readonly url?: string
  readonly data?: string | Uint8Array
  readonly image_url?: string | { readonly url: string }
}

/** Tool calls, and reasoning in other providers' forms, have fields of their own. */
const elsewhere = new Set(['tool_call', 'tool_use', 'reasoning', 'thinking'])

async function toContent(blocks: readonly unknown[], signal?: AbortSignal): Promise<string | ContentPart[]> {
  const read = (blocks as readonly Block[]).filter(({ type }) => !elsewhere.has(type))
  const parts = await Promise.all(read.map(block => toPart(block, signal)))
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts
}

async function toPart(block: Block, signal?: AbortSignal): Promise<ContentPart> {
  if (block.type === 'text') return { type: 'text', text: block.text ?? '' }
  if (block.type !== 'image' && block.type !== 'image_url')
    throw new HeedError('unsupported', `content of the type "${block.type}" in a message`)
  const { data, url, image_url: given } = block
  const address = url ?? (typeof given === 'string' ? given : given?.url)
  try {
    if (data !== undefined)
      return { type: 'image', image: new Blob([typeof data === 'string' ? bytesOf(data) : new Uint8Array(data)]) }
    if (address !== undefined && isLocal(address)) return { type: 'image', image: await blobAt(address, signal) }
  } catch (cause) {
    throw refuse(`an image of a message: ${(cause as Error).message}`, cause)
  }
  throw new HeedError(
    'unsupported',
    'an image of a message: only images in the message itself, or at data: and blob: addresses, are read',
  )
}
