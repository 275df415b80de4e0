// Adapters and edits as the engine takes them. What edits take from other texts is read first, by the unmodified model.
import { HeedError, refuse } from '../wire/errors.js'
import type { WireChanges, WireEdit } from '../wire/changes.js'
import type { WirePrompt } from '../wire/protocol.js'
import type { EngineChanges, EngineEdit, DecoderRun } from './engine.js'
import { idsOf, checkFits } from './handlers/tokens.js'
import type { CallState, Host } from './host.js'
import { copyOf, read, whileReading } from './reading.js'

/** Edit::Kind in src/runtime/changes/edits.hpp. */
const kinds = { add: 0, replace: 1, scaleHead: 2, setHead: 3, cut: 4 }

/** Whether other texts must be read. */
export const needsReading = ({ edits = [] }: WireChanges): boolean => edits.some(edit => 'patch' in edit || 'mean' in edit)

/**
 * Undefined if nothing changes. Throws `invalid-argument` for an adapter that has not been loaded and for edits that do not fit the model.
 * If it `needsReading`, only one call may read meanwhile.
 */
export async function changesOf(host: Host, state: CallState, { adapters = [], edits = [] }: WireChanges): Promise<EngineChanges | undefined> {
  if (adapters.length + edits.length === 0) return undefined
  const changes: EngineChanges = { adapters: adapters.map(([name, scale]) => [numberOf(host, name), scale]), edits: [], indices: [] }
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

/** Gives changes to the engine. An error about one of its edits names the caller's. */
export function withChanges<Result>(changes: EngineChanges | undefined, give: () => Result): Result {
  try {
    return give()
  } catch (error) {
    if (!changes) throw error
    const { code, message } = HeedError.from(error)
    throw new HeedError(code, message.replace(/^edits\[(\d+)\]/, (_, index: number) => `edits[${changes.indices[index]}]`), { cause: error })
  }
}

/** Has a text read by these changes; to be called first. Throws `invalid-argument` for a position that it does not have. */
export function change(reading: DecoderRun, changes: EngineChanges | undefined, ids: number[]): void {
  if (!changes) return
  const { length } = ids
  for (const [at, { positions = [], edges = [] }] of changes.edits.entries()) {
    const outside = positions.find(position => position >= length) ?? edges.find(position => position >= length)
    if (outside !== undefined) throw refuse(`edits[${changes.indices[at]}]: position ${outside} is out of range for ${length} tokens`)
  }
  withChanges(changes, () => reading.change(changes, ids))
}

/** The engine's number of an adapter. */
export function numberOf({ adapters }: Host, name: string): number {
  const number = adapters.get(name)
  if (number !== undefined) return number
  const known = [...adapters.keys()].map(one => `"${one}"`).join(', ') || 'none'
  throw refuse(`adapters: "${name}" has not been loaded; loaded: ${known}`)
}

async function engineEdits(host: Host, state: CallState, edit: WireEdit): Promise<EngineEdit[]> {
  if ('cut' in edit) {
    const { layer, head, query, key } = edit.cut
    const edges = new Uint32Array(2 * query.length * key.length)
    let at = 0
    for (const one of query) {
      for (const other of key) {
        edges[at++] = one
        edges[at++] = other
      }
    }
    return [{ kind: kinds.cut, layer, head, edges }]
  }
  if ('patch' in edit) {
    const { layer, positions } = edit
    const states = await statesOf(host, state, edit.patch, layer, positions.map(([, there]) => there))
    return positions.map(([here], index) => ({ kind: kinds.replace, layer, positions: [here], vector: states[index] }))
  }
  const { positions } = edit
  if (!('head' in edit)) {
    const { layer } = edit
    return 'add' in edit ? [{ kind: kinds.add, layer, positions, vector: edit.add, factor: edit.scale }]
      : [{ kind: kinds.replace, layer, positions, vector: edit.replace }]
  }
  const [layer, head] = edit.head
  if ('scale' in edit) return [{ kind: kinds.scaleHead, layer, head, positions, factor: edit.scale }]
  const vector = 'mean' in edit ? await meanOf(host, state, edit.mean, layer, head) : edit.replace
  return [{ kind: kinds.setHead, layer, head, positions, vector }]
}

/** The tokens of a text other than that of the call. */
const idsOfOther = ({ engine }: Host, prompt: WirePrompt) => {
  const ids = checkFits(engine, idsOf(engine, prompt))
  if (ids.length === 0) throw refuse('the other text has no tokens')
  return ids
}

/** The states after a layer at these positions of a text. */
function statesOf(host: Host, state: CallState, prompt: WirePrompt, layer: number, positions: number[]): Promise<Float32Array[]> {
  const ids = idsOfOther(host, prompt)
  const places = [...new Set(positions)]
  return whileReading(host, async reading => {
    reading.watchStates([layer], places, ids.length)
    await read(host, state, reading, ids)
    const states = copyOf(reading.watched())
    const width = states.length / places.length
    return positions.map(position => states.subarray(places.indexOf(position) * width).subarray(0, width))
  })
}

/** What a head gives in a text, on average. */
function meanOf(host: Host, state: CallState, prompt: WirePrompt, layer: number, head: number): Promise<Float32Array> {
  const ids = idsOfOther(host, prompt)
  return whileReading(host, async reading => {
    reading.watchHeads(layer, ids.length)
    await read(host, state, reading, ids)
    return reading.meanOfHead(head)
  })
}
