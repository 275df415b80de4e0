// Calls with literals of a language: call:clock{zone:<|"|>CET<|"|>,hours:[1,2]} (Gemma 4; FunctionGemma uses <escape> as quotes),
// and Python's [clock(zone="CET", hours=[1, 2])] (LFM2).
import { unescape } from '../jinja/lexer.js'
import type { Context, Format } from './format.js'
import { Malformed, Unfinished, type Parsing } from './reader.js'

const words: Record<string, unknown> = { true: true, True: true, false: false, False: false, null: null, None: null }

class Literals {
  readonly #text: string
  readonly #quote: string | undefined
  #at = 0

  /** `quote`: a delimiter of strings, in addition to quotation marks. */
  constructor(text: string, quote?: string) {
    this.#text = text
    this.#quote = quote
  }

  get isAtEnd(): boolean { return this.#text.slice(this.#at).trim() === '' }

  take(mark: string): boolean {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
    const isThere = this.#text.startsWith(mark, this.#at)
    if (isThere) this.#at += mark.length
    return isThere
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw this.isAtEnd ? new Unfinished() : new Malformed()
  }

  /** Reads a name, or other text without punctuation. */
  word(): string {
    const [word] = /^[^\s,:=(){}[\]"']*/.exec(this.#text.slice(this.#at))!
    if (word === '') throw this.isAtEnd ? new Unfinished() : new Malformed()
    this.#at += word.length
    return word
  }

  /** Reads members that are separated by commas, up to `close`. */
  members(assign: string, close: string): Record<string, unknown> {
    const members: [string, unknown][] = []
    while (!this.take(close)) {
      if (members.length > 0) {
        this.expect(',')
        if (this.take(close)) break
      }
      const key = this.#string() ?? this.word()
      this.expect(assign)
      members.push([key, this.value()])
    }
    return Object.fromEntries(members)
  }

  value(): unknown {
    const string = this.#string()
    if (string !== undefined) return string
    if (this.take('{')) return this.members(':', '}')
    if (this.take('[') || this.take('(')) {
      const close = this.#text[this.#at - 1] === '[' ? ']' : ')'
      const items: unknown[] = []
      while (!this.take(close)) {
        if (items.length > 0) this.expect(',')
        if (this.take(close)) break
        items.push(this.value())
      }
      return items
    }
    // Anything else is bare text, up to the next delimiter.
    const [bare] = /^[^,{}[\]()]*/.exec(this.#text.slice(this.#at))!
    this.#at += bare.length
    const word = bare.trim()
    if (word === '') throw this.isAtEnd ? new Unfinished() : new Malformed()
    if (Object.hasOwn(words, word)) return words[word]
    return /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(word) ? Number(word) : word
  }

  #string(): string | undefined {
    if (this.#quote !== undefined && this.take(this.#quote)) {
      const end = this.#text.indexOf(this.#quote, this.#at)
      if (end < 0) throw new Unfinished()
      const string = this.#text.slice(this.#at, end)
      this.#at = end + this.#quote.length
      return string
    }
    for (const mark of ['"', "'"]) {
      if (!this.take(mark)) continue
      const end = this.#endOf(mark)
      const inner = this.#text.slice(this.#at, end)
      this.#at = end + 1
      return unescape(inner)
    }
    return undefined
  }

  /** The end of a string: its first quotation mark without a backslash. */
  #endOf(mark: string): number {
    for (let at = this.#at; at < this.#text.length; at++) {
      if (this.#text[at] === '\\') at++
      else if (this.#text[at] === mark) return at
    }
    throw new Unfinished()
  }
}

/** Reads the text up to a closing marker, or to the end. */
function* textTo({ reader }: Context, close: string): Parsing<string> {
  let text = ''
  yield* reader.until([close], more => { text += more })
  return text
}

const gemma = (open: string, close: string, quote: string, more: Partial<Format>): Format => ({
  isIn: source => source.includes(open),
  open: [open],
  *call(context) {
    const literals = new Literals(yield* textTo(context, close), quote)
    literals.expect('call:')
    const name = literals.word()
    literals.expect('{')
    context.reply.call(name, literals.members(':', '}'))
  },
  ...more,
})

export const gemma4 = gemma('<|tool_call>', '<tool_call|>', '<|"|>', { dropped: ['<channel|>'], stops: ['<|tool_response>'] })
export const functionGemma = gemma('<start_function_call>', '<end_function_call>', '<escape>', {
  stops: ['<start_function_response>'],
})

export const lfm2: Format = {
  isIn: source => source.includes('<|tool_list_start|>') || source.includes('<|tool_call_start|>'),
  open: ['<|tool_call_start|>'],
  *call(context) {
    const text = (yield* textTo(context, '<|tool_call_end|>')).replace(/^\s*```\w*|```\s*$/g, '')
    const literals = new Literals(text)
    const isList = literals.take('[')
    if (literals.isAtEnd) throw new Unfinished()
    while (!literals.isAtEnd && !(isList && literals.take(']'))) {
      const name = literals.word()
      literals.expect('(')
      context.reply.call(name, literals.members('=', ')'))
      if (isList && literals.isAtEnd) throw new Unfinished()
      literals.take(',')
    }
  },
}
