// Chats as a model and its sessions offer them. What they are made of is a script of its own, fetched at the first one.
import { HeedError } from './errors.js'
import { Feed } from './feed.js'
import type { ChatEvent, ChatOptions, ChatResult, ChatWriter } from './chat/messages.js'
import type { ChatTemplate } from './chat/template.js'
import type { ChatMessage } from './chat/types.js'
import type { ModelInfo } from './types.js'

/**
 * Iterate it for what the model says as it says it, `await` it for the answer, or both. Leaving the loop early ends it. An abort
 * is an ordinary end: `finishReason` is `abort`.
 */
export class Chat extends Feed<ChatEvent, ChatResult> {}

/** @internal What of a writer its model's info tells. */
export const tellsOf = ({ chatTemplates, bosToken, eosToken }: ModelInfo) => ({ templates: chatTemplates, bosToken, eosToken })

const script = () => import('./chat.js').catch((cause: unknown) => {
  throw new HeedError('network', "the package's chat.js cannot be loaded", { cause })
})

/** @internal */
export const startChat = (writer: ChatWriter, messages: readonly ChatMessage[], options: ChatOptions): Chat =>
  new Chat(async (stop, put) => (await script()).converse(writer, messages, options, stop, put), options?.signal as AbortSignal)

/** @internal */
export async function openTemplate(info: ModelInfo, template?: string): Promise<ChatTemplate> {
  const { bosToken, eosToken, chatTemplates } = info
  const name = template ?? 'default'
  const source = Object.hasOwn(chatTemplates, name) ? chatTemplates[name] : template
  if (source === undefined) throw new HeedError('unsupported', 'the model has no chat template')
  const { ChatTemplate } = await script()
  return new ChatTemplate(source, { bosToken: bosToken?.text, eosToken: eosToken?.text })
}
