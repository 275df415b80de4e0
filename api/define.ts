// The types of the contract: kinds of values, options, groups of options, calls.

/** The range of a number, which must be finite unless its kind allows Infinity. */
export interface Range {
  readonly least?: number
  /** Exclusive. */
  readonly above?: number
  readonly most?: number
  /** Exclusive. */
  readonly below?: number
}

/** The kind of an option's value. */
export interface Kind {
  /** Its public type. */
  readonly type: string
  /** How it is checked and copied at the call: an expression of the readers of `bindings/js/page`. */
  readonly read: string
  /** Its type once it is read; absent: its public type. */
  readonly wire?: string
  readonly range?: Range
  /** The allowed words. */
  readonly words?: readonly string[]
}

/** An option of the commands: of `npx heed`, and of the native program unless its group is of a hub or a server. */
export interface Argument {
  readonly group: 'sampling' | 'form' | 'loading' | 'embedding' | 'hub' | 'serving' | 'transcribing'
  /** Default: the option's name, in the spelling of arguments. */
  readonly name?: string
  readonly short?: string
  /** A second spelling, which the help omits. */
  readonly alias?: string
  /** The placeholder of its value in the help. Default: N for a number, or the allowed words; none for a flag. */
  readonly value?: string
  /** Whether it may be given several times. */
  readonly many?: true
  /** The reader of `npx heed`. Default: that of a number, of one of several words, or of a flag, by the kind of the option. */
  readonly read?: 'number' | 'text' | 'texts' | 'file' | 'flag' | 'biases' | 'whitespace' | 'boolean'
  /** An option of this table without which it is an error. */
  readonly needs?: string
  /** Whether it is an error beside another option of its group that is `alone`. */
  readonly alone?: true
}

/** An option of a command that is none of the package; without a value, a flag. */
export interface OwnOption extends Pick<Argument, 'short' | 'value' | 'many'> {
  /** A remark of the help. */
  readonly note?: string
}

export interface Command {
  readonly own: Readonly<Record<string, OwnOption>>
  readonly takes: readonly (Argument['group'] | 'media')[]
}

/** A parameter of OpenAI's API, whose name is the option's, with underscores. */
export interface Parameter {
  readonly type: string
  readonly doc?: string
  /** Its reader in `bindings/js/facades/openai`. */
  readonly read: string
}

/** A slider in the page. Its ends are those of the option's range unless it has others. */
export interface Slider {
  readonly label: string
  /** What the option does, beside the slider. */
  readonly hint: string
  readonly min?: number
  readonly max?: number
  readonly step: number
  /** Where it starts. Default: the option's default. */
  readonly value?: number
  /** The largest value in the panel that shows how a token is drawn; absent: that panel does not have it. */
  readonly drawn?: number
}

export interface Option {
  readonly kind: Kind
  /** Sentences of the docstring; the range and the default are added to them. */
  readonly doc?: string
  /** The value that stands for an absent one. */
  readonly default?: number | string | boolean
  /** The default in words; beside a fixed default, a continuation of its sentence. */
  readonly byDefault?: string
  /** The value of an absent option after reading, as an expression, if that is not the default itself. */
  readonly absent?: string
  readonly required?: true
  /** The field of the C++ structure that takes it; '' for the whole structure. */
  readonly engine?: string
  /** Whether the page always sends it, with a value of its own for an absent option. */
  readonly always?: true
  /** Whether it stays in the caller's thread. */
  readonly here?: true
  readonly argument?: Argument
  readonly openai?: Parameter
  /**
   * The AI SDK's setting with the same value; `from`: a setting that is converted; `own`: an option in `providerOptions.heed`, with
   * its type there if that differs.
   */
  readonly aiSdk?: string | { readonly from: string } | { readonly own: true | string }
  /** Whether `heed/prompt-api` takes it under the same name. */
  readonly promptApi?: true
  readonly slider?: Slider
}

type Options = Readonly<Record<string, Option>>

/** The options of a public interface, in its order. */
export interface Group {
  readonly name: string
  readonly doc?: string
  /** Groups whose options it includes; `less`: without these. */
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

export const group = (name: string, { doc, from = [], file = 'types/options.generated.ts' }: Given, options: Options): Group => ({
  name,
  doc,
  file,
  from: from.map(one => ('group' in one ? one : { group: one })),
  options,
})

/** A call that reads the inside of a model while it processes a text, which is its argument. Its method is generated. */
export interface Reading {
  /** Sentences of the docstring, with the errors. */
  readonly doc: string
  readonly examples: readonly string[]
  readonly result: string
  /**
   * What it reads at points of the pass (`Asked` in wire/protocol.ts), in a message `trace` or `attention`; absent: there is a message
   * with the name of the call.
   */
  readonly what?: string
  /** Where the function is that makes the result, as the name of the call and `Of`; absent: the answer is the result. */
  readonly madeIn?: 'page' | 'lab'
}

/** A public call. Its arguments, result, errors and examples are in its declaration, if `reading` does not have them. */
export interface Call {
  /** The receivers of the call: a function of the package, a method of a class, or of `modelStore`. */
  readonly of: readonly ('heed' | 'Model' | 'Session' | 'modelStore' | 'Constraint')[]
  readonly options?: Group
  /** Options whose default depends on more than the call. */
  readonly depending?: readonly string[]
  readonly reading?: Reading
  /** Whether its options are read in the lab's script, which is loaded at the first such call. */
  readonly lab?: true
  /** Reports while it runs: events, by the option or the loop that receives them. */
  readonly events?: Readonly<Record<string, string>>
}

/** A result that C++ makes. */
export interface Result {
  /** The structure in C++. */
  readonly from: string
  /** Fields that it does not have. */
  readonly less?: readonly string[]
  /** Expressions in C++, of `from`, for fields with another name or another form there. */
  readonly fields?: Readonly<Record<string, string>>
}
