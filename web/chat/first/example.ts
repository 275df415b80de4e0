// An example of an answer with its source: a question and its answer, each split into three parts: the text before the word that
// the answer took from the question, this word, and the text after it.
import { type Passage, tokensOf } from 'heed/viewer'
import type { AnswerSource } from '../../lesson/answer-source.js'

export interface Parts {
  readonly before: string
  readonly word: string
  readonly after: string
}

export interface Example {
  readonly question: Parts
  readonly answer: Parts
}

export const wholeOf = ({ before, word, after }: Parts) => before + word + after

/** Splits `text`, which begins at the character `start` of the tokens' text, around the word that begins at the token `at`. */
function around(texts: readonly string[], text: string, start: number, at: number, { length }: string): Parts {
  const space = texts[at]!.length - texts[at]!.trimStart().length
  const index = texts.slice(0, at).join('').length + space - start
  return { before: text.slice(0, index), word: text.slice(index, index + length), after: text.slice(index + length) }
}

/** The question and the answer of a passage, each split around the word `text`, which the answer took from the question. */
export function exampleOf(passage: Passage, question: string, answer: string, { text, token, source }: AnswerSource): Example {
  const texts = tokensOf(passage).map(each => each.text)
  const whole = texts.join('')
  const written = texts.slice(0, texts.length - passage.written.length).join('').length
  return {
    question: around(texts, question, whole.indexOf(question), source.from, text),
    answer: around(texts, answer, whole.indexOf(answer, written), token, text),
  }
}
