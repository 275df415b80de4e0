// The text on the page, as tokens: the prompt's and those that the model wrote.
import type { TokenProbability } from 'heed'

export interface PassageToken {
  readonly id: number
  readonly text: string
  /** For a written token: the natural logarithm of its probability, and the most probable tokens in its place. */
  readonly logprob?: number
  readonly alternatives?: readonly TokenProbability[]
}

export interface Passage {
  readonly prompt: string
  /** Absent until the prompt has been taken apart. */
  readonly promptTokens?: readonly PassageToken[]
  readonly written: readonly PassageToken[]
}

export const emptyPassage: Passage = { prompt: '', written: [] }

/** All tokens in order; a token's index here is its position in the model's context. */
export const tokensOf = ({ promptTokens = [], written }: Passage): readonly PassageToken[] => [...promptTokens, ...written]

export const isWritten = (token: PassageToken) => token.logprob !== undefined
