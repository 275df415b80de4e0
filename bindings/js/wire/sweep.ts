// A sweep as the page sends it to the engine's worker (SweepOptions in types/options.generated.ts), and what comes back.
import type { AttentionToken } from '../types/index.js'
import type { TokenName, WirePrompt } from './text.js'

export type SweepAxis = 'layer' | 'position' | 'head'
/** A head, by its layer and its number there. */
export type HeadPlace = readonly [layer: number, head: number]

export interface WireMetric {
  /** Absent for the KL divergence from the clean text. */
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
  /** Absent if nothing comes from another text. */
  corrupted?: WirePrompt
  base: 'clean' | 'corrupted'
  metric: WireMetric
  /** A point, without its layer; absent for a path. */
  at?: string
  over: SweepAxis[]
  ablate?: 'zero' | 'mean'
  texts: WirePrompt[]
  path?: WirePath
  layers: number[]
  heads: number[]
  /** Absent: all. */
  positions?: number[]
  /** The number of cells, from the first, that are known already. */
  done: number
}

export interface SweepShape {
  tokens: AttentionToken[]
  /** The indices along each of the axes. */
  indices: number[][]
  clean: number
  corrupted?: number
}

/** The values of further cells, in order; NaN for a layer without the point. The first message has none. */
export interface SweptCells extends SweepShape {
  values: number[]
}
