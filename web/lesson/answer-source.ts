// Where in a conversation an answer comes from: the word of it that a head found earlier in the text.
import { type Head, type LayerAttention, type Passage, type Span, tokensOf } from 'heed/viewer'

export interface AnswerSource {
  /** The position of the word's first token in the answer. */
  readonly token: number
  readonly text: string
  /** The positions of the word's tokens in the answer, and of the earlier occurrence that the head found: [from, to). */
  readonly word: Span
  readonly source: Span
  /** The share of the head's attention that an earlier occurrence of the word gets when this one is begun. */
  readonly share: number
}

interface Word extends Span {
  to: number
  text: string
}

/** Shorter words, such as "a" and "by", tell nothing. */
const fewestLetters = 3

/** The words of consecutive tokens. */
function wordsOf(texts: readonly string[]): Word[] {
  const words: Word[] = []
  texts.forEach((text, position) => {
    const last = words.at(-1)
    if (last?.to === position && /^\p{L}/u.test(text) && /\p{L}$/u.test(last.text)) {
      last.to++
      last.text += text
    } else if (/\p{L}/u.test(text)) {
      words.push({ from: position, to: position + 1, text: text.trim() })
    }
  })
  return words
}

const lettersOf = (text: string) => text.toLowerCase().split(/\P{L}+/u)

/** The question, if a story comes before it in the same message. */
export const lastSentence = (text: string) => text.split(/[.!?\n]/).findLast(part => part.trim() !== '') ?? ''

/** Whether a word of an answer may come from the text before it: one that the question does not contain, and the text does. */
export function mayHaveSource(answer: string, question: string, before: string): boolean {
  const asked = new Set(lettersOf(question))
  const told = new Set(lettersOf(before))
  return lettersOf(answer).some(word => word.length >= fewestLetters && !asked.has(word) && told.has(word))
}

/**
 * The word of the answer on which the head is most certain: one that the question does not contain, and to whose earlier occurrence
 * in the prompt the head pays most attention as the word is begun. Undefined if there is none, as in "The story does not tell".
 */
export function answerSource(passage: Passage, question: string, attention: LayerAttention, head: Head): AnswerSource | undefined {
  const tokens = tokensOf(passage)
  const first = tokens.length - passage.written.length
  const words = wordsOf(tokens.map(({ text }) => text))
  const asked = new Set(lettersOf(question))
  let best: AnswerSource | undefined
  for (const word of words) {
    const { from, text } = word
    if (from < first || text.length < fewestLetters || asked.has(text.toLowerCase())) continue
    const row = attention.look(head, from - 1)
    if (!row) continue
    const share = Math.max(...row.weights)
    const place = row.first + row.weights.indexOf(share)
    const source = words.find(word => word.from <= place && place < word.to)
    if (source && place < first && source.text.toLowerCase() === text.toLowerCase() && share > (best?.share ?? 0)) best = { token: from, text, share, word, source }
  }
  return best
}
