// The gates of one recurrent layer: how much each head forgets and writes at each token.
import type { Gates } from 'heed'

export class LayerGates {
  readonly tokens: Gates['tokens']
  readonly heads: number
  /** Heads x tokens: the share of its state that a head forgets at a token. */
  readonly forgets: Float32Array
  /** Heads x tokens: how strongly a token is written, scaled to at most 1. */
  readonly writes: Float32Array
  /** The value that 1 in `writes` stands for; it can exceed 1 in a Mamba 2 layer, whose time steps are unbounded. */
  readonly strongest: number

  /** `gates` contains a single layer. */
  constructor({ tokens, decay, write }: Gates) {
    this.tokens = tokens
    this.heads = decay[0]!.length
    this.forgets = joined(decay[0]!).map(kept => 1 - kept)
    const writes = joined(write[0]!)
    this.strongest = writes.reduce((most, value) => Math.max(most, value), 1)
    this.writes = writes.map(value => value / this.strongest)
  }
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(rows.reduce((sum, row) => sum + row.length, 0))
  let at = 0
  for (const row of rows) {
    all.set(row, at)
    at += row.length
  }
  return all
}
