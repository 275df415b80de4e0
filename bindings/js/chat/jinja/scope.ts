// Where names live: a scope sees those around it, and what it sets stays its own. And what a template is once it is read:
// functions of a scope.
import type { Host } from './host.js'
import type { Text } from './text.js'
import { ifAbsent, Undefined, type Value } from './values.js'

export class Scope {
  private readonly values = new Map<string, Value>()

  constructor(readonly host: Host, private readonly outer?: Scope) {}

  get inner(): Scope { return new Scope(this.host, this) }

  find(name: string): Value | undefined {
    const value = this.values.get(name)
    return value === undefined ? this.outer?.find(name) : value
  }

  get(name: string): Value { return ifAbsent(this.find(name), new Undefined(`'${name}' is undefined`)) }
  set(name: string, value: Value): void { this.values.set(name, value) }
}

/** Gives a value. What is a call can also be made with one more argument by name: `caller`. */
export interface Expression {
  (scope: Scope): Value
  callWith?(scope: Scope, caller: Value): Value
}

/** Takes a value. */
export type Target = (scope: Scope, value: Value) => void

/** Writes text; what it returns ends the bodies around it, to a loop. */
export type Statement = (scope: Scope, out: Text[]) => 'break' | 'continue' | void
