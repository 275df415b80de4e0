// The attention weights of one layer's heads over a passage.
import type { Attention, TextImage } from 'heed'

/** A head of the layer, from 0, or the mean of all heads. */
export type Head = number | 'mean'

/** The columns [from, to) that a row can see; they are contiguous under every mask. */
export interface Sight {
  readonly from: number
  readonly to: number
}

/** The attention of one token: the weights of the passage's tokens from position `first` on. */
export interface AttentionRow {
  readonly first: number
  readonly weights: Float32Array
}

/** The positions in the passage of the first row's and the first column's tokens. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** Rounding can change a row's sum from 1 by this much. */
const rounding = 1e-3

export class LayerAttention {
  readonly of: Attention['of']
  /** The tokens that attend, one per row, and those attended to, one per column. */
  readonly tokens: Attention['tokens']
  readonly keys: Attention['keys']
  readonly place: Place
  readonly layer: number
  /** The images of the text, with the places of their tokens. */
  readonly images: readonly TextImage[]
  /** Weights of each head, rows x columns, row-major. */
  readonly heads: readonly Float32Array[]
  readonly sights: readonly Sight[]
  #mean?: Float32Array

  /** `attention` contains a single layer with all its heads. */
  constructor({ of, tokens, keys, layers, weights, images = [] }: Attention, place: Place) {
    this.of = of
    this.tokens = tokens
    this.keys = keys
    this.place = place
    this.layer = layers[0]!
    this.images = images
    this.heads = weights[0]!
    this.sights = tokens.map((_, row) => sightOf(this.heads, row, keys.length))
  }

  /** A copy for the same tokens with other weights: `heads` for each head, and their `mean`. */
  with(heads: readonly Float32Array[], mean: Float32Array): LayerAttention {
    const { of, tokens, keys, layer, images } = this
    const other = new LayerAttention(
      { of, tokens, keys, layers: [layer], heads: [...heads.keys()], weights: [[...heads]], images },
      this.place,
    )
    other.#mean = mean
    return other
  }

  get rows(): number {
    return this.tokens.length
  }

  get columns(): number {
    return this.keys.length
  }

  /** False for a layer without attention, such as a convolution. */
  get attends(): boolean {
    return this.sights.some(({ from, to }) => to > from)
  }

  /** The average weight of the first token in the later rows that can see it. */
  shareOfFirst(head: Head): number {
    const after = [...this.sights.keys()].filter(row => row > 0 && this.sights[row]!.from === 0)
    const weights = this.weights(head)
    return after.length === 0 ? 0 : after.reduce((sum, row) => sum + weights[row * this.columns]!, 0) / after.length
  }

  /** Whether some attention goes to no token at all, so that rows sum to less than 1. The first row is enough to decide. */
  get hasSink(): boolean {
    return this.attends && this.heads.some(weights => 1 - sumOf(weights.subarray(0, this.columns)) > rounding)
  }

  weights(head: Head): Float32Array {
    return head === 'mean' ? (this.#mean ??= meanOf(this.heads, this.rows * this.columns)) : this.heads[head]!
  }

  /** The row of the token at a position of the passage, if it has one. */
  rowAt(position: number | undefined): number | undefined {
    const row = position === undefined ? -1 : position - this.place.row
    return row >= 0 && row < this.rows ? row : undefined
  }

  /** The row of weights of the token at a position of the passage, over the columns that the row can see. */
  look(head: Head, position: number | undefined): AttentionRow | undefined {
    const row = this.rowAt(position)
    if (row === undefined || !this.attends) return undefined
    const { from, to } = this.sights[row]!
    const start = row * this.columns
    return { first: this.place.column + from, weights: this.weights(head).subarray(start + from, start + to) }
  }
}

export const sumOf = (weights: Float32Array) => weights.reduce((sum, weight) => sum + weight, 0)

/** Masked columns have weight 0 in every head; other columns only if their weights underflow in all of them. */
function sightOf(heads: readonly Float32Array[], row: number, columns: number): Sight {
  const start = row * columns
  const isSeen = (column: number) => {
    for (const weights of heads) if (weights[start + column]! > 0) return true
    return false
  }
  let [from, to] = [0, columns]
  while (from < to && !isSeen(from)) from++
  while (to > from && !isSeen(to - 1)) to--
  return { from, to }
}

/** The mean of heads of `size` weights each; zeros for a layer of a model without heads. */
export function meanOf(heads: readonly Float32Array[], size: number): Float32Array {
  const mean = new Float32Array(size)
  for (const head of heads) {
    for (let index = 0; index < mean.length; index++) mean[index]! += head[index]! / heads.length
  }
  return mean
}
