// The source of an answer in a conversation: the word of it that a head found earlier in the text.
import type { AttentionRow, Span } from 'heed/viewer'

export interface AnswerSource {
  /** The position of the word's first token in the answer. */
  readonly token: number
  readonly text: string
  /** The positions of the word's tokens in the answer, and of the earlier occurrence that the head found: [from, to). */
  readonly word: Span
  readonly source: Span
  /** The share of the head's attention that the earlier occurrence gets when this one begins. */
  readonly share: number
}

interface Word extends Span {
  to: number
  text: string
}

/** Shorter words, such as "a" and "by", say little. */
const fewestLetters = 3

/**
 * The least share of the head's attention for a source: as much as all other words together. According to
 * models/training/sources.mjs, 91 % of right answers have such a word, and 92 % of these words are part of what was asked for.
 */
export const leastShare = 0.5

/**
 * The last word whose share is at least this fraction of the best one is chosen: later words of an answer say more, because it
 * often begins with words of the question.
 */
const nearlyBest = 0.8

/** How the page's model says that it has found nothing (models/training/stories), around words of the question. */
const refusal = /^(?:the story does not (?:tell|say)|i do not know|i can ?not|i have no)\b/i

export const refuses = (answer: string): boolean => refusal.test(answer.trim())

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

/** The question, if a story precedes it in the same message. */
export const lastSentence = (text: string) => text.split(/[.!?\n]/).findLast(part => part.trim() !== '') ?? ''

/** Whether a word of an answer may come from the text before it: the question does not contain it, and the text does. */
export function mayHaveSource(answer: string, question: string, before: string): boolean {
  if (refuses(answer)) return false
  const asked = new Set(lettersOf(question))
  const told = new Set(lettersOf(before))
  return lettersOf(answer).some(word => word.length >= fewestLetters && !asked.has(word) && told.has(word))
}

/** The sum of the weights of a word's tokens. */
export function shareOf({ first, weights }: AttentionRow, { from, to }: Span): number {
  let sum = 0
  for (let position = Math.max(from, first); position < to; position++) sum += weights[position - first] ?? 0
  return sum
}

/**
 * The word of an answer, tokens [from, to) of a text, that a head has found earlier: the question does not contain it, and when it
 * begins, the head pays most of its attention to the earlier occurrence. `look` returns the attention from a position. Undefined if
 * there is none, as in "The story does not tell".
 */
export function answerSource(
  texts: readonly string[],
  { from, to }: Span,
  question: string,
  look: (position: number) => AttentionRow | undefined,
  least = leastShare,
): AnswerSource | undefined {
  if (refuses(texts.slice(from, to).join(''))) return undefined
  const words = wordsOf(texts)
  const asked = new Set(lettersOf(question))
  const found = words.flatMap((word): AnswerSource[] => {
    const { text } = word
    if (word.from < Math.max(from, 1) || word.from >= to || text.length < fewestLetters || asked.has(text.toLowerCase())) return []
    const row = look(word.from - 1)
    if (!row) return []
    const place = row.first + row.weights.indexOf(Math.max(...row.weights))
    const source = words.find(other => other.from <= place && place < other.to)
    if (!source || place >= from || source.text.toLowerCase() !== text.toLowerCase()) return []
    const share = shareOf(row, source)
    return share < least ? [] : [{ token: word.from, text, share, word, source }]
  })
  const most = Math.max(...found.map(({ share }) => share))
  return found.findLast(({ share }) => share >= nearlyBest * most)
}
