// The text on the page, as tokens: the prompt's and those that the model wrote.
import type { TokenProbability } from 'heed'

/** A token that the model was given. */
export interface GivenToken {
  readonly id: number
  readonly text: string
}

/** A token that the model wrote: how probable it was, and the most probable ones in its place. */
export interface WrittenToken extends TokenProbability {
  readonly alternatives: readonly TokenProbability[]
}

export type PassageToken = GivenToken | WrittenToken

export interface Passage {
  readonly prompt: string
  /** Absent until the prompt has been taken apart. */
  readonly promptTokens?: readonly GivenToken[]
  /** What an answer starts from, where the model reads the prompt and writes beside it. */
  readonly start?: GivenToken
  readonly written: readonly WrittenToken[]
}

export const emptyPassage: Passage = { prompt: '', written: [] }

/** The tokens of the answer, where that is apart from the prompt; else of what goes on from it. */
export const answerOf = ({ start, written }: Passage): readonly PassageToken[] =>
  start ? [start, ...written] : written

/** All tokens in order: the gaze counts them from 0. */
export const tokensOf = (passage: Passage): readonly PassageToken[] =>
  [...passage.promptTokens ?? [], ...answerOf(passage)]

export const isWritten = (token: PassageToken): token is WrittenToken => 'logprob' in token
