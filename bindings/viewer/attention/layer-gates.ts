// The gates of one recurrent layer: how much each head forgets and writes at each token.
import type { Gates } from 'heed'

/** The most rows that can be told apart. */
const mostRows = 64

export class LayerGates {
  readonly tokens: Gates['tokens']
  readonly heads: number
  /** The number of adjacent heads that a row stands for; more than 1 in Mamba 1, where each of thousands of channels is a head. */
  readonly headsPerRow: number
  readonly rows: number
  /** Rows x tokens: the share of its state that a head forgets at a token, or that the heads of a row forget on average. */
  readonly forgets: Float32Array
  /** Rows x tokens: how strongly a head writes a token, or the heads of a row on average, scaled to at most 1. */
  readonly writes: Float32Array
  /** The value that 1 in `writes` stands for; it can exceed 1 in a Mamba 2 layer, whose time steps are unbounded. */
  readonly strongest: number

  /** `gates` contains a single layer. */
  constructor({ tokens, decay, write }: Gates) {
    this.tokens = tokens
    this.heads = decay[0]!.length
    this.headsPerRow = Math.ceil(this.heads / mostRows)
    this.rows = Math.ceil(this.heads / this.headsPerRow)
    this.forgets = this.#joined(decay[0]!).map(kept => 1 - kept)
    const writes = this.#joined(write[0]!)
    this.strongest = writes.reduce((most, value) => Math.max(most, value), 1)
    this.writes = writes.map(value => value / this.strongest)
  }

  /** The heads [first, end) that a row stands for. */
  headsOf(row: number): readonly [first: number, end: number] {
    return [row * this.headsPerRow, Math.min((row + 1) * this.headsPerRow, this.heads)]
  }

  #joined(heads: readonly Float32Array[]): Float32Array {
    const count = this.tokens.length
    const all = new Float32Array(this.rows * count)
    for (let row = 0; row < this.rows; row++) {
      const [first, end] = this.headsOf(row)
      for (let token = 0; token < count; token++) {
        let sum = 0
        for (let head = first; head < end; head++) sum += heads[head]![token]!
        all[row * count + token] = sum / (end - first)
      }
    }
    return all
  }
}
