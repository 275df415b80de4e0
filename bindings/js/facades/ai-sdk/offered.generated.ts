// Written by tools/contract from api/: the options of a chat as the AI SDK has them.
import type { JSONValue } from '@ai-sdk/provider'

/** `providerOptions.heed` of language models: options of `Model.chat` that the AI SDK does not have. */
export type HeedLanguageModelOptions = {
  /** White space between the tokens of JSON: any, none, or as `JSON.stringify` indents. Default: at most one byte in each gap. */
  whitespace?: 'any' | 'compact' | { readonly indent: number }
  /**
   * Maximum bytes of white space in one gap, if white space is allowed. From 0 to 65535. Default: 1, with `whitespace: 'any'` 64.
   */
  maxWhitespace?: number
  /** Whether keys come in the schema's order, or in any. Default: the schema's. */
  order?: 'schema' | 'any'
  /**
   * How to treat a `format` that no draft of JSON Schema defines: `known` treats it as an annotation, which `Constraint.ignored`
   * lists; `strict` rejects it; `annotate` treats every format as an annotation. Default: `known`.
   */
  formats?: 'known' | 'strict' | 'annotate'
  /**
   * Escapes in strings that have no `pattern`, `format`, `const` or `enum`: `any` allows `\/` and `\u` of every character,
   * `canonical` what `JSON.stringify` writes. Default: any.
   */
  escapes?: 'any' | 'canonical'
  /**
   * Whether objects and arrays contain only what the schema describes: true reads absent `additionalProperties` and `items` as
   * false, false reads them as true. Default: an object whose keys the schema lists (`properties`) has no others, unless the
   * schema speaks of them (`additionalProperties`, `patternProperties`, `propertyNames`, `unevaluatedProperties`).
   */
  closed?: boolean
  /**
   * Drop tokens less probable than this fraction of the most probable token's probability. At least 0 and below 1. Default: 0.05.
   */
  minP?: number
  /** Divides the scores of tokens that have occurred; 1 disables it. Above 0. Default: 1. */
  repetitionPenalty?: number
  /** Number of most recent tokens that the penalties consider. Default: 64. */
  penaltyWindow?: number
  /** Added to the scores of tokens, by id; -Infinity forbids one. */
  logitBias?: Record<string, number>
  /** Number of most probable tokens to report at each position. Default: 0. */
  topLogprobs?: number
  /**
   * Speculative decoding: guess tokens from the text so far, run them with the next one, and keep the correct ones. The text is
   * identical, but faster where it repeats itself. `auto` guesses only where it pays, and never with `attention`. Default:
   * `auto`.
   */
  speculate?: 'auto' | 'off'
  /**
   * When the context is full: drop the older half of the tokens after the first `keep` and continue. The rest is processed again,
   * so the text continues as if the rest were its prompt. Default: end, with `finishReason` `context`.
   */
  contextShift?: { keep: number }
  /**
   * Whether a reply may have several calls. False: at most one, which ends the reply and is constrained to its format and to the
   * tool's `parameters`, as if all tools were `strict`. Default: true.
   */
  parallelToolCalls?: boolean
  /** Whether to reason before the answer, or for how long. A template without reasoning ignores it. Default: the template's own. */
  think?: boolean | { maxTokens: number; message?: string }
  /**
   * Whether to leave out the oldest turns of a conversation that does not fit into the context with room for `maxTokens`, or for
   * a quarter of the context if that is less. More turns are left out than necessary, up to half of those that would fit, so that
   * the next prompts begin like this one and are not read again. System messages, the last message of the user and everything
   * after it stay; calls and their results stay or go together. `trimmedTurns` of the result says how many turns were left out.
   * Default: false, which ends with `context-overflow`.
   */
  trim?: boolean
  /**
   * Whether the model continues the last message, which must be its own. The result has the new part alone. Not with a
   * constraint. Default: false.
   */
  continueFinal?: boolean
  /**
   * A template to use in place of the model's own: the name of another template in the file (`info.chatTemplates`), or Jinja.
   * Text without `{{` or `{%` is a name; `{ jinja }` is always Jinja.
   */
  template?: string | { jinja: string }
  /** Additional variables of the template. */
  variables?: Record<string, JSONValue>
  /** The current time, for templates that state the date. Default: now. */
  now?: string
}

export const ownNames: Record<keyof HeedLanguageModelOptions, true> = {
  whitespace: true,
  maxWhitespace: true,
  order: true,
  formats: true,
  escapes: true,
  closed: true,
  minP: true,
  repetitionPenalty: true,
  penaltyWindow: true,
  logitBias: true,
  topLogprobs: true,
  speculate: true,
  contextShift: true,
  parallelToolCalls: true,
  think: true,
  trim: true,
  continueFinal: true,
  template: true,
  variables: true,
  now: true,
}

/** The SDK's setting for each option that is one. */
export const settings = {
  temperature: 'temperature',
  topK: 'topK',
  topP: 'topP',
  frequencyPenalty: 'frequencyPenalty',
  presencePenalty: 'presencePenalty',
  seed: 'seed',
  stop: 'stopSequences',
  maxTokens: 'maxOutputTokens',
} as const
