// Tokenizes a passage's prompt.
import type { Model } from 'heed'
import type { Passage } from './passage.js'

/** Tokenizes a passage's prompt and, for an encoder-decoder, adds the start of the answer. Returns a tokenized passage as it is. */
export async function tokenizePassage(model: Model, passage: Passage): Promise<Passage> {
  if (passage.promptTokens) return passage
  const { contextLength, decoderStart } = model.info
  const given = async (id: number) => ({ id, text: id < 0 ? '' : await model.detokenize([id], { special: true }) })
  // A link may bring a million tokens; those that do not fit in the context are shown as one text.
  const named = async (ids: number[]) => {
    const [first, rest] = [ids.slice(0, contextLength), ids.slice(contextLength)]
    const text =
      rest.length > 0
        ? await model.detokenize(
            rest.filter(id => id >= 0),
            { special: true },
          )
        : ''
    const others = rest.map((id, at) => ({ id, text: at === 0 ? text : '' }))
    return { promptTokens: [...(await Promise.all(first.map(given))), ...others], ...(rest.length > 0 && { named: contextLength }) }
  }
  const { parts } = passage
  if (parts) {
    const [ids, plain] = await Promise.all([model.tokenize(parts), model.tokenize(parts, { addSpecial: false })])
    const first = { ids: ids.slice(0, ids.length - plain.length) }
    return { ...passage, parts: [first, ...parts], ...(await named(ids)) }
  }
  return {
    ...passage,
    ...(await named(await model.tokenize(passage.prompt))),
    start: decoderStart === undefined ? undefined : await given(decoderStart),
  }
}
