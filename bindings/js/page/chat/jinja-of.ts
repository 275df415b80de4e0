// Which template a chat uses: one of the file, by its name, or Jinja that is given.
import type { ModelInfo } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import type { ChatOptions } from './chat-options.js'

/**
 * The Jinja of a template: by default, that of the file for chats with or without tools; undefined if the file has none. Throws
 * `invalid-argument` for a name that the file does not have.
 */
export function jinjaOf({ chatTemplates }: ModelInfo, template: ChatOptions['template'], withTools = false): string | undefined {
  if (typeof template === 'object') return template.jinja
  const name = template ?? (withTools && Object.hasOwn(chatTemplates, 'tool_use') ? 'tool_use' : 'default')
  if (Object.hasOwn(chatTemplates, name)) return chatTemplates[name]
  if (template === undefined || /\{[{%]/.test(template)) return template
  const names = Object.keys(chatTemplates).join(', ') || 'none'
  throw refuse(`chat: template: the file has ${names}, not "${template}"; Jinja is { jinja }`)
}
