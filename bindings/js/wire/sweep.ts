// A sweep as the page sends it to the engine's worker (SweepOptions in types/options.generated.ts), and what comes back.
import type { AttentionToken } from '../types/index.js'
import type { TokenName, WirePrompt } from './text.js'

export type SweepAxis = 'layer' | 'position' | 'head'
/** A head: its layer, and its index in this layer. */
export type HeadPlace = readonly [layer: number, head: number]

export interface WireMetric {
  /** The token whose logit is measured; absent for the KL divergence from the clean text. */
  token?: TokenName
  against?: TokenName
  position?: number
}

export interface WirePath {
  from?: HeadPlace
  to: HeadPlace | 'logits'
  via?: 'q' | 'k' | 'v'
  mlps: 'recomputed' | 'frozen'
  norms: 'recomputed' | 'frozen'
}

export interface WireSweep {
  clean: WirePrompt
  /** The other text; absent if no values come from one. */
  corrupted?: WirePrompt
  base: 'clean' | 'corrupted'
  metric: WireMetric
  /** The point that is swept, without its layer; absent for a path. */
  at?: string
  over: SweepAxis[]
  ablate?: 'zero' | 'mean'
  texts: WirePrompt[]
  path?: WirePath
  layers: number[]
  heads: number[]
  /** The positions that are swept; absent: all. */
  positions?: number[]
  /** The number of cells, from the first, whose values are already known. */
  done: number
}

export interface SweepShape {
  tokens: AttentionToken[]
  /** The indices along each axis. */
  indices: number[][]
  clean: number
  corrupted?: number
}

/** The values of further cells, in order; NaN for a cell in a layer without the point. The first message has no values. */
export interface SweptCells extends SweepShape {
  values: number[]
}
