// The words in which the contract is written: kinds of values, options, groups of options, calls.

/** The numbers that an option takes; finite ones, unless its kind says otherwise. */
export interface Range {
  readonly least?: number
  /** Exclusive. */
  readonly above?: number
  readonly most?: number
  /** Exclusive. */
  readonly below?: number
}

/** What a value is. */
export interface Kind {
  /** Its public type. */
  readonly type: string
  /** How it is checked and copied at the call: an expression of the readers of `bindings/js/page`. */
  readonly read: string
  /** Its type once it is read; absent: its public type. */
  readonly wire?: string
  readonly range?: Range
  /** The words that it may be. */
  readonly words?: readonly string[]
}

/** An option of the commands, `npx heed` and the native program. */
export interface Argument {
  readonly group: 'sampling' | 'form' | 'loading' | 'embedding'
  /** Default: the option's name, in the spelling of arguments. */
  readonly name?: string
  readonly short?: string
  /** What follows it, as the help shows it; absent for a flag. */
  readonly value?: string
  /** Whether it may be given several times. */
  readonly many?: true
  /** How `npx heed` reads it. */
  readonly read: 'number' | 'text' | 'texts' | 'file' | 'flag' | 'biases' | 'whitespace' | 'boolean'
  /** What the native program says of it, where it takes the option as this table has it. */
  readonly native?: string
}

/** A parameter of OpenAI's API, whose name is the option's, with underscores. */
export interface Parameter {
  readonly type: string
  readonly doc?: string
  /** Its reader in `bindings/js/facades/openai`. */
  readonly read: string
}

export interface Option {
  readonly kind: Kind
  /** Sentences of its docstring; those of the range and the default are added. */
  readonly doc?: string
  /** The value that stands for an absent one. */
  readonly default?: number | string | boolean
  /** The default in words; after a fixed one, what goes on with it. */
  readonly byDefault?: string
  /** What stands for an absent value once it is read, if that is not the default itself: an expression. */
  readonly absent?: string
  readonly required?: true
  /** The field of the C++ structure that takes it; '' for the structure itself. */
  readonly engine?: string
  /** Whether the engine always gets it from the page, which has a value of its own for an absent one. */
  readonly always?: true
  /** Whether it stays in the caller's thread. */
  readonly here?: true
  readonly argument?: Argument
  readonly openai?: Parameter
  /**
   * The AI SDK's setting for it, whose value is the option's; `from`: a setting that is converted; `own`: it is one of
   * `providerOptions.heed`, with its type there if that is another.
   */
  readonly aiSdk?: string | { readonly from: string } | { readonly own: true | string }
  /** Whether the answers of `heed/prompt-api` take it by its name. */
  readonly promptApi?: true
  /** Whether pages have a slider for it; `drawn`: also where they show how a token is drawn. */
  readonly slider?: true | 'drawn'
}

type Options = Readonly<Record<string, Option>>

/** Options that a public interface has, in its order. */
export interface Group {
  readonly name: string
  readonly doc?: string
  /** Groups whose options it has, too; `less`: without these. */
  readonly from: readonly { readonly group: Group; readonly less?: readonly string[] }[]
  readonly options: Options
  /** The generated file of the interface, below `bindings/js`. */
  readonly file: string
}

interface Given {
  readonly doc?: string
  readonly from?: readonly (Group | { readonly group: Group; readonly less: readonly string[] })[]
  readonly file?: string
}

export const group = (name: string, { doc, from = [], file = 'types/options.ts' }: Given, options: Options): Group => ({
  name,
  doc,
  file,
  from: from.map(one => ('group' in one ? one : { group: one })),
  options,
})

/** A public call. Its arguments, its result, its errors and its examples are those of its declaration. */
export interface Call {
  /** Where it is: a function, a method of a class, or of `modelStore`. */
  readonly of: readonly ('heed' | 'Model' | 'Session' | 'modelStore' | 'Constraint')[]
  readonly options?: Group
  /** Options whose default depends on more than the call. */
  readonly depending?: readonly string[]
  /** What it reports while it runs: events, by the option or the loop that gets them. */
  readonly events?: Readonly<Record<string, string>>
}
