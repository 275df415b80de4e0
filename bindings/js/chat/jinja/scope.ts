// Where names live: a scope sees those around it, and what it sets stays its own.
import type { Value } from './values.js'

export class Scope {
  private readonly values = new Map<string, Value>()

  constructor(private readonly outer?: Scope) {}

  get(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const value = scope.values.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  set(name: string, value: Value): void { this.values.set(name, value) }
}
