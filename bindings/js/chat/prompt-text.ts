// A prompt as one text.
import type { PromptPart } from './types.js'

/** The text of a prompt, with its control tokens, for display. */
export const promptText = (parts: readonly PromptPart[]): string =>
  parts.map(part => (typeof part === 'string' ? part : part.control)).join('')
