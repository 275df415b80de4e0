// The attention weights of one layer's heads over an image. Token 0 is the whole image; the patches follow.
import type { ImageAttention } from 'heed'
import { type Head, meanOf } from '../attention/layer-attention.js'
import { percent } from '../support/format.js'

const mostNamed = 3

export class PatchAttention {
  /** Patches per side. */
  readonly patches: number
  readonly layer: number
  /** N x N weights of each head, N = 1 + patches². */
  readonly heads: readonly Float32Array[]
  #mean?: Float32Array

  /** `attention` contains a single layer with all its heads. */
  constructor({ patches, layers, weights }: ImageAttention) {
    this.patches = patches
    this.layer = layers[0]!
    this.heads = weights[0]!
  }

  weights(head: Head): Float32Array {
    return head === 'mean' ? (this.#mean ??= meanOf(this.heads, this.heads[0]!.length)) : this.heads[head]!
  }

  /** The N weights of a token. */
  row(head: Head, token: number): Float32Array {
    const size = 1 + this.patches ** 2
    return this.weights(head).subarray(token * size, (token + 1) * size)
  }

  /** The weights of the patches in a token's row, relative to the largest of them, as brightness. */
  light(head: Head, token: number): Float32Array {
    const patches = this.row(head, token).subarray(1)
    const strongest = patches.reduce((most, weight) => Math.max(most, weight), 0)
    return patches.map(weight => (strongest > 0 ? weight / strongest : 0))
  }

  name(token: number): string {
    if (token === 0) return 'the whole picture'
    const patch = token - 1
    return `row ${Math.floor(patch / this.patches) + 1}, column ${(patch % this.patches) + 1}`
  }

  /** Says in words what a token attends to most or, given `object`, how much it attends to that token. */
  describe(head: Head, token: number, object?: number): string {
    const row = this.row(head, token)
    const share = (other: number) => `${other === token ? 'itself' : this.name(other)}: ${percent(row[other]!)}`
    const most = [...row.keys()].sort((a, b) => row[b]! - row[a]!).slice(0, mostNamed)
    const name = this.name(token)
    const start = `${name[0]!.toUpperCase()}${name.slice(1)} looks `
    return object === undefined ? `${start}most at ${most.map(share).join('; ')}` : `${start}at ${share(object)}`
  }
}
