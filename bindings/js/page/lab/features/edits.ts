// Runs calls with edits by dictionaries, converted to edits that the engine knows. `clamp` and `splice` depend on the values of the
// text, so each of them first runs a pass with the edits that come before it, and computes its change from the values of that pass.
import { HeedError, refuse } from '../../../wire/errors.js'
import type { WireEdit } from '../../../wire/changes.js'
import type { Call } from '../../../wire/protocol.js'
import type { CallOptions, Connection } from '../../connection.js'
import type { Text } from './features.js'
import { type AnyEdit, grouped, isReplacing, plain, Replacement, type Replacing } from './replacing.js'
import { write } from './writing.js'

/** Runs a call with its edits converted. Throws `unsupported` for `clamp` and `splice` in a call without a text. */
export async function runWithFeatures(connection: Connection, call: Call, options: CallOptions): Promise<unknown> {
  const isWritten = call.type === 'generate'
  const { edits = [] } = (isWritten ? call.options : call) as { edits?: readonly AnyEdit[] }
  if (isWritten && edits.some(isReplacing)) return write(connection, call, edits, options)
  const made: WireEdit[] = []
  for (const group of grouped(edits)) {
    const [edit] = group
    if (!isReplacing(edit)) made.push(plain(edit))
    else if ('prompt' in call) {
      const text = { ...(call as unknown as Text), edits: made }
      made.push(...(await replacing(connection, text, group as readonly [Replacing], options.signal)))
    } else throw new HeedError('unsupported', `${call.type}: clamp and splice need a text`)
  }
  const sent = isWritten ? { ...call, options: { ...call.options, edits: made } } : { ...call, edits: made }
  return connection.call(sent as Call, options)
}

async function replacing(
  connection: Connection,
  { prompt, addSpecial, parseSpecial, adapters, edits }: Text,
  group: readonly [Replacing, ...Replacing[]],
  signal?: AbortSignal,
): Promise<WireEdit[]> {
  const text = { prompt, addSpecial, parseSpecial, adapters, edits: [...edits!] }
  const { length } = await connection.call({ type: 'tokenize', prompt, addSpecial, parseSpecial }, { signal })
  const replacement = new Replacement(group)
  await replacement.extend(
    connection,
    text,
    group.map(({ positions }) => placesIn(length, positions)),
    signal,
  )
  return replacement.edits()
}

function placesIn(length: number, positions?: readonly number[]): number[] {
  const places = (positions ?? [...Array(length).keys()]).map(position => (position < 0 ? position + length : position))
  const outside = places.findIndex(place => !(place >= 0 && place < length))
  if (outside >= 0) throw refuse(`edits: position ${positions![outside]} is out of range for ${length} tokens`)
  return places
}
