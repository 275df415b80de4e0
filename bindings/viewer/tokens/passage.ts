// A text as tokens: those of the prompt and those that the model generated.
import type { CharacterPart, ImageBound, Pixels, PromptPart, TokenProbability } from 'heed'

/** Positions of consecutive tokens: [from, to). */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A token of the prompt. */
export interface GivenToken {
  /** Below 0 for a token of a picture, which has no text. */
  readonly id: number
  readonly text: string
  /** If the token is part of a character: which part. The text is then the whole character. */
  readonly part?: CharacterPart
  /** Of a token of a picture: where in it the token is from, such as `upper left of the picture`; once that is known. */
  readonly place?: string
}

/** A generated token: how probable it was, and the most probable tokens at its position. */
export interface WrittenToken extends TokenProbability {
  readonly part?: CharacterPart
  readonly alternatives: readonly TokenProbability[]
  /** How many tokens a form allowed in its place. */
  readonly allowed?: number
}

export type PassageToken = GivenToken | WrittenToken

/** A part of a prompt with pictures, which have to be pixels: they are drawn. */
export type PassagePart = Exclude<PromptPart, { readonly image: unknown }> | ({ readonly image: Pixels } & Readonly<ImageBound>)

export interface Passage {
  readonly prompt: string
  /** Absent until the prompt has been tokenized. */
  readonly promptTokens?: readonly GivenToken[]
  /** How many of these have texts of their own, where the context has room for no more: the text of the next one is that of all others. */
  readonly named?: number
  /** The prompt as the model reads it, if there are pictures in it. With `promptTokens`, the tokens that begin every text are among the parts. */
  readonly parts?: readonly PassagePart[]
  /** The start of the answer, for an encoder-decoder. */
  readonly start?: GivenToken
  readonly written: readonly WrittenToken[]
}

export const emptyPassage: Passage = { prompt: '', written: [] }

/** The generated tokens, after the start of the answer for an encoder-decoder. */
export const answerOf = ({ start, written }: Passage): readonly PassageToken[] => (start ? [start, ...written] : written)

/** All tokens in order; positions count from 0. */
export const tokensOf = (passage: Passage): readonly PassageToken[] => [...(passage.promptTokens ?? []), ...answerOf(passage)]

/** The position of the first generated token. */
export const firstWritten = (passage: Passage) => tokensOf(passage).length - passage.written.length

/** The length in tokens of the common prefix of two passages. */
export function commonLength(one: Passage, other: Passage): number {
  const [tokens, others] = [tokensOf(one), tokensOf(other)]
  const parting = tokens.findIndex((token, position) => token.id !== others[position]?.id)
  return parting < 0 ? tokens.length : parting
}

/** Whether a passage extends an earlier one or equals it. */
export const goesOnFrom = (passage: Passage, earlier: Passage): boolean =>
  earlier.prompt === passage.prompt &&
  earlier.start?.id === passage.start?.id &&
  earlier.promptTokens?.length === passage.promptTokens?.length &&
  earlier.parts === passage.parts &&
  commonLength(earlier, passage) === tokensOf(earlier).length

/** Whether a token is one of a picture. */
export const isOfPicture = ({ id }: PassageToken): boolean => id < 0

export const isWritten = (token: PassageToken): token is WrittenToken => 'logprob' in token

/**
 * Renames the tokens of a passage from position `from` on: a character that spans several tokens is known only once all of them
 * are. Returns the same object if nothing changes.
 */
export function rename(passage: Passage, names: readonly GivenToken[], from = 0): Passage {
  let position = 0
  let changed = false
  const renamed = <Token extends PassageToken>(token: Token): Token => {
    const name = names[position++ - from]
    if (!name?.part || token.part) return token
    changed = true
    return { ...token, text: name.text, part: name.part }
  }
  const promptTokens = passage.promptTokens?.map(renamed)
  const start = passage.start && renamed(passage.start)
  const written = passage.written.map(renamed)
  return changed ? { ...passage, promptTokens, start, written } : passage
}
