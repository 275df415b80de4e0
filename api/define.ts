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
  /** The public type of the option's value. */
  readonly type: string
  /** How the value is checked and copied at the call: an expression made of the readers in `bindings/js/page`. */
  readonly read: string
  /** The type of the value once it has been read; absent: its public type. */
  readonly wire?: string
  readonly range?: Range
  /** The words that are allowed as values. */
  readonly words?: readonly string[]
}

/** How the commands offer an option: `npx heed` and, except for the groups of a hub and of a server, the native program. */
export interface Argument {
  readonly group: 'sampling' | 'form' | 'loading' | 'embedding' | 'hub' | 'serving' | 'transcribing'
  /** The argument's name. Default: the option's name, spelled as arguments are. */
  readonly name?: string
  readonly short?: string
  /** A second spelling, which the help omits. */
  readonly alias?: string
  /** The placeholder of the value in the help. Default: N for a number, or the allowed words; none for a flag. */
  readonly value?: string
  /** Whether the argument may be given several times. */
  readonly many?: true
  /**
   * The reader in `npx heed`. Default: the reader of a number, of one of several words, or of a flag, by the kind of the option.
   */
  readonly read?: 'number' | 'text' | 'texts' | 'file' | 'flag' | 'biases' | 'whitespace' | 'boolean'
  /** Another option in this table, without which this one is an error. */
  readonly needs?: string
  /** Whether the option cannot be combined with another option of its group that is `alone`. */
  readonly alone?: true
}

/** An option that only a command has, not the package; without `value`, it is a flag. */
export interface OwnOption extends Pick<Argument, 'short' | 'value' | 'many'> {
  /** A remark in the help. */
  readonly note?: string
}

export interface Command {
  readonly own: Readonly<Record<string, OwnOption>>
  readonly takes: readonly (Argument['group'] | 'media')[]
}

/** A parameter of OpenAI's API. Its name is the option's name, with underscores. */
export interface Parameter {
  readonly type: string
  readonly doc?: string
  /** The reader of the parameter, in `bindings/js/facades/openai`. */
  readonly read: string
}

/** A slider in the page. It covers the option's range, unless `min` or `max` is set. */
export interface Slider {
  readonly label: string
  /** What the option does, as text beside the slider. */
  readonly hint: string
  readonly min?: number
  readonly max?: number
  readonly step: number
  /** The slider's initial value. Default: the option's default. */
  readonly value?: number
  /** The largest value in the panel that shows how a token is drawn; absent: the panel does not have this slider. */
  readonly drawn?: number
}

export interface Option {
  readonly kind: Kind
  /** Sentences of the docstring; the range and the default are added to them. */
  readonly doc?: string
  /** The value that is used if the option is absent. */
  readonly default?: number | string | boolean
  /** The default in words; if there is also a fixed default, these words continue the sentence about it. */
  readonly byDefault?: string
  /** The value that an absent option has after reading, as an expression, if that is not the default itself. */
  readonly absent?: string
  readonly required?: true
  /** The field of the C++ structure that the value is written to; '' if it fills the whole structure. */
  readonly engine?: string
  /** Whether the page always sends the option, with a value of its own if it is absent. */
  readonly always?: true
  /** Whether the option stays in the caller's thread. */
  readonly here?: true
  readonly argument?: Argument
  readonly openai?: Parameter
  /**
   * The AI SDK's setting with the same value; `from`: a setting that is converted to the option; `own`: an option in
   * `providerOptions.heed`, with its type there if it has another.
   */
  readonly aiSdk?: string | { readonly from: string } | { readonly own: true | string }
  /** Whether `heed/prompt-api` takes the option under the same name. */
  readonly promptApi?: true
  readonly slider?: Slider
}

type Options = Readonly<Record<string, Option>>

/** The options of a public interface, in its order. */
export interface Group {
  readonly name: string
  readonly doc?: string
  /** Groups whose options this one includes, except those in `less`. */
  readonly from: readonly { readonly group: Group; readonly less?: readonly string[] }[]
  readonly options: Options
  /** The generated file that declares the interface, below `bindings/js`. */
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
   * What the call reads at points of the pass (`Asked` in wire/protocol.ts), in a message `trace` or `attention`; absent: the call
   * has a message with its own name.
   */
  readonly what?: string
  /** Where the function that makes the result is; its name is the call's name and `Of`. Absent: the answer is the result. */
  readonly madeIn?: 'page' | 'lab'
}

/** A public call. Its arguments, result, errors and examples are in its declaration, if `reading` does not have them. */
export interface Call {
  /** What the call is a method of, or `heed` for a function of the package. */
  readonly of: readonly ('heed' | 'Model' | 'Session' | 'modelStore' | 'Constraint')[]
  readonly options?: Group
  /** Options whose default depends on more than the call itself. */
  readonly depending?: readonly string[]
  readonly reading?: Reading
  /** Whether the call's options are read in the lab's script, which is loaded at the first such call. */
  readonly lab?: true
  /** What the call reports while it runs: the types of events, by the option or the loop that receives them. */
  readonly events?: Readonly<Record<string, string>>
}

/** A result that C++ makes. */
export interface Result {
  /** The structure in C++. */
  readonly from: string
  /** Fields of the result that the structure lacks. */
  readonly less?: readonly string[]
  /** C++ expressions, of `from`, for fields that have another name or another form in the structure. */
  readonly fields?: Readonly<Record<string, string>>
}
