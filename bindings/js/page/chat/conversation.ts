// Chats of a model and its sessions. Their code is a separate script, fetched at the first chat.
import type { ChatTemplate } from '../../chat/template.js'
import type { ChatMessage } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import { Feed } from '../feed.js'
import type { ChatEvent, ChatOptions, ChatResult, ChatWriter } from './messages.js'

/**
 * Iterate it for the events as they arrive, `await` it for the answer, or both. Leaving the loop early ends the answer. An
 * abort is a normal end: `finishReason` is `abort`.
 */
export class Chat extends Feed<ChatEvent, ChatResult> {}

/** @internal The fields of a ChatWriter that come from the model's info. */
export const tellsOf = ({ chatTemplates, bosToken, eosToken }: ModelInfo) => ({ templates: chatTemplates, bosToken, eosToken })

const script = () => import('./script.js').catch((cause: unknown) => {
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
