// A link to a conversation: its messages, compressed into the hash, which no server sees, the format of answers,
// and the selection.
import { type Selected, selectedIn, withSelected } from './link.js'

export interface LinkedChat extends Selected {
  /** The messages in view, with the system message, as JSON. */
  messages: string
  /** The JSON Schema that answers satisfy; by default, they are any text. */
  format?: string
  /** The parts of the conversation that a link has no room for, such as “pictures”. */
  without?: string
}

/** Longer conversations cannot be linked: browsers and chats cut addresses off. */
const longestLink = 30_000
/** The most characters that a link may expand to. */
const mostCharacters = 1_000_000

const piped = (bytes: Blob, through: CompressionStream | DecompressionStream) => bytes.stream().pipeThrough(through).getReader()

async function joined(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: BlobPart[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value as Uint8Array<ArrayBuffer>)
    length += next.value.length
    if (length <= mostCharacters) continue
    await reader.cancel()
    throw new RangeError('the conversation in this link is too long')
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** The address of `page` with a conversation in its hash; undefined if that is too long for a link. */
export async function linkToChat(
  page: string,
  { messages, format, without: _, ...selected }: LinkedChat,
): Promise<string | undefined> {
  const packed = await joined(piped(new Blob([messages]), new CompressionStream('deflate-raw')))
  if (packed.length > longestLink) return undefined
  const text = btoa(String.fromCharCode(...packed)).replace(/[+/=]/g, sign => ({ '+': '-', '/': '_' })[sign] ?? '')
  const link = withSelected(page, { chat: text, format }, selected)
  return link.length <= longestLink ? link : undefined
}

/** The conversation in a hash; undefined if there is none. Rejects with an Error if it is damaged. */
export async function readChatLink(hash: string): Promise<LinkedChat | undefined> {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const text = parts.get('chat')
  if (text === null) return undefined
  const packed = Uint8Array.from(atob(text.replace(/[-_]/g, sign => (sign === '-' ? '+' : '/'))), character =>
    character.charCodeAt(0),
  )
  const messages = new TextDecoder().decode(await joined(piped(new Blob([packed]), new DecompressionStream('deflate-raw'))))
  return { messages, format: parts.get('format') ?? undefined, ...selectedIn(parts) }
}
