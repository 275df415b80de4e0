// The text on the page, as tokens: the prompt's and those that the model wrote.
import type { TokenProbability } from 'heed'

/** A token of the prompt. */
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
  readonly written: readonly WrittenToken[]
}

export const emptyPassage: Passage = { prompt: '', written: [] }

/** All tokens in order; a token's index here is its position in the model's context. */
export const tokensOf = ({ promptTokens = [], written }: Passage): readonly PassageToken[] =>
  [...promptTokens, ...written]

export const isWritten = (token: PassageToken): token is WrittenToken => 'logprob' in token
