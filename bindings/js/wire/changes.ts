// Adapters and edits of a text (types/lab.ts), checked and copied.
import type { WirePrompt } from './text.js'

interface Place {
  /** The positions that the edit applies to; absent: all. */
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
  /** `each`: the vector has one row for each position, one after another; `whole`: it has values of its own for every head. */
  | ({ add: Float32Array; scale: number; whole?: boolean } & Place)
  | ({ replace: Float32Array; each?: boolean } & Place)
  | ({ scale: number } & Place)
)
type CutEdit = { cut: { layer: number; head?: number; query: number[]; key: number[] } }

/** A dictionary of features (page/lab/features), which stays in the page: edits that name it are replaced before they are sent. */
export interface WireDictionary {
  direction(feature: number): Float32Array
  /**
   * Runs a call with edits that name dictionaries. The engine does not know these edits, so they are replaced by edits that it
   * knows; some replacements first take a pass (page/lab/features/edits.ts). Resolves to the call's result.
   */
  run(connection: object, call: object, options: object): Promise<unknown>
}
export type DictionaryEdit = (
  | ({ feature: readonly [WireDictionary, number] } & ({ scale: number } | { clamp: number }))
  | { splice: WireDictionary }
) &
  Place

export type WireEdit = StateEdit | PatchEdit | HeadEdit | PointEdit | CutEdit

export interface WireChanges {
  /** The name of each adapter, and its scale. */
  adapters?: [name: string, scale: number][]
  edits?: WireEdit[]
}
