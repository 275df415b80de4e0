// The token with which every text of a model begins (BOS), for templates that do not write it.
import type { Model } from '../../page/model.js'

/** The BOS token, if the tokenizer adds one and the prompt's tokens `ids` do not begin with it; otherwise none. */
export async function beginningOf(model: Model, ids: readonly number[]): Promise<number[]> {
  const { bosToken: bos } = model.info
  return bos && ids[0] !== bos.id && (await model.tokenize(''))[0] === bos.id ? [bos.id] : []
}
