// Converts edits for the engine. Values from other texts are read first, in the unmodified model.
import { refuse } from '../../wire/errors.js'
import type { WireEdit } from '../../wire/changes.js'
import type { WirePrompt } from '../../wire/protocol.js'
import type { EngineEdit } from '../engine.js'
import { checkFits, idsOf, placesOf } from '../handlers/tokens.js'
import type { CallState, Host } from '../host.js'
import { copyOf, read, whileReading } from '../reading.js'

/** Edit::Kind in src/runtime/changes/edits.hpp. */
const kinds = { add: 0, replace: 1, scale: 2, cut: 3 }

/** The engine's edits for one edit of the caller. */
export async function engineEdits(host: Host, state: CallState, edit: WireEdit): Promise<EngineEdit[]> {
  if ('cut' in edit) {
    const { layer, head, query, key } = edit.cut
    const edges = new Int32Array(2 * query.length * key.length)
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
    const states = await statesOf(
      host,
      state,
      edit.patch,
      layer,
      positions.map(([, there]) => there),
    )
    return positions.map(([here], index) => ({ kind: kinds.replace, layer, positions: [here], vector: states[index] }))
  }
  const { positions } = edit
  if ('at' in edit) {
    const { at, heads = [undefined] } = edit
    const change =
      'add' in edit
        ? { kind: kinds.add, vector: edit.add, factor: edit.scale }
        : 'replace' in edit
          ? { kind: kinds.replace, vector: edit.replace }
          : { kind: kinds.scale, factor: edit.scale }
    return heads.map(head => ({ at, head, positions, ...change }))
  }
  if (!('head' in edit)) {
    const { layer } = edit
    return 'add' in edit
      ? [{ kind: kinds.add, layer, positions, vector: edit.add, factor: edit.scale }]
      : [{ kind: kinds.replace, layer, positions, vector: edit.replace }]
  }
  const [layer, head] = edit.head
  if ('scale' in edit) return [{ kind: kinds.scale, layer, head, positions, factor: edit.scale }]
  const vector = 'mean' in edit ? await meanOf(host, state, edit.mean, layer, head) : edit.replace
  return [{ kind: kinds.replace, layer, head, positions, vector }]
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
  const wanted = placesOf(host, 'patch', positions, ids)
  const places = [...new Set(wanted)]
  return whileReading(host, async reading => {
    reading.watch({ what: 'states', layers: [layer], positions: places }, ids.length, 0)
    await read(host, state, reading, ids)
    const states = copyOf(reading.watched())
    const width = states.length / places.length
    return wanted.map(position => states.subarray(places.indexOf(position) * width).subarray(0, width))
  })
}

/** The mean of a head's output over a text. */
function meanOf(host: Host, state: CallState, prompt: WirePrompt, layer: number, head: number): Promise<Float32Array> {
  const ids = idsOfOther(host, prompt)
  return whileReading(host, async reading => {
    reading.watch({ what: 'head', layers: [layer] }, ids.length, 0)
    await read(host, state, reading, ids)
    const outputs = reading.watched()
    const [tokens, heads, size] = reading.shapes()[0]!.shape as unknown as [number, number, number]
    if (head >= heads) throw refuse(`head: ${head} is out of range: the layer has ${heads} heads`)
    return Float32Array.from({ length: size }, (_, i) => {
      let sum = 0
      for (let t = 0; t < tokens; t++) sum += outputs[(t * heads + head) * size + i]!
      return sum / tokens
    })
  })
}
