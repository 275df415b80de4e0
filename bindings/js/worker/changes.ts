// Converts adapters and edits for the engine; the lab converts edits (lab/edits.ts).
import { HeedError, refuse } from '../wire/errors.js'
import type { WireChanges } from '../wire/changes.js'
import type { DecoderRun, EngineChanges } from './engine.js'
import type { CallState, Host } from './host.js'

/** Whether edits take values from other texts, which must be processed first. */
export const needsReading = ({ edits = [] }: WireChanges): boolean => edits.some(edit => 'patch' in edit || 'mean' in edit)

/**
 * Undefined if there are no changes. Throws `invalid-argument` for an adapter that has not been loaded and for edits that do not
 * fit the model. If the changes need reading (`needsReading`), only one call may read at a time. Also throws as `host.lab` does.
 */
export async function changesOf(
  host: Host,
  state: CallState,
  { adapters = [], edits = [] }: WireChanges,
): Promise<EngineChanges | undefined> {
  if (adapters.length + edits.length === 0) return undefined
  const changes: EngineChanges = {
    adapters: adapters.map(([name, scale]) => [numberOf(host, name), scale]),
    edits: [],
    indices: [],
  }
  if (edits.length === 0) return changes
  const { engineEdits } = await host.lab()
  for (const [index, edit] of edits.entries()) {
    try {
      for (const one of await engineEdits(host, state, edit)) changes.indices[changes.edits.push(one) - 1] = index
    } catch (error) {
      const { code, message } = HeedError.from(error)
      throw code === 'aborted' ? error : new HeedError(code, `edits[${index}]: ${message}`, { cause: error })
    }
  }
  return changes
}

/** Passes changes to the engine. An error about one of the engine's edits names the caller's edit. */
export function withChanges<Result>(changes: EngineChanges | undefined, give: () => Result): Result {
  try {
    return give()
  } catch (error) {
    if (!changes) throw error
    const { code, message } = HeedError.from(error)
    throw new HeedError(
      code,
      message.replace(/^edits\[(\d+)\]/, (_, index: number) => `edits[${changes.indices[index]}]`),
      { cause: error },
    )
  }
}

/** The changes with all positions counted from the beginning of the text. `most`: the largest position allowed. */
export function placed(changes: EngineChanges | undefined, length: number, most = Infinity): EngineChanges | undefined {
  if (!changes) return undefined
  const edits = changes.edits.map((edit, index) => {
    const place = (position: number) => {
      const from0 = position < 0 ? position + length : position
      if (from0 >= 0 && from0 <= most) return from0
      throw refuse(`edits[${changes.indices[index]}]: position ${position} is out of range for ${length} tokens`)
    }
    return { ...edit, positions: edit.positions?.map(place), edges: edit.edges?.map(place) }
  })
  return { ...changes, edits }
}

/**
 * Sets the changes for a text that is about to be processed. Throws `invalid-argument` for a position that the text does not have.
 */
export function change(reading: DecoderRun, changes: EngineChanges | undefined, ids: number[]): void {
  const { length } = ids
  const here = placed(changes, length, length - 1)
  if (here) withChanges(here, () => reading.change(here, ids))
}

/** The engine's number of an adapter. */
export function numberOf({ adapters }: Host, name: string): number {
  const number = adapters.get(name)
  if (number !== undefined) return number
  const known = [...adapters.keys()].map(one => `"${one}"`).join(', ') || 'none'
  throw refuse(`adapters: "${name}" has not been loaded; loaded: ${known}`)
}
