// Prompts and tokens as the page sends them to the engine's worker.
import type { Pixels } from '../types/index.js'

/** Only `generate` and `tokenize` take images. */
export type WirePart = string | { control: string } | { ids: number[] } | { image: Pixels }
/** A `Prompt` (types/text.ts) as plain data. */
export type WirePrompt = string | number[] | { parts: WirePart[] }

/** A text that is read, and how it becomes tokens. */
export interface WireText {
  prompt: WirePrompt
  addSpecial: boolean
  parseSpecial: boolean
}

/** A token by its exact text, or by its id. */
export type TokenName = string | number
