// The types of values that a Standard Schema (https://standardschema.dev) tells: what it takes, and what it makes of that.

interface Standard<Types> {
  readonly '~standard': { readonly types?: Types | undefined }
}
interface Types {
  readonly input: unknown
  readonly output: unknown
}

/** The value of a text of the schema, which has not been through its defaults and transforms; `unknown` for a JSON schema. */
export type ValueOf<Schema> =
  Schema extends Standard<infer Known> ? (NonNullable<Known> extends Types ? NonNullable<Known>['input'] : unknown) : unknown

/** Arguments as a tool's `execute` gets them: what the schema makes of them. */
export type ArgumentsOf<Schema> =
  Schema extends Standard<infer Known>
    ? NonNullable<Known> extends Types
      ? NonNullable<Known>['output']
      : Record<string, unknown>
    : Record<string, unknown>

/** A value that is being written: what is not there yet is undefined. */
export type SoFar<Value> = Value extends object ? { [Key in keyof Value]?: SoFar<Value[Key]> } : Value
