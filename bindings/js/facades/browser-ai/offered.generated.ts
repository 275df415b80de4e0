// Written by tools/contract from api/: the chat options that the browsers' AI interfaces offer.

/** The options of a chat that these interfaces take under the same names. */
export const offered = [
  'topP',
  'minP',
  'repetitionPenalty',
  'seed',
  'maxTokens',
  'maxSteps',
  'think',
  'template',
  'variables',
  'now',
] as const

export const standard = { temperature: 0.8, topK: 40 } as const
