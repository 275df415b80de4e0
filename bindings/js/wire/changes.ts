// Adapters and edits of a text (types/lab.ts), checked and copied.
import type { WirePrompt } from './text.js'

interface Place {
  /** Absent: all. */
  positions?: number[]
}

type StateEdit = { layer: number } & ({ add: Float32Array; scale: number } | { replace: Float32Array }) & Place
type PatchEdit = { layer: number; patch: WirePrompt; positions: (readonly [here: number, there: number])[] }
type HeadEdit = { head: readonly [layer: number, head: number] } & (
  | { scale: number }
  | { mean: WirePrompt }
  | { replace: Float32Array }
) &
  Place
type PointEdit = { at: string; heads?: number[] } & (
  | ({ mean: WirePrompt } & Place)
  | { patch: WirePrompt; positions: (readonly [here: number, there: number])[] }
  | ({ add: Float32Array; scale: number } & Place)
  | ({ replace: Float32Array } & Place)
  | ({ scale: number } & Place)
)
type CutEdit = { cut: { layer: number; head?: number; query: number[]; key: number[] } }

export type WireEdit = StateEdit | PatchEdit | HeadEdit | PointEdit | CutEdit

export interface WireChanges {
  /** Names and scales. */
  adapters?: [name: string, scale: number][]
  edits?: WireEdit[]
}
