// Measures which words a head attends to from a token.
import type { Model, Prompt } from 'heed'

export interface Look {
  readonly text: string
  /** Whether the text is a message for the model to answer. */
  readonly chat?: boolean
  readonly layer: number
  readonly head: number
  /** The last occurrence of this word is where the attention starts; without a word, the end of the text. */
  readonly from?: string
}

export interface Seen {
  /** The position of the token whose attention is measured. */
  readonly position: number
  /** The weights of the requested words, from 0 to 1. */
  readonly weights: readonly number[]
}

/** The text that the model reads: for a message, it is rendered with the chat template. */
export async function promptOf(model: Model, { text, chat }: Pick<Look, 'text' | 'chat'>): Promise<Prompt> {
  if (!chat) return text
  return (await model.chatTemplate()).renderAsync([{ role: 'user', content: text }])
}

/** Measures how much of its attention a head gives to each of these words. */
export async function look(model: Model, asked: Look, words: readonly string[]): Promise<Seen> {
  const { layer, head, from } = asked
  const { tokens, weights } = await model.attention(await promptOf(model, asked), { layers: [layer], heads: [head] })
  const texts = tokens.map(({ text }) => text)
  const whole = texts.join('')
  /** The positions of the tokens that overlap a part of the text. */
  const positionsOf = (start: number, length: number) => {
    const found: number[] = []
    let at = 0
    for (const [position, text] of texts.entries()) {
      if (at < start + length && at + text.length > start) found.push(position)
      at += text.length
    }
    return found
  }
  const position = from ? positionsOf(whole.lastIndexOf(from), from.length).at(-1)! : texts.length - 1
  const row = weights[0]![0]!.subarray(position * texts.length, (position + 1) * texts.length)
  const places = (word: string) =>
    [...whole.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].flatMap(({ index }) => positionsOf(index, word.length))
  return { position, weights: words.map(word => places(word).reduce((sum, place) => sum + row[place]!, 0)) }
}
