// Handlers that look into attention while a text is read: what a row of weights is computed from, and how long its values are.
import { refuse } from '../../wire/errors.js'
import type { Call, WireTextImage } from '../../wire/protocol.js'
import { namesOf } from '../characters.js'
import type { DecoderRun } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { encode, read, whileReading } from '../reading.js'
import { endAfter, idsOf, idsToWrite, withTokens } from '../handlers/tokens.js'

type Attending = Extract<Call, { type: 'attentionParts' | 'valueNorms' }>

/** `withTokens` for the tokens that attend, and those of the source, if there is one. */
const withAttending = <Result>(
  host: Host,
  state: CallState,
  call: Attending,
  use: (ids: number[], images: WireTextImage[], sourceIds?: number[]) => Promise<Result>,
): Promise<Result> => {
  const { of, source } = call
  return withTokens(
    host,
    state,
    call,
    (ids, images) => use(ids, images, source === undefined ? undefined : idsOf(host.engine, source, call)),
    of === 'encoder' ? idsOf : idsToWrite,
  )
}

/** Runs the decoder on tokens that `watch` has asked to be recorded. */
async function readText(
  host: Host,
  state: CallState,
  ids: number[],
  sourceIds: number[] | undefined,
  watch: (reading: DecoderRun) => void,
  result: (reading: DecoderRun) => Float64Array | Float32Array,
) {
  return whileReading(host, async reading => {
    if (sourceIds) await encode(host, state, reading, sourceIds)
    watch(reading)
    await read(host, state, reading, ids)
    return result(reading)
  })
}

const named = ({ engine }: Host, ids: number[]) => namesOf(ids, part => engine.detokenize(part, true, false))

export const attentionParts: Handler<'attentionParts'> = readingHandler((host, state, call) =>
  withAttending(host, state, call, async (ids, images, sourceIds) => {
    const { layer, head, of, query: asked = -1 } = call
    const query = asked < 0 ? ids.length + asked : asked
    if (query < 0 || query >= ids.length) {
      throw refuse(`attentionParts: query: ${asked} is out of range for ${ids.length} tokens`)
    }
    const keys = of === 'cross' ? sourceIds! : ids
    const end = endAfter(ids, query)
    const numbers =
      of === 'encoder'
        ? await runPass(host, state, () => host.engine.encoderAttentionParts(ids, layer, head, query))
        : await readText(
            host,
            state,
            ids.slice(0, end),
            sourceIds,
            reading => reading.watchAttentionParts(layer, head, query, of, end, of === 'cross' ? keys.length : end),
            reading => reading.attentionParts(),
          )
    return { tokens: named(host, ids), keys: named(host, keys), query, numbers: numbers as Float64Array, images }
  }),
)

export const valueNorms: Handler<'valueNorms'> = readingHandler((host, state, call) =>
  withAttending(host, state, call, async (ids, images, sourceIds) => {
    const { of, selection } = call
    const norms =
      of === 'encoder'
        ? await runPass(host, state, () => host.engine.encoderValueNorms(ids, selection))
        : await readText(
            host,
            state,
            ids,
            sourceIds,
            reading => reading.watchValues({ ...selection, of }, ids.length),
            reading => reading.valueNorms(),
          )
    return { tokens: named(host, ids), norms: norms as Float32Array, images }
  }),
)
