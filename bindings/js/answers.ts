// What the engine worker does for each call, step by step.
import { namesOf } from './characters.js'
import type { Engine, EngineTimings } from './engine.js'
import { HeedError } from './errors.js'
import type { Call, FromEngine, Results, WireToken } from './protocol.js'
import type { Pixels, Timings, TokenizeOptions } from './types.js'

/** A started engine and the line to the page. */
export interface Host {
  engine: Engine
  /** Tokens that one forward call takes. */
  maxBatch: number
  post(message: FromEngine, transfer?: ArrayBuffer[]): void
  breathe(): Promise<void>
}

type Answer<Type extends keyof Results> =
  (host: Host, call: Extract<Call, { type: Type }>) => Promise<Results[Type]>

export const tokenize: Answer<'tokenize'> = async (host, call) => idsOf(host, call.text, call)

export const detokenize: Answer<'detokenize'> = async ({ engine }, { ids, special, tidySpaces }) =>
  engine.detokenize(ids, special, tidySpaces)

export const generate: Answer<'generate'> = async (host, { prompt, options }) => {
  const { engine, post, breathe } = host
  const send = (token: WireToken) =>
    post({ type: 'token', token }, token.attention && [token.attention.buffer as ArrayBuffer])
  let held: WireToken | undefined
  engine.begin(idsOf(host, prompt, options), options)
  for (;;) {
    const step = engine.step()
    if (step.kind === 'end') {
      if (held) send({ ...held, text: held.text + step.rest })
      return { finishReason: step.finishReason, timings: inMilliseconds(step.timings) }
    }
    if (step.kind === 'token') {
      if (held) send(held)
      // A token whose text is partly held back waits one step: if that is the end, the rest belongs to it.
      held = step.holdsText ? step.token : undefined
      if (!held) send(step.token)
    }
    await breathe()
  }
}

export const logits: Answer<'logits'> = async (host, { ids, source, positions = [ids.length - 1] }) => {
  const wanted = positions === 'all' ? [...ids.keys()] : positions
  const outside = wanted.find(position => position < 0 || position >= ids.length)
  if (outside !== undefined) {
    throw new HeedError('invalid-argument',
      `logits: positions: ${ids.length} tokens have no position ${outside}`)
  }
  checkFits(host, ids)
  const { vocabulary } = host.engine.info()
  const result = floats(wanted.length * vocabulary)
  host.engine.restart()
  if (source !== undefined) encode(host, idsOf(host, source))
  await read(host, ids, (start, end) => {
    const inside = wanted.filter(position => position >= start && position < end)
    return inside.reduce((first, position) => Math.min(first, position), end)
  }, (first, end, rows) => wanted.forEach((position, row) => {
    if (position < first || position >= end) return
    const from = (position - first) * vocabulary
    result.set(rows.subarray(from, from + vocabulary), row * vocabulary)
  }))
  host.engine.release()
  return result
}

export const attention: Answer<'attention'> = async (host, call) => {
  const { engine } = host
  const { selection, source } = call
  const ids = selection.of === 'encoder' ? idsOf(host, call.prompt, call) : idsToWrite(host, call.prompt, call)
  const sourceIds = source === undefined ? [] : idsOf(host, source, call)
  checkFits(host, ids)
  engine.restart()
  if (source !== undefined) encode(host, sourceIds)
  engine.watch(selection, ids.length, selection.of === 'cross' ? sourceIds.length : ids.length)
  if (selection.of === 'encoder') encode(host, ids)
  else await read(host, ids)
  const weights = copyOf(engine.weights())
  engine.release()
  const named = (list: number[]) => namesOf(list, part => engine.detokenize(part, true, false))
  return { tokens: named(ids), sourceTokens: named(sourceIds), weights }
}

export const embed: Answer<'embed'> = async (host, call) => {
  const { engine, breathe } = host
  const vectors: Float32Array[] = []
  for (const prompt of call.prompts) {
    engine.restart()
    encode(host, idsOf(host, prompt, call))
    vectors.push(copyOf(engine.embedding(call.pooling, call.normalize)))
    engine.release()
    await breathe()
  }
  return vectors
}

export const rerank: Answer<'rerank'> = async ({ engine, breathe }, { query, documents }) => {
  const scores: number[] = []
  for (const document of documents) {
    const given = engine.scores(query, document)
    if (!given) throw HeedError.aborted()
    scores.push(given[0]!)
    await breathe()
  }
  engine.release()
  return scores
}

export const embedImages: Answer<'embedImages'> = async (host, { images, pooling, normalize }) => {
  const { engine, breathe } = host
  const vectors: Float32Array[] = []
  engine.restart()
  for (const image of images) {
    see(host, image)
    vectors.push(copyOf(engine.embedding(pooling, normalize)))
    await breathe()
  }
  engine.release()
  return vectors
}

export const classify: Answer<'classify'> = async (host, { image }) => {
  host.engine.restart()
  see(host, image)
  const weights = copyOf(host.engine.classes())
  host.engine.release()
  return { labels: host.engine.labels(), weights }
}

export const imageAttention: Answer<'imageAttention'> = async (host, { image, selection }) => {
  const { engine } = host
  const { architecture, sees, patches } = engine.info()
  if (!sees) throw new HeedError('unsupported', `${architecture}: does not see pictures`)
  const tokens = 1 + patches ** 2
  engine.restart()
  engine.watch({ ...selection, of: 'image' }, tokens, tokens)
  see(host, image)
  const weights = copyOf(engine.weights())
  engine.release()
  return { weights }
}

/** Shows the model an image. Throws `aborted`. */
function see({ engine }: Host, { width, height, data }: Pixels): void {
  if (!engine.see(width, height, data)) throw HeedError.aborted()
}

/** Runs the encoder. Throws `aborted`. */
function encode(host: Host, ids: number[]): void {
  checkFits(host, ids)
  if (!host.engine.encode(ids)) throw HeedError.aborted()
}

/**
 * Reads tokens batch by batch. `firstRow` says from which position on a batch's logits are wanted, its end
 * for none; `onRows` gets them. Throws `aborted`.
 */
async function read(
  { engine, maxBatch, breathe }: Host, ids: number[],
  firstRow: (start: number, end: number) => number = (_, end) => end,
  onRows: (first: number, end: number, rows: Float32Array) => void = () => {},
): Promise<void> {
  for (let start = 0; start < ids.length; start += maxBatch) {
    const end = Math.min(start + maxBatch, ids.length)
    const first = firstRow(start, end)
    const rows = engine.forward(ids.slice(start, end), end - first)
    if (!rows) throw HeedError.aborted()
    onRows(first, end, rows)
    await breathe()
  }
}

function checkFits({ engine }: Host, ids: number[]): void {
  const { contextLength } = engine.info()
  if (ids.length > contextLength) {
    throw new HeedError('context-overflow',
      `${ids.length} tokens do not fit in a context of ${contextLength}`)
  }
}

function floats(length: number): Float32Array {
  try {
    return new Float32Array(length)
  } catch {
    throw new HeedError('out-of-memory', `the browser gives no ${length * 4} bytes for the result`)
  }
}

/** A copy of what the engine keeps only for now. */
function copyOf(values: Float32Array): Float32Array {
  const copy = floats(values.length)
  copy.set(values)
  return copy
}

const idsOf = (
  { engine }: Host, prompt: string | number[], { addSpecial = true, parseSpecial = false }: TokenizeOptions = {},
): number[] => typeof prompt === 'string' ? [...engine.tokenize(prompt, addSpecial, parseSpecial)] : prompt

/** The same of what a decoder writes, which beside an encoder begins with a token of its own. */
function idsToWrite(host: Host, prompt: string | number[], options: TokenizeOptions): number[] {
  const { decoderStart } = host.engine.info()
  if (decoderStart === undefined || typeof prompt !== 'string') return idsOf(host, prompt, options)
  const { addSpecial = true } = options
  return [...addSpecial ? [decoderStart] : [], ...idsOf(host, prompt, { ...options, addSpecial: false })]
}

const rate = (count: number, seconds: number) => count > 0 && seconds > 0 ? count / seconds : 0

const inMilliseconds = ({ promptSeconds, generateSeconds, ...counts }: EngineTimings): Timings => ({
  ...counts,
  prefillMs: promptSeconds * 1000,
  decodeMs: generateSeconds * 1000,
  prefillTokensPerSecond: rate(counts.promptTokens - counts.reusedTokens, promptSeconds),
  decodeTokensPerSecond: rate(counts.generatedTokens, generateSeconds),
})
