// Lines between turns: where another model has gone on with the conversation, or would.
import { handoversOf } from '../conversation/writers.js'
import type { Turn } from '../conversation/turns.js'
import { make } from '../support/dom.js'
import { foreign } from '../support/format.js'

/** Updates the lines between the turns in view. `current` is the current model's name; `placeOf` returns a turn's element. */
export function showHandovers(
  list: HTMLElement,
  path: readonly Turn[],
  current: string | undefined,
  placeOf: (turn: Turn) => HTMLElement | undefined,
): void {
  for (const line of list.querySelectorAll('.handover')) line.remove()
  for (const { before, sentence } of handoversOf(path, current)) {
    const line = make('li', { className: 'handover' }, foreign(sentence, 300))
    if (!before) list.append(line)
    else if (list.contains(placeOf(before) ?? null)) placeOf(before)!.before(line)
  }
}
