// Handlers that look into attention while a text is read: what a row of weights is computed from, and how long its values are.
import type { AttentionOf } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { WirePrompt } from '../../wire/protocol.js'
import { namesOf } from '../characters.js'
import type { Reading } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { encode, read, whileReading } from '../reading.js'
import { checkFits, idsOf, idsToWrite } from './tokens.js'

interface Text {
  prompt: WirePrompt
  source?: WirePrompt
  addSpecial: boolean
  parseSpecial: boolean
}

/** The tokens that attend, and those of the source. */
function idsFor({ engine }: Host, call: Text, of: AttentionOf): { ids: number[], sourceIds: number[] } {
  const ids = of === 'encoder' ? idsOf(engine, call.prompt, call) : idsToWrite(engine, call.prompt, call)
  return { ids: checkFits(engine, ids), sourceIds: call.source === undefined ? [] : idsOf(engine, call.source, call) }
}

/** Runs the decoder on tokens that `watch` has asked to be recorded. */
async function readText(host: Host, state: CallState, ids: number[], sourceIds: number[] | undefined, watch: (reading: Reading) => void,
  result: (reading: Reading) => Float64Array | Float32Array,
) {
  return whileReading(host, async reading => {
    if (sourceIds) await encode(host, state, reading, sourceIds)
    watch(reading)
    await read(host, state, reading, ids)
    return result(reading)
  })
}

const named = ({ engine }: Host, ids: number[]) => namesOf(ids, part => engine.detokenize(part, true, false))

export const attentionParts: Handler<'attentionParts'> = readingHandler(async (host, state, call) => {
  const { layer, head, of, query: asked = -1 } = call
  const { ids, sourceIds } = idsFor(host, call, of)
  const query = asked < 0 ? ids.length + asked : asked
  if (query < 0 || query >= ids.length) {
    throw new HeedError('invalid-argument', `attentionParts: query: ${asked} is out of range for ${ids.length} tokens`)
  }
  const keys = of === 'cross' ? sourceIds : ids
  const numbers = of === 'encoder'
    ? await runPass(host, state, () => host.engine.encoderAttentionParts(ids, layer, head, query))
    : await readText(host, state, ids.slice(0, query + 1), call.source === undefined ? undefined : sourceIds,
      reading => reading.watchAttentionParts(layer, head, query, of, query + 1, of === 'cross' ? keys.length : query + 1),
      reading => reading.attentionParts())
  return { tokens: named(host, ids), keys: named(host, keys), query, numbers: numbers as Float64Array }
})

export const valueNorms: Handler<'valueNorms'> = readingHandler(async (host, state, call) => {
  const { of, selection } = call
  const { ids, sourceIds } = idsFor(host, call, of)
  const norms = of === 'encoder'
    ? await runPass(host, state, () => host.engine.encoderValueNorms(ids, selection))
    : await readText(host, state, ids, call.source === undefined ? undefined : sourceIds,
      reading => reading.watchValues({ ...selection, of }, ids.length), reading => reading.valueNorms())
  return { tokens: named(host, ids), norms: norms as Float32Array }
})
