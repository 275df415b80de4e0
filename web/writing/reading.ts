// The processed share of a prompt, without the part that is reused from earlier texts.
import type { PromptProgress } from 'heed'

/** The most tokens per pass. The report of reused tokens comes with the first pass. */
const mostInPass = 128

/** Returns a function that computes the processed share of a prompt, from 0 to 1. */
export function readingShare(): (progress: PromptProgress) => number {
  let reused: number | undefined
  return ({ done, total }) => {
    reused ??= Math.max(done - mostInPass, 0)
    return (done - reused) / (total - reused)
  }
}
