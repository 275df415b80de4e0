// Constraints on a text, in the messages to the engine's worker.
import type { IgnoredKeyword } from '../types/index.js'
import type { SchemaOptions } from './options.generated.js'

/**
 * A constraint in its notation: a JSON Schema, as JSON; a regular expression; or a GBNF grammar. `options` apply to schemas only.
 */
export interface WireConstraint {
  readonly notation: 'schema' | 'regex' | 'gbnf'
  readonly text: string
  readonly options?: SchemaOptions
}

/** Properties of a compiled constraint; `size` is in bytes. */
export interface ConstraintInfo {
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
}

/** A text that ends or interrupts free text, and may be a control token. `next` follows it. */
export interface Marker {
  readonly marker: string
  readonly next?: Outline
}

/** A text in parts, some of them free; src/grammar/outline/outline.hpp describes each kind. */
export type Outline =
  | string
  | readonly Outline[]
  | (WireConstraint & { readonly name?: string })
  | { readonly control: string }
  | { readonly oneOf: readonly Outline[] }
  | { readonly many: Outline }
  | { readonly inOrder: readonly (Outline | { readonly optional: Outline })[]; readonly by: Outline }
  | { readonly until: readonly Marker[] }
  | { readonly free: readonly Marker[] }
  | { readonly once: readonly Marker[] }
