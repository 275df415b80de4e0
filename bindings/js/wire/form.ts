// The form that a text must have, as the page sends it to the engine's worker.
import type { FormOptions } from '../types/index.js'

/** How the texts of a schema are written: SchemaOptions in src/grammar/schema/options.hpp. */
export type SchemaOptions = Pick<FormOptions, 'whitespace' | 'maxWhitespace' | 'order'>

/** A form in its notation: a JSON Schema, as JSON; a regular expression; or a GBNF grammar. `options` are of schemas only. */
export interface Form {
  notation: 'schema' | 'regex' | 'gbnf'
  text: string
  options?: SchemaOptions
}

/** The markers around reasoning that may precede the form. `begun`: the prompt has opened it. */
export interface Thoughts {
  open: string
  close: string
  begun: boolean
}

/** What a generated text must be: of a form, perhaps after reasoning. */
export interface FormOf {
  form: Form
  thoughts?: Thoughts
}
