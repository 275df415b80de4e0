// Handlers that process a text: logits and attention.
import { HeedError } from '../../wire/errors.js'
import { namesOf } from '../characters.js'
import { change, changesOf } from '../changes.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { copyOf, encode, floats, read, whileReading } from '../reading.js'
import { idsOf, idsToWrite, placesOf, withTokens } from './tokens.js'

/** The logits at the wanted positions, of a model with bidirectional attention. */
async function predicted(host: Host, state: CallState, ids: number[], wanted: number[], vocabulary: number): Promise<Float32Array> {
  const all = await runPass(host, state, () => host.engine.predict(ids))
  const result = floats(wanted.length * vocabulary)
  wanted.forEach((position, at) => result.set(all.subarray(position * vocabulary, (position + 1) * vocabulary), at * vocabulary))
  return result
}

export const logits: Handler<'logits'> = readingHandler((host, state, call) =>
  withTokens(
    host,
    state,
    call,
    async ids => {
      const { engine } = host
      const { source, positions = [ids.length - 1] } = call
      const wanted = positions === 'all' ? [...ids.keys()] : placesOf(host, 'logits', positions, ids)
      const { vocabulary, maskToken } = host.info
      if (maskToken && !call.adapters?.length && !call.edits?.length) return predicted(host, state, ids, wanted, vocabulary)
      const rowsInOrder = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]!)
      let done = 0 // wanted rows copied so far
      const nextAt = () => wanted[rowsInOrder[done]!] ?? Infinity
      const result = floats(wanted.length * vocabulary)
      const changes = await changesOf(host, state, call)
      return whileReading(host, async reading => {
        change(reading, changes, ids)
        if (source !== undefined) await encode(host, state, reading, idsOf(engine, source))
        const reused = source === undefined ? reading.reuse(ids, Math.min(nextAt(), ids.length)) : 0
        await read(
          host,
          state,
          reading,
          ids,
          reused,
          (_, end) => Math.min(nextAt(), end),
          (first, end, rows) => {
            for (; nextAt() < end; done++) {
              const from = (nextAt() - first) * vocabulary
              result.set(rows.subarray(from, from + vocabulary), rowsInOrder[done]! * vocabulary)
            }
          },
        )
        return result
      })
    },
    idsToWrite,
  ),
)

export const attention: Handler<'attention'> = readingHandler((host, state, call) => {
  const { engine } = host
  const { asked, source } = call
  const isEncoder = asked.of === 'encoder'
  return withTokens(
    host,
    state,
    call,
    async (ids, images) => {
      const sourceIds = source === undefined ? [] : idsOf(engine, source, call)
      const changes = await changesOf(host, state, call)
      if (changes && isEncoder) throw new HeedError('unsupported', 'attention: adapters and edits are for decoders alone')
      const weights = isEncoder
        ? (await runPass(host, state, () => engine.recordEncoder(ids, asked))).values
        : await whileReading(host, async reading => {
            change(reading, changes, ids)
            reading.watch(asked, ids.length, sourceIds.length)
            if (source !== undefined) await encode(host, state, reading, sourceIds)
            await read(host, state, reading, ids)
            return copyOf(reading.watched())
          })
      const named = (list: number[]) => namesOf(list, part => engine.detokenize(part, true, false))
      return { tokens: named(ids), sourceTokens: named(sourceIds), weights, images }
    },
    isEncoder ? idsOf : idsToWrite,
  )
})
