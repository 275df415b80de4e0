// Converts edits for the engine. Values from other texts are read first, in the unmodified model.
import { refuse } from '../../wire/errors.js'
import type { WireEdit } from '../../wire/changes.js'
import type { WirePrompt } from '../../wire/protocol.js'
import type { EngineEdit } from '../engine.js'
import { checkFits, idsOf, placesOf } from '../handlers/tokens.js'
import type { CallState, Host } from '../host.js'
import { copyOf, read, whileReading } from '../reading.js'
import { knownPoints, pointsOf } from './points.js'

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
  if ('at' in edit) {
    const { heads } = edit
    const [at] = knownPoints(host.engine, [edit.at]) as [string]
    if ('patch' in edit) {
      const there = edit.positions.map(([, other]) => other)
      const rows = await rowsAt(host, state, edit.patch, at, heads, there)
      return rows.flatMap(({ head, vectors }) =>
        edit.positions.map(([here], index) => ({ kind: kinds.replace, at, head, positions: [here], vector: vectors[index] })),
      )
    }
    const { positions } = edit
    if ('mean' in edit) {
      const rows = await rowsAt(host, state, edit.mean, at, heads)
      return rows.map(({ head, vectors }) => ({ kind: kinds.replace, at, head, positions, vector: meanOf(vectors) }))
    }
    const change =
      'add' in edit
        ? { kind: kinds.add, vector: edit.add, factor: edit.scale }
        : 'replace' in edit
          ? { kind: kinds.replace, vector: edit.replace }
          : { kind: kinds.scale, factor: edit.scale }
    if ('add' in edit && edit.whole) return ofHeads(host, at, edit.add, edit.scale, positions)
    const each = 'each' in edit && edit.each
    return (heads ?? [undefined]).map(head => ({ at, head, positions, ...(each ? { each } : {}), ...change }))
  }
  if ('patch' in edit) {
    const { layer, ...rest } = edit
    return engineEdits(host, state, { ...rest, at: layer < 0 ? 'embed' : `resid.${layer}` })
  }
  const { positions } = edit
  if (!('head' in edit)) {
    const { layer } = edit
    return 'add' in edit
      ? [{ kind: kinds.add, layer, positions, vector: edit.add, factor: edit.scale }]
      : [{ kind: kinds.replace, layer, positions, vector: edit.replace }]
  }
  const [layer, head] = edit.head
  if ('mean' in edit) return engineEdits(host, state, { at: `head.${layer}`, heads: [head], mean: edit.mean, positions })
  return 'scale' in edit
    ? [{ kind: kinds.scale, layer, head, positions, factor: edit.scale }]
    : [{ kind: kinds.replace, layer, head, positions, vector: edit.replace }]
}

/** Edits that add to every head of a point; `vector` has the values of each head, one head after another. */
function ofHeads({ engine }: Host, at: string, vector: Float32Array, factor: number, positions?: readonly number[]): EngineEdit[] {
  const { parts = 1 } = pointsOf(engine).get(at) ?? {}
  const size = vector.length / parts
  return Array.from({ length: parts }, (_, head) => ({
    kind: kinds.add,
    at,
    ...(parts > 1 ? { head } : {}),
    positions,
    vector: vector.subarray(head * size, (head + 1) * size),
    factor,
  }))
}

/** The tokens of another text than the call's. */
const idsOfOther = (host: Host, prompt: WirePrompt) => {
  const ids = checkFits(host, idsOf(host.engine, prompt))
  if (ids.length === 0) throw refuse('the other text has no tokens')
  return ids
}

/** The values at a point in another text: for each head, if the point has heads, one vector for each of the positions. */
function rowsAt(
  host: Host,
  state: CallState,
  prompt: WirePrompt,
  at: string,
  heads?: readonly number[],
  positions?: readonly number[],
): Promise<{ head: number | undefined; vectors: Float32Array[] }[]> {
  const ids = idsOfOther(host, prompt)
  const wanted = positions ? placesOf(host, 'patch', positions, ids) : [...ids.keys()]
  const places = [...new Set(wanted)]
  if (places.length === 0) return Promise.resolve([])
  return whileReading(host, async reading => {
    reading.watch({ what: 'points', points: [at], positions: places }, ids.length, 0)
    await read(host, state, reading, ids)
    const values = copyOf(reading.watched())
    const { shape, axes } = reading.shapes()[0]!
    const byHead = axes === 2 // heads, then tokens
    const count = byHead ? shape[0]! : shape.length > 2 ? shape[1]! : 1
    const size = values.length / places.length / count
    const all = count > 1 ? Array.from({ length: count }, (_, head) => head) : [undefined]
    return (heads ?? all).map(head => {
      if (head !== undefined && head >= count) throw refuse(`head: ${head} is out of range: the point has ${count} heads`)
      const row = (position: number) => {
        const at = places.indexOf(position)
        return (byHead ? (head ?? 0) * places.length + at : at * count + (head ?? 0)) * size
      }
      return { head, vectors: wanted.map(position => values.subarray(row(position), row(position) + size)) }
    })
  })
}

const meanOf = (vectors: readonly Float32Array[]) =>
  Float32Array.from(
    { length: vectors[0]!.length },
    (_, at) => vectors.reduce((sum, vector) => sum + vector[at]!, 0) / vectors.length,
  )
