// Notices of system messages that a template leaves out: many have a place for one only, before all others.
import { promptText } from '../chat/prompt-text.js'
import type { ChatMessage, PromptPart } from '../chat/types.js'

/** What is left out of the prompt for these messages, a sentence each. A text may be in a prompt as it is, or in JSON. */
export function leftOut(messages: readonly ChatMessage[], prompt: readonly PromptPart[]): string[] {
  const text = promptText(prompt)
  const isIn = (content: string) => text.includes(content) || text.includes(JSON.stringify(content).slice(1, -1))
  return messages.flatMap(({ role, content }, at) =>
    (role !== 'system' && role !== 'developer') || typeof content !== 'string' || isIn(content.trim())
      ? []
      : [`messages[${at}]: the template of the model leaves out this ${role} message`],
  )
}
