// Written by tools/contract from api/: what the Prompt API offers of the options of a chat.

/** Options of a chat that answers take by their names. */
export type OfferedName =
  | 'topP'
  | 'minP'
  | 'repetitionPenalty'
  | 'seed'
  | 'maxTokens'
  | 'maxSteps'
  | 'think'
  | 'template'
  | 'variables'
  | 'now'

export const standard = { temperature: 0.8, topK: 40 } as const
