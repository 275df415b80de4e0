// The plan of a sweep: which word is exchanged, which values are restored, and how well they restore the token that follows.
import type { Edit, Model, SweepMetric } from 'heed'
import { exchanged, refuse } from '../edits/exchange.js'
import { isPath, type Path } from './path.js'

/**
 * What a cell restores: the states of a token, what a block adds to it, or what a head brings to all tokens, on all paths or on
 * one.
 */
export const points = {
  resid_post: 'the state of a token after a layer',
  attn_out: 'what attention adds to a token',
  mlp_out: 'what the MLP adds to a token',
  z: 'what a head brings to all tokens',
  path: 'what a head brings along one path',
} as const
export type Point = keyof typeof points

/** The sweep that the user asks for, as in a link. */
export interface Asked {
  readonly word: string
  readonly other: string
  readonly at: Point
  /** Only for `path`. */
  readonly path?: Path
  /** The cell that is open. */
  readonly cell?: readonly [row: number, column: number]
}

interface TextToken {
  readonly id: number
  readonly text: string
}

/** Two texts with equally many tokens, the token that follows the first of them, and the one that would follow the second. */
export interface Plan {
  readonly asked: Asked
  readonly tokens: readonly TextToken[]
  readonly clean: readonly number[]
  readonly corrupted: readonly number[]
  readonly token: number
  readonly against?: number
  /** The positions that are swept: from the first that differs, since states before it are the same. */
  readonly positions: readonly number[]
}

export async function planOf(
  model: Model,
  asked: Asked,
  tokens: readonly TextToken[],
  following: number | undefined,
): Promise<Plan> {
  const { word, other } = asked
  const corrupted = await exchanged(model, tokens, word, other)
  const clean = tokens.map(({ id }) => id)
  const first = clean.findIndex((id, index) => id !== corrupted[index])
  if (first < 0) throw refuse('Both texts are the same.')
  const token = following ?? best(await model.logits(clean))
  const likely = best(await model.logits(corrupted))
  return {
    asked,
    tokens,
    clean,
    corrupted,
    token,
    against: likely === token ? undefined : likely,
    positions: Array.from({ length: clean.length - first }, (_, index) => first + index),
  }
}

const best = (logits: Float32Array) => logits.reduce((most, logit, id) => (logit > logits[most]! ? id : most), 0)

export const metricOf = ({ token, against }: Plan): SweepMetric => ({ token, ...(against !== undefined && { against }) })

/** The metric of logits, as a sweep computes it. */
export function measured(logits: Float32Array, { token, against }: Plan): number {
  if (against !== undefined) return logits[token]! - logits[against]!
  const most = logits.reduce((greatest, one) => Math.max(greatest, one), -Infinity)
  return logits[token]! - most - Math.log(logits.reduce((sum, one) => sum + Math.exp(one - most), 0))
}

/** The edit that a cell stands for; undefined for a path, which is not a single edit. */
export function editOf({ asked: { at }, clean, positions }: Plan, layer: number, column: number): Edit | undefined {
  if (at === 'path') return undefined
  const pair = (position: number) => [position, position] as const
  return at === 'z'
    ? { at: `z.${layer}`, heads: [column], patch: clean, positions: positions.map(pair) }
    : { at: `${at}.${layer}`, patch: clean, positions: [pair(positions[column]!)] }
}

/** Parses a link's JSON; undefined if it is not valid. */
export function askedIn(text: string): Asked | undefined {
  try {
    const { word, other, at, path, cell, ...rest } = JSON.parse(text) as Record<string, unknown>
    const areTexts = [word, other].every(one => typeof one === 'string' && one.length <= 100)
    const isCell =
      cell === undefined || (Array.isArray(cell) && cell.length === 2 && cell.every(one => Number.isInteger(one) && one >= 0))
    const isPoint = typeof at === 'string' && Object.hasOwn(points, at) && (at === 'path' ? isPath(path) : path === undefined)
    return areTexts && isCell && isPoint && Object.keys(rest).length === 0 ? ({ word, other, at, path, cell } as Asked) : undefined
  } catch {
    return undefined
  }
}
