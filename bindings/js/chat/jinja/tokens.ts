// The tokens of a template, with the operations that a parser needs.
import { TemplateError } from './error.js'
import type { Token, TokenType } from './lexer.js'

const mostDepth = 100

export class Tokens {
  readonly #tokens: Token[]
  #at = 0
  #depth = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  get current(): Token {
    return this.#tokens[this.#at]!
  }
  get place(): number {
    return this.#at
  }
  get line(): number {
    return this.current.line
  }

  next(): Token {
    const token = this.current
    if (this.#at < this.#tokens.length - 1) this.#at++
    return token
  }

  is(type: TokenType, ...values: string[]): boolean {
    return this.current.type === type && (values.length === 0 || values.includes(this.current.value))
  }

  /** The token after the current one. */
  isNext(type: TokenType, value: string): boolean {
    const next = this.#tokens[this.#at + 1]
    return next?.type === type && next.value === value
  }

  isOperator(...values: string[]): boolean {
    return this.is('operator', ...values)
  }
  isName(...values: string[]): boolean {
    return this.is('name', ...values)
  }

  /** Reads the token if it is the expected one. */
  take(type: TokenType, value: string): boolean {
    const isIt = this.is(type, value)
    if (isIt) this.next()
    return isIt
  }

  takeOperator(value: string): boolean {
    return this.take('operator', value)
  }
  takeName(value: string): boolean {
    return this.take('name', value)
  }

  expect(type: TokenType, value?: string): Token {
    if (!this.is(type, ...(value === undefined ? [] : [value]))) {
      this.fail(`expected ${value === undefined ? type : `'${value}'`}, got ${this.shown}`)
    }
    return this.next()
  }

  get shown(): string {
    return this.is('end') ? 'the end of the template' : `'${this.current.value}'`
  }

  /** Whether a name was read since a position. */
  hasName(place: number, name: string): boolean {
    return this.#tokens.slice(place, this.#at).some(({ type, value }) => type === 'name' && value === name)
  }

  endTag(): void {
    this.expect('blockEnd')
  }

  fail(message: string, line = this.line): never {
    throw new TemplateError('TemplateSyntaxError', message).at(line)
  }

  /** Reads something that may contain more of its kind, up to a maximum depth. */
  nested<Node>(read: () => Node): Node {
    if (++this.#depth > mostDepth) this.fail('the template nests too deeply')
    const node = read()
    this.#depth--
    return node
  }
}
