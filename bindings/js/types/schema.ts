// The types that a Standard Schema (https://standardschema.dev) declares: its input and its output.

interface Standard<Types> {
  readonly '~standard': { readonly types?: Types | undefined }
}
interface Types {
  readonly input: unknown
  readonly output: unknown
}

/** The value of a text with this schema, before the schema's defaults and transforms; `unknown` for a JSON schema. */
export type ValueOf<Schema> =
  Schema extends Standard<infer Known> ? (NonNullable<Known> extends Types ? NonNullable<Known>['input'] : unknown) : unknown

/** The arguments that a tool's `execute` gets: the schema's output. */
export type ArgumentsOf<Schema> =
  Schema extends Standard<infer Known>
    ? NonNullable<Known> extends Types
      ? NonNullable<Known>['output']
      : Record<string, unknown>
    : Record<string, unknown>

/** A value that is being generated: missing parts are undefined. */
export type SoFar<Value> = Value extends object ? { [Key in keyof Value]?: SoFar<Value[Key]> } : Value
