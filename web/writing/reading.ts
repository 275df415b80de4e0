// How much of a prompt has been read, of what was to be read: what earlier texts have left of it is not read again.
import type { PromptProgress } from 'heed'

/** The most tokens that a pass reads. What is reported of reused tokens comes with the first pass. */
const mostInPass = 128

/** Returns what tells the share of a prompt that has been read, from 0 to 1. */
export function readingShare(): (progress: PromptProgress) => number {
  let reused: number | undefined
  return ({ done, total }) => {
    reused ??= Math.max(done - mostInPass, 0)
    return (done - reused) / (total - reused)
  }
}
