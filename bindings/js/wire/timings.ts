// The timings of a text that has not been processed.
import type { Timings } from '../types/index.js'

export const noTimings: Timings = {
  promptTokens: 0,
  reusedTokens: 0,
  generatedTokens: 0,
  guessedTokens: 0,
  acceptedTokens: 0,
  draftedTokens: 0,
  acceptedDrafts: 0,
  draftsByPlace: [],
  speculation: 'off',
  prefillMs: 0,
  decodeMs: 0,
  prefillTokensPerSecond: 0,
  decodeTokensPerSecond: 0,
}
