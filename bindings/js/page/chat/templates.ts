// The template of a chat: of the file, by its name, or given as Jinja.
import { ChatTemplate } from '../../chat/template.js'
import type { ModelInfo } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import { refuse } from '../readers.js'
import type { ChatOptions } from './messages.js'

/** A cache of parsed templates, shared by all models. */
const parsed = new Map<string, ChatTemplate>()

/** The source of a template; by default, that of the file for chats with or without tools. */
function jinjaOf({ chatTemplates }: ModelInfo, template: ChatOptions['template'], withTools: boolean): string {
  if (typeof template === 'object') return template.jinja
  const name = template ?? (withTools && chatTemplates.tool_use !== undefined ? 'tool_use' : 'default')
  if (Object.hasOwn(chatTemplates, name)) return chatTemplates[name]!
  if (template === undefined) throw new HeedError('unsupported', 'chat: the model has no chat template; give a `template`')
  if (/\{[{%]/.test(template)) return template
  const names = Object.keys(chatTemplates).join(', ') || 'none'
  throw refuse(`chat: template: the file has ${names}, not "${template}"; Jinja is { jinja }`)
}

/**
 * @internal The template for a model's tokens. Throws `invalid-argument` for a name that the file does not have, `unsupported` if it
 * has no template, and `template`.
 */
export function templateOf(info: ModelInfo, asked: ChatOptions['template'], withTools = false): ChatTemplate {
  const jinja = jinjaOf(info, asked, withTools)
  const tokens = { bosToken: info.bosToken?.text, eosToken: info.eosToken?.text }
  const key = JSON.stringify([jinja, tokens])
  const known = parsed.get(key) ?? new ChatTemplate(jinja, tokens)
  if (parsed.size > 8) parsed.clear()
  parsed.set(key, known)
  return known
}
