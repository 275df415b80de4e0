// What a text must be, as the page sends it to the engine's worker.
import type { IgnoredKeyword } from '../types/index.js'
import type { SchemaOptions } from './options.js'

/** A form in its notation: a JSON Schema, as JSON; a regular expression; or a GBNF grammar. `options` are of schemas only. */
export interface Form {
  readonly notation: 'schema' | 'regex' | 'gbnf'
  readonly text: string
  readonly options?: SchemaOptions
}

/** What is known of a form once it is compiled; `size` is its bytes. */
export interface CompiledForm {
  readonly size: number
  readonly ignored: readonly IgnoredKeyword[]
}

/** A text that ends or interrupts free text; it may be that of a control token. `next` follows it. */
export interface Marker {
  readonly marker: string
  readonly next?: Outline
}

/** A text in parts, some of them free: src/grammar/outline/outline.hpp says what each is. */
export type Outline =
  | string
  | readonly Outline[]
  | (Form & { readonly name?: string })
  | { readonly control: string }
  | { readonly oneOf: readonly Outline[] }
  | { readonly many: Outline }
  | { readonly inOrder: readonly (Outline | { readonly optional: Outline })[]; readonly by: Outline }
  | { readonly until: readonly Marker[] }
  | { readonly free: readonly Marker[] }
  | { readonly once: readonly Marker[] }
