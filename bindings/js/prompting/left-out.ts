// Notices about system messages that a template leaves out: many templates print only one, at the beginning.
import { promptText } from '../chat/prompt-text.js'
import type { ChatMessage, PromptPart } from '../chat/types.js'

/**
 * The parts of these messages that are missing in the prompt, one sentence each. A text may be in a prompt as it is, or as JSON.
 */
export function leftOut(messages: readonly ChatMessage[], prompt: readonly PromptPart[]): string[] {
  const text = promptText(prompt)
  const isIn = (content: string) => text.includes(content) || text.includes(JSON.stringify(content).slice(1, -1))
  return messages.flatMap(({ role, content }, at) =>
    (role !== 'system' && role !== 'developer') || typeof content !== 'string' || isIn(content.trim())
      ? []
      : [`messages[${at}]: the template of the model leaves out this ${role} message`],
  )
}
