// Scores heads by the tokens that they attend to in a random sequence that occurs twice, which training cannot have taught. The
// kinds of heads are described in https://transformer-circuits.pub/2022/in-context-learning-and-induction-heads, and measured as in
// TransformerLens.
import type { HeadScores, ModelInfo } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import type { WireChanges } from '../../wire/changes.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { splitAttention } from '../heads.js'
import type { Connection } from '../connection.js'
import { ordinaryTokens } from './ordinary-tokens.js'

export interface Search extends WireChanges {
  length?: number
  sequences: number
  seed: number
  signal?: WebAbortSignal
}

/** The length of a sequence if the caller sets none. */
const usualLength = 50
/** The most weights to read at a time: 64 MB. */
const mostWeights = 2 ** 24

export async function findHeads(
  connection: Connection,
  info: ModelInfo,
  { length, sequences, seed, signal, ...changes }: Search,
): Promise<HeadScores[]> {
  if (!info.generates || info.decoderStart !== undefined) {
    throw new HeedError('unsupported', `findHeads: ${info.architecture}: only for decoders alone`)
  }
  const { length: special } = await connection.call(
    { type: 'tokenize', prompt: '', addSpecial: true, parseSpecial: false },
    { signal },
  )
  const room = Math.floor((info.contextLength - special) / 2)
  if (length !== undefined && length > room) {
    throw new HeedError(
      'context-overflow',
      `findHeads: ${2 * length + special} tokens do not fit in a context of ${info.contextLength}`,
    )
  }
  const draw = ordinaryTokens(connection, info, seed, signal)
  let sums: HeadScores[] | undefined
  for (let drawn = 0; drawn < sequences; drawn++) {
    const text = await draw(length ?? Math.min(usualLength, room))
    if (text.length < (length ?? 2)) {
      throw refuse(`findHeads: length: the vocabulary has only ${text.length} tokens that texts are made of`)
    }
    const size = 2 * text.length + special
    const layersAtATime = Math.max(1, Math.floor(mostWeights / (info.heads * size ** 2)))
    const found: HeadScores[] = []
    for (let from = 0; from < info.layers; from += layersAtATime) {
      const layers = Array.from({ length: Math.min(layersAtATime, info.layers - from) }, (_, index) => from + index)
      for (const score of await scoresOf(connection, info, text, layers, changes, signal)) found.push(score)
    }
    sums = sums?.map((sum, at) => byKind(kind => sum[kind] + found[at]![kind], sum)) ?? found
  }
  return sums!.map(sum => byKind(kind => sum[kind] / sequences, sum))
}

/** The scores of the heads of these layers on a sequence that occurs twice; layers without attention are left out. */
async function scoresOf(
  connection: Connection,
  info: ModelInfo,
  once: readonly number[],
  layers: number[],
  changes: WireChanges,
  signal?: WebAbortSignal,
): Promise<HeadScores[]> {
  const selection = { layers, heads: [], of: 'decoder' as const }
  const { tokens, weights } = await connection.call(
    {
      type: 'attention',
      prompt: { parts: [{ ids: [...once, ...once] }] },
      addSpecial: true,
      parseSpecial: false,
      asked: { what: 'attention', ...selection },
      ...changes,
    },
    { signal },
  )
  const begin = tokens.findIndex((_, at) => once.every((id, index) => tokens[at + index]?.id === id))
  return splitAttention(weights, selection, info).flatMap((heads, index) =>
    heads.flatMap((map, head) =>
      map.some(weight => weight > 0) ? { layer: layers[index]!, head, ...kindsOf(map, tokens.length, begin, once.length) } : [],
    ),
  )
}

/** A head's scores, from its T x T map; the repeated sequence begins at `begin`. */
function kindsOf(map: Float32Array, size: number, begin: number, length: number): Omit<HeadScores, 'layer' | 'head'> {
  const again = begin + length,
    end = again + length
  const mean = (from: number, keyOf: (query: number) => number) => {
    let sum = 0
    for (let query = from; query < end; query++) sum += map[query * size + keyOf(query)]!
    return sum / (end - from)
  }
  return {
    previousToken: mean(Math.max(begin, 1), query => query - 1),
    duplicateToken: mean(again, query => query - length),
    induction: mean(again, query => query - length + 1),
    firstToken: mean(Math.max(begin, 1), () => 0),
  }
}

const byKind = (value: (kind: keyof HeadScores) => number, { layer, head }: HeadScores): HeadScores => ({
  layer,
  head,
  previousToken: value('previousToken'),
  duplicateToken: value('duplicateToken'),
  induction: value('induction'),
  firstToken: value('firstToken'),
})
