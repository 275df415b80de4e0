// Selects the template of a chat: one of the file's by name, or the given Jinja.
import type { ModelInfo } from '../../types/index.js'
import { refuse } from '../../wire/errors.js'
import type { ChatOptions } from './chat-options.generated.js'

/**
 * The Jinja of a template; by default the file's template for chats with or without tools; undefined if the file has none. Throws
 * `invalid-argument` for an unknown name.
 */
export function jinjaOf({ chatTemplates }: ModelInfo, template: ChatOptions['template'], withTools = false): string | undefined {
  if (typeof template === 'object') return template.jinja
  const name = template ?? (withTools && Object.hasOwn(chatTemplates, 'tool_use') ? 'tool_use' : 'default')
  if (Object.hasOwn(chatTemplates, name)) return chatTemplates[name]
  if (template === undefined || /\{[{%]/.test(template)) return template
  const names = Object.keys(chatTemplates).join(', ') || 'none'
  throw refuse(`chat: template: the file has ${names}, not "${template}"; Jinja is { jinja }`)
}
