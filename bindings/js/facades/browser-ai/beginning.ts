// The token that begins every text of a model, where its template does not write it.
import type { Model } from '../../page/model.js'

/** What is missing before the tokens of a prompt. */
export async function beginningOf(model: Model, ids: readonly number[]): Promise<number[]> {
  const { bosToken: bos } = model.info
  return bos && ids[0] !== bos.id && (await model.tokenize(''))[0] === bos.id ? [bos.id] : []
}
