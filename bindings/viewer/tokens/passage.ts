// A text as tokens: those of the prompt and those that the model generated.
import type { CharacterPart, ImageBound, Pixels, PromptPart, TokenProbability } from 'heed'

/** Positions of consecutive tokens: [from, to). */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A token of the prompt. */
export interface GivenToken {
  /** Below 0 for a token of an image or a sound, which has no text. */
  readonly id: number
  readonly text: string
  /** For a token that is part of a character: which part. `text` is then the whole character. */
  readonly part?: CharacterPart
  /** For a token of an image: its place in the image, such as `upper left of the picture`, once that is known. */
  readonly place?: string
}

/** A generated token: how probable it was, and the most probable tokens at its position. */
export interface WrittenToken extends TokenProbability {
  readonly part?: CharacterPart
  readonly alternatives: readonly TokenProbability[]
  /** The number of tokens that a constraint allowed at this position. */
  readonly allowed?: number
  /** Its place, from 1, in the draft that proposed it. */
  readonly draft?: number
}

export type PassageToken = GivenToken | WrittenToken

/** A part of a prompt. Images must be pixels, because they are drawn. */
export type PassagePart = Exclude<PromptPart, { readonly image: unknown }> | ({ readonly image: Pixels } & Readonly<ImageBound>)

export interface Passage {
  readonly prompt: string
  /** Absent until the prompt has been tokenized. */
  readonly promptTokens?: readonly GivenToken[]
  /**
   * Number of tokens with texts of their own, if the prompt exceeds the context: the next token's text is the text of all remaining
   * tokens.
   */
  readonly named?: number
  /** The position after the control tokens of a chat template, where the text itself begins and keyboard navigation starts. */
  readonly begin?: number
  /**
   * The prompt as the model processes it, if it contains images. Once `promptTokens` is set, the tokens that begin every
   * text are among the parts.
   */
  readonly parts?: readonly PassagePart[]
  /** The start of the answer, for an encoder-decoder. */
  readonly start?: GivenToken
  readonly written: readonly WrittenToken[]
}

export const emptyPassage: Passage = { prompt: '', written: [] }

/** The generated tokens, after the start of the answer for an encoder-decoder. */
export const answerOf = ({ start, written }: Passage): readonly PassageToken[] => (start ? [start, ...written] : written)

const has = ({ parts = [] }: Passage, key: 'image' | 'audio'): boolean =>
  parts.some(part => typeof part === 'object' && key in part)

/** What a prompt has besides text: “pictures”, “sounds” or both. */
export const namesOfMedia = (passage: Passage): string =>
  [...(has(passage, 'image') ? ['pictures'] : []), ...(has(passage, 'audio') ? ['sounds'] : [])].join(' and ')

export const partOfSound = 'part of a sound'

/** The tokens of the prompt. If it has sounds, tokens of images and sounds without a place get a common placeholder. */
export function givenOf(passage: Passage): readonly GivenToken[] {
  const { promptTokens = [] } = passage
  const place = !has(passage, 'audio') ? undefined : has(passage, 'image') ? 'part of a picture or a sound' : partOfSound
  return place === undefined ? promptTokens : promptTokens.map(token => (isOfPicture(token) ? { place, ...token } : token))
}

/** All tokens in order; positions count from 0. */
export const tokensOf = (passage: Passage): readonly PassageToken[] => [...givenOf(passage), ...answerOf(passage)]

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

/** Whether a token belongs to an image or a sound. */
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
