// Handlers that inspect a decoder while it processes a text: the residual stream, the logit lens, scores, and logit attribution.
import type { Attribution, Score, TokenProbability } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import type { Call, Results, WirePrompt, WireText, WireTextImage } from '../../wire/protocol.js'
import { change, changesOf } from '../changes.js'
import { namesOf } from '../characters.js'
import type { DecoderRun, Engine, EngineChanges } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { copyOf, leastOf, passOf, read, whileReading } from '../reading.js'
import { tokenOf } from './token.js'
import { checkFits, endAfter, idsOf, placesOf, withTokens } from '../handlers/tokens.js'

type TextCall = 'hidden' | 'lens' | 'score' | 'attribute'

/**
 * A handler that gets the tokens of its text, at least one, as `withTokens` passes them. Throws `unsupported` for a decoder with an
 * encoder.
 */
const textHandler = <Type extends TextCall>(
  type: Type,
  handle: (
    host: Host,
    state: CallState,
    call: Extract<Call, { type: Type }>,
    ids: number[],
    images: WireTextImage[],
  ) => Promise<Results[Type]>,
): Handler<Type> =>
  readingHandler<Type>((host, state, call) => {
    const { architecture, decoderStart } = host.info
    if (decoderStart !== undefined) throw new HeedError('unsupported', `${type}: ${architecture}: only for decoders alone`)
    return withTokens(host, state, call as WireText, async (ids, images) => {
      if (ids.length === 0) throw refuse(`${type}: the text has no tokens`)
      return handle(host, state, call, ids, images)
    })
  })

const textOf = (engine: Engine, id: number) => engine.detokenize([id], true, false)
const named = (engine: Engine, id: number) => ({ id, text: textOf(engine, id) })
const tokensOf = (engine: Engine, ids: readonly number[]) => namesOf(ids, part => engine.detokenize(part, true, false))

/** Processes a text and reads its states at some places. */
async function readStates<Result>(
  host: Host,
  state: CallState,
  { layers, ...call }: Extract<Call, { type: 'hidden' | 'lens' }>,
  ids: number[],
  places: number[],
  use: (reading: DecoderRun) => Result | Promise<Result>,
): Promise<Result> {
  const changes = await changesOf(host, state, call)
  const watched = places.length > 0 ? places : [0] // for the engine, an empty list means all
  return whileReading(host, async reading => {
    change(reading, changes, ids)
    reading.watch({ what: 'states', layers, positions: watched }, ids.length, 0)
    await read(host, state, reading, ids, reading.reuse(ids, leastOf(watched)))
    return use(reading)
  })
}

export const hidden = textHandler('hidden', async (host, state, call, ids, images) => {
  const places = placesOf(host, 'hidden', call.positions ?? [...ids.keys()], ids)
  const states = await readStates(host, state, call, ids, places, reading =>
    places.length > 0 ? copyOf(reading.watched()) : new Float32Array(),
  )
  return { tokens: tokensOf(host.engine, ids), positions: places, states, images }
})

export const lens = textHandler('lens', async (host, state, call, ids, images) => {
  const { engine, maxBatch } = host
  const { positions = [-1], top, tokens } = call
  const places = placesOf(host, 'lens', positions === 'all' ? [...ids.keys()] : positions, ids)
  const watched: number[] = []
  for (const token of tokens) {
    watched.push(tokenOf('lens: tokens', host, token))
    if (watched.length % 64 === 0) await runPass(host, state, () => true) // each searches the vocabulary
  }
  const texts = new Map<number, string>()
  const probability = (id: number, logprob: number): TokenProbability => {
    if (!texts.has(id)) texts.set(id, textOf(engine, id))
    return { id, text: texts.get(id)!, logprob }
  }
  const predictions = await readStates(host, state, call, ids, places, async reading => {
    const all: { top: TokenProbability[]; logprobs: number[] }[] = []
    for (let left = reading.watched().length / host.info.width; left > 0; ) {
      const rows = Math.min(left, maxBatch)
      const flat = await runPass(host, state, () => reading.lens(all.length, rows, top, watched))
      const size = flat.length / rows
      for (let from = 0; from < flat.length; from += size) {
        const best = [...flat.subarray(from, from + size - watched.length)]
        all.push({
          top: best.flatMap((id, at) => (at % 2 === 0 ? probability(id, best[at + 1]!) : [])),
          logprobs: [...flat.subarray(from + best.length, from + size)],
        })
      }
      left -= rows
    }
    return all
  })
  return { tokens: tokensOf(engine, ids), positions: places, watched: watched.map(id => named(engine, id)), predictions, images }
})

export const score = textHandler('score', async (host, state, { prompt, continuations, ...call }, context) => {
  const changes = await changesOf(host, state, call)
  if (!continuations) return [await scoreFrom(host, state, context, 1, changes)]
  const rows = context.filter(id => id < 0) // images come first in each of the texts
  const addSpecial = call.addSpecial && !Array.isArray(prompt) // token ids get no special tokens
  const scores: Score[] = []
  for (const [index, continuation] of continuations.entries()) {
    const planned = checkFits(host, idsOf(host.engine, joined(prompt, continuation), { ...call, addSpecial }))
    let row = 0
    const ids = planned.map(id => (id < 0 ? rows[row++]! : id))
    const differs = ids.findIndex((id, at) => id !== context[at])
    const from = differs < 0 ? ids.length : differs
    if (from === ids.length) throw new HeedError('invalid-argument', `score: continuations[${index}]: has no tokens`, { index })
    scores.push(await scoreFrom(host, state, ids, Math.max(from, 1), changes))
  }
  return scores
})

/** A prompt and its continuation, as one text. */
function joined(prompt: WirePrompt, continuation: WirePrompt): WirePrompt {
  const partsOf = (one: WirePrompt) => (typeof one === 'string' ? [one] : Array.isArray(one) ? [{ ids: one }] : one.parts)
  return Array.isArray(prompt) && Array.isArray(continuation)
    ? [...prompt, ...continuation]
    : { parts: [...partsOf(prompt), ...partsOf(continuation)] }
}

/** The score of the tokens from position `from` on, which is at least 1. Tokens of images have no probability. */
async function scoreFrom(
  host: Host,
  state: CallState,
  ids: number[],
  from: number,
  changes: EngineChanges | undefined,
): Promise<Score> {
  const { engine } = host
  const tokens = tokensOf(engine, ids)
    .slice(from)
    .filter(({ id }) => id >= 0)
  let last = ids.length - 1
  while (last > 0 && ids[last]! < 0) last-- // trailing images need not be processed
  let first = from - 1 // its logits are for the first token that is scored
  while (first > 0 && ids[first]! < 0 && ids[first - 1]! < 0) first-- // tiles of images may have to be processed whole
  const logProbs = new Float32Array(tokens.length)
  await whileReading(host, async reading => {
    change(reading, changes, ids)
    await read(host, state, reading, ids.slice(0, first), reading.reuse(ids, first))
    for (let at = first, done = 0; at < last; ) {
      const end = at + passOf(host, reading, ids.slice(at, last))
      const scored = await runPass(host, state, () => reading.score(ids.slice(at, end + 1)))
      logProbs.set(scored, done)
      done += scored.length
      at = end
    }
  })
  const [sum, mean, perplexity] = engine.scoreOf(logProbs) as unknown as [number, number, number]
  return { tokens, logProbs, sum, mean, perplexity }
}

export const attribute = textHandler('attribute', async (host, state, { position = -1, token, against, ...call }, ids, images) => {
  const { engine } = host
  const [place] = placesOf(host, 'attribute', [position], ids) as [number]
  const wanted = token === undefined ? undefined : tokenOf('attribute: token', host, token)
  const other = against === undefined ? -1 : tokenOf('attribute: against', host, against)
  const changes = await changesOf(host, state, call)
  return whileReading(host, async reading => {
    change(reading, changes, ids)
    reading.watch({ what: 'attribution', positions: [place] }, ids.length, 0)
    let id = wanted ?? 0
    const isAsked = (end: number) => wanted === undefined && end > place
    const text = ids.slice(0, endAfter(ids, place))
    await read(
      host,
      state,
      reading,
      text,
      reading.reuse(ids, place),
      (_, end) => (isAsked(end) ? place : end),
      (first, _, rows) => {
        if (first === place)
          id = rows.subarray(0, host.info.vocabulary).reduce((most, logit, one) => (logit > rows[most]! ? one : most), 0)
      },
    )
    return {
      tokens: tokensOf(engine, ids),
      token: named(engine, id),
      ...(other < 0 ? {} : { against: named(engine, other) }),
      position: place,
      ...partsOf(reading.attribute(id, other)),
      images,
    }
  })
})

type Parts = Omit<Attribution, 'tokens' | 'token' | 'against' | 'position' | 'images'>

function partsOf(flat: Float64Array): Parts {
  const [embedding, constant, sum, logit, beforeCap, ...rest] = flat as unknown as [
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ]
  const heads: number[][] = [],
    attentionBias: number[] = [],
    mlp: number[] = [],
    experts: { expert: number; part: number }[][] = []
  while (rest.length > 0) {
    const [bias, other, count] = rest.splice(0, 3) as [number, number, number]
    attentionBias.push(bias)
    mlp.push(other)
    heads.push(rest.splice(0, count))
    const [chosen] = rest.splice(0, 1) as [number]
    experts.push(
      Array.from({ length: chosen }, () => rest.splice(0, 2) as [number, number]).map(([expert, part]) => ({ expert, part })),
    )
  }
  const hasExperts = experts.some(({ length }) => length > 0)
  return { embedding, heads, attentionBias, mlp, ...(hasExperts ? { experts } : {}), constant, sum, beforeCap, logit }
}
