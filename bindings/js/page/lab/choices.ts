// The probability of each of the texts to choose from.
import type { ChoiceProbability } from '../../types/index.js'
import type { WireChanges } from '../../wire/changes.js'
import { HeedError } from '../../wire/errors.js'
import type { WirePart, WirePrompt } from '../../wire/protocol.js'
import type { Connection } from '../connection.js'
import { sharesOf } from './shares.js'

const hasImage = (prompt: WirePrompt) => typeof prompt === 'object' && 'parts' in prompt && prompt.parts.some(isImage)
const isImage = (part: WirePart) => typeof part === 'object' && 'image' in part

/** The probability of each choice among all choices, after the prompt and the tokens `before`, which the model wrote first. */
export async function choiceProbabilities(
  connection: Connection,
  prompt: WirePrompt,
  choices: readonly string[],
  { addSpecial, parseSpecial, adapters, edits }: WireChanges & { addSpecial?: boolean; parseSpecial: boolean },
  signal: AbortSignal,
  before: readonly number[] = [],
): Promise<ChoiceProbability[]> {
  if (edits?.some(edit => 'clamp' in edit || 'splice' in edit))
    throw new HeedError('unsupported', 'choiceProbabilities: clamp and splice would not reach the choices')
  const call = { addSpecial: addSpecial ?? false, parseSpecial }
  const partsOf = (one: Exclude<WirePrompt, number[]>) => (typeof one === 'string' ? [one] : one.parts)
  // Passes the prompt as token ids, as the model continued it: tokenized in one text, its end could merge with a choice.
  const parts: WirePart[] = Array.isArray(prompt)
    ? [{ ids: prompt }]
    : hasImage(prompt)
      ? partsOf(prompt)
      : [{ ids: await connection.call({ type: 'tokenize', prompt, ...call }, { signal }) }]
  const scored = { prompt: { parts: [...parts, { ids: [...before] }] }, continuations: [...choices], adapters, edits }
  const special = { ...call, addSpecial: hasImage(prompt) && call.addSpecial }
  const probabilities = sharesOf(await connection.call({ type: 'score', ...scored, ...special }, { signal }))
  return choices.map((choice, index) => ({ choice, probability: probabilities[index]! }))
}
