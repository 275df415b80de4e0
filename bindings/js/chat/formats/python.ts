// Converts literals of Python, and of Gemma's calls, to JSON. Numbers keep their digits. Throws Malformed for other texts.
import { unescape } from '../jinja/lexer.js'
import { Malformed, Unfinished } from './reader.js'

const words: Record<string, string> = { true: 'true', True: 'true', false: 'false', False: 'false', null: 'null', None: 'null' }

/** A Python number in JSON; undefined if `word` is not one. */
function numberOf(word: string): string | undefined {
  const [, sign, digits] = /^([-+]?)\s*(.*)$/s.exec(word.replace(/(^[-+]?\s*0[xob]|[\da-f])_(?=[\da-f])/gi, '$1')) as string[] as [
    string,
    string,
    string,
  ]
  const minus = sign === '-' ? '-' : ''
  if (/^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/i.test(digits)) return minus + BigInt(digits)
  const [, whole = '', point, fraction, exponent = ''] = /^(\d*)(\.(\d*))?(e[-+]?\d+)?$/i.exec(digits) ?? []
  if (whole === '' && !fraction) return undefined
  const first = whole.replace(/^0+(?=\d)/, '') || '0'
  if (point === undefined && exponent === '' && first.length < whole.length && first !== '0') return undefined // such as 007
  return `${minus}${first}${point === undefined ? '' : `.${fraction || '0'}`}${exponent}`
}

export class Literals {
  readonly #text: string
  readonly #quote: string | undefined
  #at = 0

  /** `quote`: an additional delimiter of strings, in a notation whose keys have no quotation marks. */
  constructor(text: string, quote?: string) {
    this.#text = text
    this.#quote = quote
  }

  get isAtEnd(): boolean {
    return this.#text.slice(this.#at).trim() === ''
  }
  /** The unread text. */
  get rest(): string {
    return this.#text.slice(this.#at)
  }

  take(mark: string): boolean {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
    const isThere = this.#text.startsWith(mark, this.#at)
    if (isThere) this.#at += mark.length
    return isThere
  }

  expect(mark: string): void {
    if (!this.take(mark)) this.#fail()
  }

  #fail(): never {
    throw this.isAtEnd ? new Unfinished() : new Malformed()
  }

  /** Reads a name, or other text without punctuation. */
  word(): string {
    const [word] = /^[^\s,:=(){}[\]"']*/.exec(this.rest)!
    if (word === '') this.#fail()
    this.#at += word.length
    return word
  }

  /** Reads members that are separated by commas, up to `close`, as an object in JSON. */
  members(assign: string, close: string): string {
    const members = this.#list(close, () => {
      const key = this.#string() ?? (assign === '=' || this.#quote !== undefined ? JSON.stringify(this.word()) : this.value())
      if (/^[[{]/.test(key)) throw new Malformed()
      this.expect(assign)
      return `${key.startsWith('"') ? key : JSON.stringify(key)}:${this.value()}`
    })
    return `{${members}}`
  }

  /** Reads items separated by commas, up to `close`; a trailing comma is allowed. */
  #list(close: string, read: () => string): string[] {
    const items: string[] = []
    while (!this.take(close)) {
      if (items.length > 0) {
        this.expect(',')
        if (this.take(close)) break
      }
      items.push(read())
    }
    return items
  }

  /** Reads a value, in JSON. */
  value(): string {
    const string = this.#string()
    if (string !== undefined) return string
    if (this.take('{')) return this.members(':', '}')
    if (this.take('[')) return `[${this.#list(']', () => this.value())}]`
    if (this.take('(')) {
      const items = this.#list(')', () => this.value())
      const isTuple = items.length !== 1 || /,\s*\)$/.test(this.#text.slice(0, this.#at))
      return isTuple ? `[${items}]` : items[0]!
    }
    const [bare] = /^[^,:{}[\]()]*/.exec(this.rest)!
    const word = bare.trim()
    if (word === '') this.#fail()
    const value = Object.hasOwn(words, word) ? words[word] : numberOf(word)
    if (value === undefined) throw this.#at + bare.length < this.#text.length ? new Malformed() : new Unfinished()
    this.#at += bare.length
    return value
  }

  /** Reads a string as JSON; adjacent strings are joined. */
  #string(): string | undefined {
    const pieces: string[] = []
    for (let piece = this.#piece(); piece !== undefined; piece = this.#piece()) pieces.push(piece)
    return pieces.length > 0 ? JSON.stringify(pieces.join('')) : undefined
  }

  #piece(): string | undefined {
    if (this.#quote !== undefined && this.take(this.#quote)) return this.#upTo(this.#quote, false)
    for (const prefix of ['', 'r', 'R', 'u', 'U']) {
      for (const mark of ['"""', "'''", '"', "'"]) if (this.take(prefix + mark)) return this.#upTo(mark, true, /r/i.test(prefix))
    }
    return undefined
  }

  /** Reads up to the first `mark`, skipping marks after a backslash if `escapes` is set. */
  #upTo(mark: string, escapes: boolean, isRaw = false): string {
    let end = this.#at
    while (end < this.#text.length && !this.#text.startsWith(mark, end)) end += escapes && this.#text[end] === '\\' ? 2 : 1
    if (end >= this.#text.length) throw new Unfinished()
    const inner = this.#text.slice(this.#at, end)
    this.#at = end + mark.length
    if (!escapes || isRaw) return inner
    if (/(?<!\\)(?:\\\\)*\\N\{/.test(inner)) throw new Malformed() // a character given by its name
    return unescape(inner)
  }
}

/** A literal in JSON; undefined if `text` is not one. */
export function literalOf(text: string): string | undefined {
  const literals = new Literals(text)
  try {
    const value = literals.value()
    return literals.isAtEnd ? value : undefined
  } catch {
    return undefined
  }
}
