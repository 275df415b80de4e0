// Written by tools/contract from api/: OpenAI's parameters for options, and how they are read.
import { boolean, integer, number, oneOf } from './read.js'
import { logitBias, seed, stop, topK, topP, whitespace } from './values.js'

/** Parameters that chats and plain completions share. */
export interface OfferedParams {
  /** From 0 to 2. */
  temperature?: number | null
  /** Extension: `topK` of `GenerateOptions`. */
  top_k?: number | null
  /** From 0 to 1. */
  top_p?: number | null
  /** Extension: `minP` of `GenerateOptions`. */
  min_p?: number | null
  /** Extension: `repetitionPenalty` of `GenerateOptions`. */
  repetition_penalty?: number | null
  /** From -2 to 2; considers the last 64 tokens, the default of `penaltyWindow`. */
  frequency_penalty?: number | null
  /** From -2 to 2; considers the last 64 tokens, the default of `penaltyWindow`. */
  presence_penalty?: number | null
  /** Maps token ids to numbers from -100 to 100. */
  logit_bias?: Record<string, number> | null
  /** Any integer. */
  seed?: number | null
  stop?: string | string[] | null
}

/** Parameters for answers in JSON. */
export interface OfferedFormParams {
  /** Extension: white space between the parts of the JSON of `response_format`, as `whitespace` of `ConstraintOptions`. */
  whitespace?: 'any' | 'compact' | { indent: number } | null
  /** Extension: `closed` of `ConstraintOptions`. */
  closed?: boolean | null
}

export const offered = {
  temperature: number(0, 2),
  top_k: topK,
  top_p: topP,
  min_p: number(0, 0.99),
  repetition_penalty: number(0.1, 10),
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  logit_bias: logitBias,
  seed,
  stop,
}

export const offeredForm = {
  whitespace,
  closed: boolean,
}

/** Options of schemas that a client passes under Heed's own names. */
export const ofSchemas = {
  whitespace,
  maxWhitespace: integer(0, 65535),
  order: oneOf('schema', 'any'),
  formats: oneOf('known', 'strict', 'annotate'),
  escapes: oneOf('any', 'canonical'),
  closed: boolean,
}
