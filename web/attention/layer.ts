// What the heads of one layer attend to in a passage.
import type { Attention } from 'heed'

/** A head of the layer, or the mean of them all. */
export type Head = number | 'mean'

export class LayerAttention {
  readonly tokens: Attention['tokens']
  readonly layer: number
  /** T x T weights each, row by row; row q is what token q attends to. */
  readonly heads: readonly Float32Array[]
  #mean?: Float32Array

  /** `attention` has one layer, with all its heads. */
  constructor({ tokens, layers, weights }: Attention) {
    this.tokens = tokens
    this.layer = layers[0]!
    this.heads = weights[0]!
  }

  /** T, the number of tokens. */
  get size(): number {
    return this.tokens.length
  }

  weights(head: Head): Float32Array {
    return head === 'mean' ? this.#mean ??= meanOf(this.heads) : this.heads[head]!
  }

  /** What token `query` attends to: a weight for itself and each one before it, which sum to 1. */
  row(head: Head, query: number): Float32Array {
    return this.weights(head).subarray(query * this.size, query * this.size + query + 1)
  }
}

function meanOf(heads: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(heads[0]!.length)
  for (const head of heads) head.forEach((weight, index) => { mean[index]! += weight / heads.length })
  return mean
}
