// The scopes of names: a scope sees the names of the enclosing ones, and what it sets stays local. Also the types of a parsed
// template: functions that take a scope.
import type { Host } from './host.js'
import { Text } from './text.js'
import type { Tokens } from './tokens.js'
import { ifAbsent, Undefined, type Value } from './values.js'

export class Scope {
  readonly #values = new Map<string, Value>()
  readonly #outer: Scope | undefined

  constructor(
    readonly host: Host,
    outer?: Scope,
  ) {
    this.#outer = outer
  }

  get inner(): Scope {
    return new Scope(this.host, this)
  }

  find(name: string): Value | undefined {
    const value = this.#values.get(name)
    return value === undefined ? this.#outer?.find(name) : value
  }

  get(name: string): Value {
    return ifAbsent(this.find(name), new Undefined(`'${name}' is undefined`))
  }
  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }
}

/** Returns a value. A call can also be made with an additional argument, `caller`. */
export interface Expression {
  (scope: Scope): Value
  callWith?(scope: Scope, caller: Value): Value
}

/** Assigns a value. */
export type Target = (scope: Scope, value: Value) => void

/** Writes text. If it returns `break` or `continue`, the enclosing bodies end, up to the loop. */
export type Statement = (scope: Scope, out: Text[]) => 'break' | 'continue' | void

/** The text that a body writes, in a scope of its own. */
export function textOf(body: Statement, scope: Scope): Text {
  const out: Text[] = []
  body(scope.inner, out)
  return Text.join(out)
}

/** Reads nested statements. Statements contain statements, so the parser passes this to the files of its statements. */
export interface Blocks {
  /** Reads statements up to a tag with one of these names; the name is then the current token. */
  body(tokens: Tokens, ...ends: string[]): Statement
  /** Reads the body of a block, up to its end tag. */
  block(tokens: Tokens, end: string): Statement
}
