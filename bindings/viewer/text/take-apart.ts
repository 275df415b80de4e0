// Turns a passage's prompt into the tokens that the model reads.
import type { Model } from 'heed'
import type { Passage } from './passage.js'

/** Tokenizes a passage's prompt and, for an encoder-decoder, adds the start of the answer. Returns a tokenized passage as it is. */
export async function takeApart(model: Model, passage: Passage): Promise<Passage> {
  if (passage.promptTokens) return passage
  const { contextLength, decoderStart } = model.info
  const given = async (id: number) => ({ id, text: id < 0 ? '' : await model.detokenize([id], { special: true }) })
  // What the context has no room for is never shown, and a link may bring a million tokens.
  const named = (ids: number[]) => Promise.all(ids.map((id, at) => at < contextLength ? given(id) : { id, text: '' }))
  const { parts } = passage
  if (parts) {
    const [ids, plain] = await Promise.all([model.tokenize(parts), model.tokenize(parts, { addSpecial: false })])
    const first = { ids: ids.slice(0, ids.length - plain.length) }
    return { ...passage, parts: [first, ...parts], promptTokens: await named(ids) }
  }
  const promptTokens = await named(await model.tokenize(passage.prompt))
  return { ...passage, promptTokens, start: decoderStart === undefined ? undefined : await given(decoderStart) }
}
