// heed lab sweep: the tables of patches and ablations that a plan describes.
import type { Sweep, SweepOptions } from 'heed'
import { loadOptions, readArguments, UsageError } from '../arguments.js'
import { type Model, modelOf, withModel } from '../files.js'
import { json, jsonOf, loadArguments, text } from './arguments.js'

type Axis = 'layer' | 'position' | 'head'
interface Table {
  point?: string
  over: Axis[]
  ablate?: 'zero' | 'mean'
  texts?: number[][]
  path?: {
    receiver: { point: string; layer?: number; head?: number }
    mlps: 'recomputed' | 'frozen'
    norms: 'recomputed' | 'frozen'
  }
}
interface Plan {
  clean: number[]
  corrupted: number[]
  base: 'clean' | 'corrupted'
  metric: { kind: string; position: number; token?: number; against?: number }
  sweeps: Table[]
}

const metrics: Readonly<Record<string, readonly string[]>> = {
  'logit-difference': ['token', 'against'],
  'log-probability': ['token'],
  kl: [],
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks the form of a plan, as far as the package does not check the options made from it. */
function checked(value: unknown): Plan {
  const refuse = (what: string): never => {
    throw new UsageError(`--plan: ${what}`)
  }
  if (!isObject(value)) return refuse('expected an object')
  const { clean, corrupted, base, metric, sweeps } = value
  for (const [name, ids] of Object.entries({ clean, corrupted }))
    if (!Array.isArray(ids) || ids.length === 0) refuse(`${name}: expected a list of token ids`)
  if (base !== 'clean' && base !== 'corrupted') refuse('base: expected clean or corrupted')
  if (!isObject(metric) || typeof metric.kind !== 'string' || !Object.hasOwn(metrics, metric.kind))
    return refuse(`metric: kind: expected ${Object.keys(metrics).join(', ')}`)
  for (const name of [...metrics[metric.kind]!, 'position'])
    if (!Number.isInteger(metric[name])) refuse(`metric: ${name}: expected a whole number`)
  if (!Array.isArray(sweeps)) return refuse('sweeps: expected a list')
  for (const [index, table] of sweeps.entries()) {
    const where = `sweeps[${index}]`
    if (!isObject(table) || !Array.isArray(table.over)) return refuse(`${where}: over: expected a list`)
    if ((table.point === undefined) === (table.path === undefined)) refuse(`${where}: expected either point or path`)
    if (table.path !== undefined && !(isObject(table.path) && isObject(table.path.receiver)))
      refuse(`${where}: path: receiver: expected an object`)
  }
  return value as unknown as Plan
}

function optionsOf({ clean, corrupted, base, metric }: Plan, table: Table): SweepOptions {
  const { token, against, position } = metric
  const texts = { clean, corrupted, base, metric: { token, against, position } }
  if (!table.path) return { ...texts, at: table.point, over: table.over, ablate: table.ablate, texts: table.texts }
  const { receiver, mlps, norms } = table.path
  const { point, layer, head } = receiver
  const path =
    point === 'logits' ? { to: 'logits' as const, mlps, norms } : { to: [layer!, head!] as const, via: point as 'q', mlps, norms }
  return { ...texts, path, over: table.over }
}

/** Values as nested lists, with null for a cell without one. `isWhole`: a layer without any value becomes a single null. */
function nested(values: Float64Array, shape: readonly number[], isWhole: boolean, at = 0): unknown {
  const [length, ...rest] = shape
  if (length === undefined) return Number.isNaN(values[at]!) ? null : values[at]!
  const size = rest.reduce((product, one) => product * one, 1)
  const isEmpty = (from: number) => isWhole && values.subarray(from, from + size).every(Number.isNaN)
  return Array.from({ length }, (_, index) => {
    const from = at + index * size
    return isEmpty(from) ? null : nested(values, rest, false, from)
  })
}

/** A sweep of a single layer, of which only the metrics of the two unmodified texts are used. */
const baselines = (model: Model, plan: Plan): Promise<Sweep> =>
  model.sweep({ ...optionsOf(plan, { point: 'resid_post', over: ['layer'] }), layers: [0] })

export async function sweep(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...loadArguments, plan: text }, 1)
  const source = modelOf(positionals)
  const plan = checked(jsonOf(values, 'plan'))
  return withModel(source, loadOptions(values), async model => {
    const tables: Sweep[] = []
    for (const table of plan.sweeps) tables.push(await model.sweep(optionsOf(plan, table)))
    const { clean, corrupted } = tables[0] ?? (await baselines(model, plan))
    json({
      clean,
      corrupted,
      sweeps: tables.map(({ values: cells, normalized, shape }, index) => {
        const isWhole = plan.sweeps[index]!.path === undefined
        return { values: nested(cells, shape, isWhole), normalized: nested(normalized!, shape, isWhole) }
      }),
    })
    return 0
  })
}
