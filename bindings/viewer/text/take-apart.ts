// A passage's prompt as the tokens that a model reads.
import type { Model } from 'heed'
import type { Passage } from './passage.js'

/** The passage with its prompt, and the start of an answer, as tokens. Returns the same object if it already has them. */
export async function takeApart(model: Model, passage: Passage): Promise<Passage> {
  if (passage.promptTokens) return passage
  const { decoderStart } = model.info
  const given = async (id: number) => ({ id, text: await model.detokenize([id], { special: true }) })
  const promptTokens = await Promise.all((await model.tokenize(passage.prompt)).map(given))
  return { ...passage, promptTokens, start: decoderStart === undefined ? undefined : await given(decoderStart) }
}
