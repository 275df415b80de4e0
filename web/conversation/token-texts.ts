// The texts of a model's tokens, and which of them are control tokens, cached by model.
import type { Model } from 'heed'

export interface TokenText {
  readonly text: string
  readonly isControl: boolean
}

const known = new WeakMap<Model, Map<number, Promise<TokenText>>>()

/** The texts, in the order of the ids. */
export function textsOf(model: Model, ids: readonly number[]): Promise<TokenText[]> {
  const texts = known.get(model) ?? new Map<number, Promise<TokenText>>()
  known.set(model, texts)
  return Promise.all(
    ids.map(id => {
      const text = texts.get(id) ?? ask(model, id)
      texts.set(id, text)
      return text
    }),
  )
}

/** Whether a token belongs to an image, and therefore has no text. */
export const isOfPicture = (id: number): boolean => id < 0

/** A control token has text only if `special` is set. */
async function ask(model: Model, id: number): Promise<TokenText> {
  if (isOfPicture(id)) return { text: '', isControl: false }
  const [plain, text] = await Promise.all([model.detokenize([id]), model.detokenize([id], { special: true })])
  return { text, isControl: plain === '' && text.trim() !== '' }
}
