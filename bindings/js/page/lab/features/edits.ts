// Turns edits by dictionaries into edits that the engine knows. `clamp` and `splice` depend on the values of the text. So each of them
// first runs a pass with the edits that come before it, and computes its change from the values of that pass.
import { HeedError, refuse } from '../../../wire/errors.js'
import type { DictionaryEdit, WireEdit } from '../../../wire/changes.js'
import type { Call } from '../../../wire/protocol.js'
import type { Connection } from '../../connection.js'
import { pausing } from '../pausing.js'
import { Dictionary, type Encoded } from './dictionary.js'
import { valuesAt } from './features.js'

type AnyEdit = WireEdit | DictionaryEdit
type Text = Parameters<typeof valuesAt>[2]
/** An edit that needs the values of a text. */
type Replacing = Exclude<DictionaryEdit, { scale: number }>

const isOfDictionary = (edit: AnyEdit): edit is DictionaryEdit => 'feature' in edit || 'splice' in edit

/** The call with edits that can be sent. Throws `unsupported` for `clamp` and `splice` in a text that is being written. */
export async function withFeatures(connection: Connection, call: Call, signal?: AbortSignal): Promise<Call> {
  const isWritten = call.type === 'generate'
  const { edits = [] } = (isWritten ? call.options : call) as { edits?: readonly AnyEdit[] }
  const made: WireEdit[] = []
  for (const group of grouped(edits)) {
    const [edit] = group
    if (!isOfDictionary(edit)) made.push(edit)
    else if ('scale' in edit) made.push(steering(edit))
    else if (isWritten || !('prompt' in call))
      throw new HeedError('unsupported', `${call.type}: clamp and splice need a text that is given whole`)
    else {
      const text = { ...(call as unknown as Text), edits: made }
      for (const one of await replacing(connection, text, group as readonly Replacing[], signal)) made.push(one)
    }
  }
  return isWritten ? { ...call, options: { ...call.options, edits: made } } : ({ ...call, edits: made } as Call)
}

/**
 * Edits one by one, but clamps by the same dictionary that follow each other together: all of them are of the activations that the value
 * had before the first, which an edit of the value would change.
 */
function grouped(edits: readonly AnyEdit[]): (readonly [AnyEdit, ...AnyEdit[]])[] {
  const groups: [AnyEdit, ...AnyEdit[]][] = []
  for (const edit of edits) {
    const [first] = groups.at(-1) ?? []
    const isFurther = first && 'clamp' in first && 'clamp' in edit && first.feature[0] === edit.feature[0]
    if (isFurther) groups.at(-1)!.push(edit)
    else groups.push([edit])
  }
  return groups
}

function known(value: unknown): Dictionary {
  if (value instanceof Dictionary) return value
  throw refuse('edits: expected what model.loadFeatures gives')
}

/** An edit at a point adds to all its heads alike, or to each of some. */
const steering = ({ feature, scale, positions }: Extract<DictionaryEdit, { scale: number }>): WireEdit => {
  const [sae, index] = feature
  const { pointOut } = known(sae)
  return { at: pointOut, add: sae.direction(index), scale, whole: true, ...(positions && { positions }) }
}

/** The edit at the dictionary's point that stands for a splice, or for clamps. */
async function replacing(
  connection: Connection,
  text: Text,
  group: readonly Replacing[],
  signal?: AbortSignal,
): Promise<WireEdit[]> {
  const [edit] = group as readonly [Replacing]
  const dictionary = known('splice' in edit ? edit.splice : edit.feature[0])
  const { point, pointOut, width, widthOut, isTranscoder } = dictionary
  const { prompt, addSpecial, parseSpecial, adapters } = text
  const plain = { prompt, addSpecial, parseSpecial, adapters, edits: text.edits }
  const { tokens, at } = await valuesAt(connection, [point, pointOut], plain, signal)
  const [inputs, targets] = at as [Float32Array, Float32Array]
  const placesOf = group.map(({ positions }) => placesIn(tokens.length, positions))
  const places = [...new Set(placesOf.flat())]
  if (places.length === 0) return []
  const rows = new Float32Array(places.length * widthOut)
  const pause = pausing(signal)
  for (const [index, place] of places.entries()) {
    await pause()
    const [encoded] = dictionary.encode([(isTranscoder ? inputs : targets).subarray(place * width, (place + 1) * width)]) as [
      Encoded,
    ]
    const before = dictionary.decode(encoded)
    if ('splice' in edit) {
      rows.set(before, index * widthOut)
      continue
    }
    const activations = encoded.activations.slice()
    for (const [number, one] of group.entries())
      if ('clamp' in one && placesOf[number]!.includes(place)) activations[one.feature[1]] = one.clamp
    const after = dictionary.decode({ ...encoded, activations })
    rows.set(
      after.map((value, channel) => targets[place * widthOut + channel]! + (value - before[channel]!)),
      index * widthOut,
    )
  }
  return [{ at: pointOut, replace: rows, each: true, positions: places }]
}

function placesIn(length: number, positions?: readonly number[]): number[] {
  const places = (positions ?? [...Array(length).keys()]).map(position => (position < 0 ? position + length : position))
  const outside = places.findIndex(place => !(place >= 0 && place < length))
  if (outside >= 0) throw refuse(`edits: position ${positions![outside]} is out of range for ${length} tokens`)
  return places
}
