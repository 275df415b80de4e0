// Processes a text in the engine worker, batch by batch, between the generations.
import { HeedError } from '../wire/errors.js'
import type { DecoderRun } from './engine.js'
import { checkFits } from './handlers/tokens.js'
import { type CallState, type Host, runPass } from './host.js'

/** Runs `body` with a new reading. */
export async function whileReading<Result>(
  { engine, handles }: Host,
  body: (reading: DecoderRun) => Promise<Result>,
): Promise<Result> {
  const reading = handles.track(engine.read())
  try {
    return await body(reading)
  } finally {
    handles.free(reading)
  }
}

/** Runs the encoder. Throws `aborted`. */
export function encode(host: Host, state: CallState, reading: DecoderRun, ids: number[]): Promise<true> {
  checkFits(host, ids)
  return runPass(host, state, () => reading.encode(ids))
}

/** How many of the tokens `left` the next pass processes. */
export const passOf = ({ maxBatch }: Host, reading: DecoderRun, left: number[]): number =>
  left.some(id => id < 0) ? reading.nextPass(left) : Math.min(maxBatch, left.length)

/**
 * Processes tokens from `start` on, batch by batch. `firstRow` returns the first position of a batch whose logits are needed, or
 * the batch's end if none are; `onRows` receives them. Throws `aborted`.
 */
export async function read(
  host: Host,
  state: CallState,
  reading: DecoderRun,
  ids: number[],
  start = 0,
  firstRow: (start: number, end: number) => number = (_, end) => end,
  onRows: (first: number, end: number, rows: Float32Array) => void = () => {},
): Promise<void> {
  for (let end; start < ids.length; start = end) {
    const from = start,
      to = start + passOf(host, reading, ids.slice(start))
    const first = firstRow(from, to)
    await runPass(host, state, () => {
      const rows = reading.forward(ids.slice(from, to), to - first)
      if (rows) onRows(first, to, rows)
      return rows !== null
    })
    end = to
  }
}

/** A loop, because a list may have more items than a call can have arguments. */
export const leastOf = (numbers: readonly number[]): number => numbers.reduce((least, one) => Math.min(least, one), Infinity)

export function floats(length: number): Float32Array {
  try {
    return new Float32Array(length)
  } catch {
    throw new HeedError('out-of-memory', `the browser could not allocate ${length * 4} bytes for the result`)
  }
}

/** Copies a view of the engine's memory, which is valid only until the next call. */
export function copyOf(values: Float32Array): Float32Array {
  const copy = floats(values.length)
  copy.set(values)
  return copy
}
