// Two models on the same tokens: how far their predictions and their states are apart, in numbers and as files.
import { compareModels, type Model } from 'heed'
import type { PassageToken } from 'heed/viewer'
import { csv } from '../support/save.js'
import { npy } from '../support/npy.js'
import { TableDrawing } from '../support/table-drawing.js'
import { visible } from '../support/words.js'

/** The most tokens to compare, from the beginning of the text. */
const mostTokens = 200

export const nameOfRow = (row: number) => (row === 0 ? 'Input' : `Layer ${row}`)

export interface Comparison {
  readonly tokens: readonly PassageToken[]
  readonly kl: readonly number[]
  readonly agree: readonly boolean[]
  readonly meanKl: number
  readonly agreement: number
  /** |b - a| / |a| of the input and after each layer, over all tokens; absent for models of different shapes. */
  readonly residual?: readonly number[]
  /** |b - a| / |a| for each token: the rows of `residual` x tokens, row by row; empty without `residual`. */
  readonly distances: Float64Array
}

/** Compares two models; `a` is the finer one. */
export async function compared(a: Model, b: Model, all: readonly PassageToken[], signal: AbortSignal): Promise<Comparison> {
  const tokens = all.slice(0, mostTokens)
  const ids = tokens.map(({ id }) => id)
  const { texts, ...figures } = await compareModels(a, b, [ids], { signal })
  const { kl, agree } = texts[0]!
  const distances = figures.residual ? await distancesOf(a, b, ids, signal) : new Float64Array()
  return { tokens, kl, agree, ...figures, distances }
}

async function distancesOf(a: Model, b: Model, ids: readonly number[], signal: AbortSignal): Promise<Float64Array> {
  const [one, other] = [await a.hidden(ids, { signal }), await b.hidden(ids, { signal })]
  const { width } = a.info
  const distances = new Float64Array(one.states.length * ids.length)
  one.states.forEach((states, row) => {
    const others = other.states[row]!
    for (let token = 0; token < ids.length; token++) {
      let apart = 0,
        own = 0
      for (let at = token * width; at < (token + 1) * width; at++) {
        apart += (others[at]! - states[at]!) ** 2
        own += states[at]! ** 2
      }
      distances[row * ids.length + token] = Math.sqrt(apart / own)
    }
  })
  return distances
}

/** The row at which the distance between the states grows most. */
export const partingOf = (residual: readonly number[]): number =>
  residual.reduce((most, value, row) => {
    const step = (at: number) => residual[at]! - (residual[at - 1] ?? 0)
    return row > 0 && value - residual[row - 1]! > step(most) ? row : most
  }, 0)

export function csvOf({ tokens, kl, agree, distances }: Comparison): string {
  const rows = distances.length / tokens.length
  const names = Array.from({ length: rows }, (_, row) => nameOfRow(row))
  return csv([
    ['position', 'token', 'kl', 'agree', ...names],
    ...tokens.map(({ text }, at) => [
      at,
      text,
      kl[at]!,
      agree[at] ? 1 : 0,
      ...names.map((_, row) => distances[row * tokens.length + at]!),
    ]),
  ])
}

/** An npy file: the distances, layers x tokens, or, without states to compare, the KL divergence of each token. */
export const npyOf = ({ tokens, kl, distances }: Comparison): Blob =>
  distances.length > 0 ? npy([distances.length / tokens.length, tokens.length], distances) : npy([kl.length], Float64Array.from(kl))

/** The strength of the color for a KL divergence: full strength from 0.5 nats on. */
export const strengthOf = (kl: number): number => Math.min(1, Math.sqrt(kl / 0.5))

export function svgOf({ tokens, kl, distances }: Comparison, styled: HTMLElement): string {
  const rows = distances.length / tokens.length
  const most = distances.reduce((greatest, one) => Math.max(greatest, one), 1e-9)
  const drawing = new TableDrawing(tokens.length, rows + 1, styled)
  drawing.write('KL', -1, 1)
  tokens.forEach((token, column) => {
    drawing.write(visible(token), column, 0)
    drawing.fill(column, 1, '--against', strengthOf(kl[column]!))
    drawing.write(kl[column]!.toFixed(3), column, 1)
    for (let row = 0; row < rows; row++) {
      const distance = distances[row * tokens.length + column]!
      drawing.fill(column, row + 2, '--lens', distance / most)
      drawing.write(distance.toFixed(3), column, row + 2)
    }
  })
  for (let row = 0; row < rows; row++) drawing.write(nameOfRow(row), -1, row + 2)
  return drawing.toString()
}
