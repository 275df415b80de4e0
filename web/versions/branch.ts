// The beginning of a passage, from which to continue differently.
import type { Model } from 'heed'
import type { Alternative, Passage } from 'heed/viewer'

/** The first `length` tokens of a passage. Generated tokens stay generated; a cut within the prompt makes a shorter prompt. */
export async function beginningOf(model: Model, passage: Passage, length: number): Promise<Passage> {
  const given = passage.promptTokens ?? []
  if (length >= given.length) return { ...passage, written: passage.written.slice(0, length - given.length) }
  const promptTokens = given.slice(0, length)
  return { prompt: await model.detokenize(promptTokens.map(token => token.id)), promptTokens, written: [] }
}

/** A passage with one more token. */
export function withNext(passage: Passage, { id, text, logprob }: Alternative): Passage {
  return { ...passage, written: [...passage.written, { id, text, logprob, alternatives: [] }] }
}
