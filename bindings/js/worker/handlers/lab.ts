// Handlers that look into a decoder while it reads a text: the residual stream, the logit lens, scores, and where a logit comes from.
import type { Attribution, Score, TokenProbability } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { TokenName, WirePrompt } from '../../wire/protocol.js'
import { change, changesOf } from '../changes.js'
import { namesOf } from '../characters.js'
import type { Engine, EngineChanges } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { copyOf, read, whileReading } from '../reading.js'
import { checkFits, idsOf } from './tokens.js'

const refuse = (message: string) => new HeedError('invalid-argument', message)

/** The tokens of a text, of which there is at least one. Throws `unsupported` for a decoder that an encoder reads for. */
function idsToRead(call: string, { engine }: Host, prompt: WirePrompt, options: Parameters<typeof idsOf>[2]): number[] {
  const { architecture, decoderStart } = engine.info()
  if (decoderStart !== undefined) throw new HeedError('unsupported', `${call}: ${architecture}: only for decoders alone`)
  const ids = checkFits(engine, idsOf(engine, prompt, options))
  if (ids.length === 0) throw refuse(`${call}: the text has no tokens`)
  return ids
}

/** Positions from 0. */
const placesOf = (call: string, positions: readonly number[], { length }: number[]) => positions.map(position => {
  const place = position < 0 ? length + position : position
  if (place >= 0 && place < length) return place
  throw refuse(`${call}: positions: ${position} is out of range for ${length} tokens`)
})

function tokenOf(call: string, engine: Engine, token: TokenName): number {
  const { vocabulary } = engine.info()
  const id = typeof token === 'number' ? token : engine.findToken(token)
  if (id >= 0 && id < vocabulary) return id
  throw refuse(typeof token === 'number' ? `${call}: ${token} is outside the vocabulary of ${vocabulary} tokens`
    : `${call}: no token has the text ${JSON.stringify(token)}`)
}

const textOf = (engine: Engine, id: number) => engine.detokenize([id], true, false)
const named = (engine: Engine, id: number) => ({ id, text: textOf(engine, id) })
const tokensOf = (engine: Engine, ids: readonly number[]) => namesOf(ids, part => engine.detokenize(part, true, false))

export const hidden: Handler<'hidden'> = readingHandler(async (host, state, { prompt, layers, positions, ...call }) => {
  const ids = idsToRead('hidden', host, prompt, call)
  const places = placesOf('hidden', positions ?? [...ids.keys()], ids)
  const changes = await changesOf(host, state, call)
  const states = await whileReading(host, async reading => {
    change(reading, changes, ids)
    reading.watchStates(layers, places, ids.length)
    await read(host, state, reading, ids, reading.reuse(ids, Math.min(...places)))
    return copyOf(reading.watched())
  })
  return { tokens: tokensOf(host.engine, ids), positions: places, states }
})

export const lens: Handler<'lens'> = readingHandler(async (host, state, { prompt, layers, positions = [-1], top, tokens, ...call }) => {
  const { engine, maxBatch } = host
  const ids = idsToRead('lens', host, prompt, call)
  const places = placesOf('lens', positions === 'all' ? [...ids.keys()] : positions, ids)
  const watched = tokens.map(token => tokenOf('lens: tokens', engine, token))
  const changes = await changesOf(host, state, call)
  const texts = new Map<number, string>()
  const probability = (id: number, logprob: number): TokenProbability => {
    if (!texts.has(id)) texts.set(id, textOf(engine, id))
    return { id, text: texts.get(id)!, logprob }
  }
  const predictions = await whileReading(host, async reading => {
    change(reading, changes, ids)
    reading.watchStates(layers, places, ids.length)
    await read(host, state, reading, ids, reading.reuse(ids, Math.min(...places)))
    const all: { top: TokenProbability[], logprobs: number[] }[] = []
    for (let left = reading.watched().length / engine.info().width; left > 0;) {
      const rows = Math.min(left, maxBatch)
      const flat = await runPass(host, state, () => reading.lens(all.length, rows, top, watched))
      const size = flat.length / rows
      for (let from = 0; from < flat.length; from += size) {
        const best = [...flat.subarray(from, from + size - watched.length)]
        all.push({
          top: best.flatMap((id, at) => at % 2 === 0 ? probability(id, best[at + 1]!) : []),
          logprobs: [...flat.subarray(from + best.length, from + size)],
        })
      }
      left -= rows
    }
    return all
  })
  return { tokens: tokensOf(engine, ids), positions: places, watched: watched.map(id => named(engine, id)), predictions }
})

export const score: Handler<'score'> = readingHandler(async (host, state, { prompt, continuations, ...call }) => {
  const context = idsToRead('score', host, prompt, call)
  const changes = await changesOf(host, state, call)
  if (!continuations) return [await scoreFrom(host, state, context, 1, changes)]
  const scores: Score[] = []
  for (const [index, continuation] of continuations.entries()) {
    const ids = idsToRead('score', host, joined(prompt, continuation), call)
    const differs = ids.findIndex((id, at) => id !== context[at])
    const from = differs < 0 ? ids.length : differs
    if (from === ids.length) throw new HeedError('invalid-argument', `score: continuations[${index}]: has no tokens`, { index })
    scores.push(await scoreFrom(host, state, ids, Math.max(from, 1), changes))
  }
  return scores
})

/** A prompt and what continues it, as one text. */
function joined(prompt: WirePrompt, continuation: WirePrompt): WirePrompt {
  const partsOf = (one: WirePrompt) => typeof one === 'string' ? [one] : Array.isArray(one) ? [{ ids: one }] : one.parts
  return Array.isArray(prompt) && Array.isArray(continuation) ? [...prompt, ...continuation]
    : { parts: [...partsOf(prompt), ...partsOf(continuation)] }
}

/** The score of the tokens from position `from` on, which is at least 1. */
async function scoreFrom(host: Host, state: CallState, ids: number[], from: number, changes: EngineChanges | undefined): Promise<Score> {
  const { engine, maxBatch } = host
  const logProbs = await whileReading(host, async reading => {
    change(reading, changes, ids)
    const first = from - 1  // whose logits are those of the first token that counts
    await read(host, state, reading, ids.slice(0, first), reading.reuse(ids, first))
    const scored = new Float32Array(ids.length - from)
    for (let done = 0; done < scored.length;) {
      const part = ids.slice(first + done, first + done + maxBatch + 1)
      scored.set(await runPass(host, state, () => reading.score(part)), done)
      done += part.length - 1
    }
    return scored
  })
  const [sum, mean, perplexity] = engine.scoreOf(logProbs) as unknown as [number, number, number]
  return { tokens: tokensOf(engine, ids).slice(from), logProbs, sum, mean, perplexity }
}

export const attribute: Handler<'attribute'> = readingHandler(async (host, state, { prompt, position = -1, token, ...call }) => {
  const { engine } = host
  const ids = idsToRead('attribute', host, prompt, call)
  const [place] = placesOf('attribute', [position], ids) as [number]
  const wanted = token === undefined ? undefined : tokenOf('attribute: token', engine, token)
  const changes = await changesOf(host, state, call)
  return whileReading(host, async reading => {
    change(reading, changes, ids)
    reading.watchAttribution(place)
    let best = 0
    await read(host, state, reading, ids.slice(0, place + 1), reading.reuse(ids, place), (_, end) => end > place ? place : end, (first, __, rows) => {
      if (first === place) best = rows.reduce((most, logit, id) => logit > rows[most]! ? id : most, 0)
    })
    const id = wanted ?? best
    return { tokens: tokensOf(engine, ids), token: named(engine, id), position: place, ...partsOf(reading.attribute(id)) }
  })
})

type Parts = Omit<Attribution, 'tokens' | 'token' | 'position'>

function partsOf(flat: Float64Array): Parts {
  const [embedding, constant, sum, logit, ...rest] = flat as unknown as [number, number, number, number, ...number[]]
  const heads: number[][] = [], attentionBias: number[] = [], mlp: number[] = []
  while (rest.length > 0) {
    const [bias, other, count] = rest.splice(0, 3) as [number, number, number]
    attentionBias.push(bias)
    mlp.push(other)
    heads.push(rest.splice(0, count))
  }
  return { embedding, heads, attentionBias, mlp, constant, sum, logit }
}
