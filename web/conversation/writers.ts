// The places of a conversation where another model goes on, or would.
import type { Turn } from './turns.js'

/** A place where another model goes on: before a turn, or at the end. */
export interface Handover {
  readonly before?: Turn
  readonly sentence: string
}

const goesOn = (from: string, to: string) => `Written by ${from}; ${to} goes on.`

/** The handovers among turns, including one to the model named `current` if another one wrote last. */
export function handoversOf(path: readonly Turn[], current: string | undefined): Handover[] {
  const handovers: Handover[] = []
  let from: string | undefined
  /** The message that the next answer replies to: it was written to the model that answers. */
  let said: Turn | undefined
  for (const turn of path) {
    if (turn.role === 'user') {
      said ??= turn
      continue
    }
    for (const [at, writer] of turn.writers.entries()) {
      if (from !== undefined && writer !== from)
        handovers.push(
          at === 0
            ? { before: said ?? turn, sentence: goesOn(from, writer) }
            : { before: turn, sentence: `${from} began this answer; ${writer} went on with it.` },
        )
      from = writer
    }
    said = undefined
  }
  if (from !== undefined && current !== undefined && current !== from)
    handovers.push({ before: said, sentence: goesOn(from, current) })
  return handovers
}
