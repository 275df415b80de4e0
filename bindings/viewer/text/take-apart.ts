// Turns a passage's prompt into the tokens that the model reads.
import type { Model } from 'heed'
import type { Passage } from './passage.js'

/** Tokenizes a passage's prompt and, for an encoder-decoder, adds the start of the answer. Returns a tokenized passage as it is. */
export async function takeApart(model: Model, passage: Passage): Promise<Passage> {
  if (passage.promptTokens) return passage
  const { decoderStart } = model.info
  const given = async (id: number) => ({ id, text: id < 0 ? '' : await model.detokenize([id], { special: true }) })
  const { parts } = passage
  if (parts) {
    const [ids, plain] = await Promise.all([model.tokenize(parts), model.tokenize(parts, { addSpecial: false })])
    const first = { ids: ids.slice(0, ids.length - plain.length) }
    return { ...passage, parts: [first, ...parts], promptTokens: await Promise.all(ids.map(given)) }
  }
  const promptTokens = await Promise.all((await model.tokenize(passage.prompt)).map(given))
  return { ...passage, promptTokens, start: decoderStart === undefined ? undefined : await given(decoderStart) }
}
