// Sweeps: the engine's worker computes the cells; here are the defaults, the state that a sweep resumes from, and the result.
import type { Sweep, SweepOptions, SweepState } from '../../types/index.js'
import { HeedError, refuse } from '../../wire/errors.js'
import type { SweptCells, WireSweep } from '../../wire/sweep.js'
import type { Desk } from './desk.js'
import { readLabOptions } from './options.js'

const withHeads = new Set([
  'z',
  'q',
  'k',
  'v',
  'weights',
  'pattern',
  'head',
  'attn.q',
  'attn.k',
  'attn.v',
  'attn.query',
  'attn.weights',
])

/** A hash (FNV-1a) of the options that determine the cells. */
function fingerprint(plan: unknown): number {
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(plan)) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0
  return hash
}

export async function sweep({ connection, info }: Desk, options: SweepOptions): Promise<Sweep> {
  const { signal, onProgress, resume, ...read } = readLabOptions('sweep', options)
  const { at, path, ablate, corrupted, texts } = read
  if ((at === undefined) === (path === undefined)) throw refuse('sweep: needs either at or path')
  if (path && ablate) throw refuse('sweep: a path is patched, not ablated')
  if (corrupted === undefined && !ablate) throw refuse('sweep: corrupted: required, unless the sweep ablates')
  if (ablate === 'mean' && texts.length === 0) throw refuse('sweep: texts: required for a mean')
  const base = read.base ?? (corrupted === undefined ? 'clean' : 'corrupted')
  if (base === 'corrupted' && corrupted === undefined) throw refuse('sweep: base: there is no corrupted text')
  if (!info.generates) throw new HeedError('unsupported', `sweep: ${info.architecture}: only for decoders alone`)
  const over = read.over ?? ['layer', path || withHeads.has(at!) ? 'head' : 'position']
  if (path && (over.length !== 2 || over[1] !== 'head')) throw refuse("sweep: over: a path is swept over ['layer', 'head']")
  const plan = { ...read, base, over } satisfies Omit<WireSweep, 'done'>
  const key = fingerprint({ ...plan, info: [info.architecture, info.parameters] })
  if (resume && resume.plan !== key) throw refuse('sweep: resume: the state is of a sweep with other options')
  const known: number[] = (resume?.values ?? []).map(value => value ?? NaN)
  let total = 0
  const stateOf = (): SweepState => ({ plan: key, values: known.map(value => (Number.isNaN(value) ? null : value)) })
  const receive = ({ indices, values }: SweptCells) => {
    total = indices.reduce((product, { length }) => product * length, 1)
    for (const value of values) known.push(value)
    onProgress?.({ done: known.length, total, state: stateOf() })
  }
  const {
    tokens,
    indices,
    clean,
    corrupted: other,
  } = await connection.call(
    { type: 'sweep', ...plan, done: known.length },
    { signal, onEvent: event => (event.type === 'swept' ? receive(event) : undefined) },
  )
  const values = Float64Array.from(known)
  const from = base === 'clean' ? clean : other!
  return {
    axes: over,
    shape: indices.map(({ length }) => length),
    indices,
    tokens,
    clean,
    ...(other === undefined ? {} : { corrupted: other, normalized: values.map(value => (value - other) / (clean - other)) }),
    values,
    effects: values.map(value => value - from),
  }
}
