// Handlers that read a text: logits, attention and gates.
import { HeedError } from '../../wire/errors.js'
import { namesOf } from '../characters.js'
import type { Reading } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { checkFits, idsOf, idsToWrite } from './tokens.js'

export const logits: Handler<'logits'> = readingHandler((host, state, { ids, source, positions = [ids.length - 1] }) => {
  const { engine } = host
  const wanted = positions === 'all' ? [...ids.keys()] : positions
  const outside = wanted.find(position => position < 0 || position >= ids.length)
  if (outside !== undefined) {
    throw new HeedError('invalid-argument', `logits: positions: ${outside} is out of range for ${ids.length} tokens`)
  }
  checkFits(engine, ids)
  const { vocabulary } = engine.info()
  const result = floats(wanted.length * vocabulary)
  return whileReading(host, async reading => {
    if (source !== undefined) await encode(host, state, reading, idsOf(engine, source))
    const reused = source === undefined ? reading.reuse(ids, wanted.reduce((least, position) => Math.min(least, position), ids.length)) : 0
    await read(host, state, reading, ids, reused, (start, end) => {
      const inside = wanted.filter(position => position >= start && position < end)
      return inside.reduce((first, position) => Math.min(first, position), end)
    }, (first, end, rows) => wanted.forEach((position, row) => {
      if (position < first || position >= end) return
      const from = (position - first) * vocabulary
      result.set(rows.subarray(from, from + vocabulary), row * vocabulary)
    }))
    return result
  })
})

export const attention: Handler<'attention'> = readingHandler(async (host, state, call) => {
  const { engine } = host
  const { selection, source } = call
  const ids = selection.of === 'encoder' ? idsOf(engine, call.prompt, call) : idsToWrite(engine, call.prompt, call)
  const sourceIds = source === undefined ? [] : idsOf(engine, source, call)
  checkFits(engine, ids)
  const weights = selection.of === 'encoder'
    ? await runPass(host, state, () => engine.encoderAttention(ids, selection))
    : await whileReading(host, async reading => {
      if (source !== undefined) await encode(host, state, reading, sourceIds)
      reading.watch(selection, ids.length, selection.of === 'cross' ? sourceIds.length : ids.length)
      await read(host, state, reading, ids)
      return copyOf(reading.watched())
    })
  const named = (list: number[]) => namesOf(list, part => engine.detokenize(part, true, false))
  return { tokens: named(ids), sourceTokens: named(sourceIds), weights }
})

export const gates: Handler<'gates'> = readingHandler(async (host, state, { prompt, layers, ...form }) => {
  const { engine } = host
  const ids = idsToWrite(engine, prompt, form)
  checkFits(engine, ids)
  const values = await whileReading(host, async reading => {
    reading.watchGates(layers, ids.length)
    await read(host, state, reading, ids)
    return copyOf(reading.watched())
  })
  return { tokens: namesOf(ids, part => engine.detokenize(part, true, false)), values }
})

async function whileReading<Result>({ engine }: Host, body: (reading: Reading) => Promise<Result>): Promise<Result> {
  const reading = engine.read()
  try {
    return await body(reading)
  } finally {
    reading.delete()
  }
}

/** Runs the encoder. Throws `aborted`. */
function encode(host: Host, state: CallState, reading: Reading, ids: number[]): Promise<true> {
  checkFits(host.engine, ids)
  return runPass(host, state, () => reading.encode(ids))
}

/**
 * Reads tokens from `start` on, batch by batch. `firstRow` returns the first position of a batch whose logits are wanted, or the
 * batch's end if none are; `onRows` receives them. Throws `aborted`.
 */
async function read(
  host: Host, state: CallState, reading: Reading, ids: number[], start = 0,
  firstRow: (start: number, end: number) => number = (_, end) => end,
  onRows: (first: number, end: number, rows: Float32Array) => void = () => {},
): Promise<void> {
  for (let end; start < ids.length; start = end) {
    const from = start, to = Math.min(start + host.maxBatch, ids.length)
    const first = firstRow(from, to)
    await runPass(host, state, () => {
      const rows = reading.forward(ids.slice(from, to), to - first)
      if (rows) onRows(first, to, rows)
      return rows !== null
    })
    end = to
  }
}

function floats(length: number): Float32Array {
  try {
    return new Float32Array(length)
  } catch {
    throw new HeedError('out-of-memory', `the browser could not allocate ${length * 4} bytes for the result`)
  }
}

/** Copies a view of the engine's memory, which is valid only until the next call. */
function copyOf(values: Float32Array): Float32Array {
  const copy = floats(values.length)
  copy.set(values)
  return copy
}
