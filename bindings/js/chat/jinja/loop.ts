// `loop`, as the body of a `for` knows it.
import { TemplateError } from './error.js'
import { Callable, ifAbsent, Instance, isEqual, List, Undefined, type Named, type Value } from './values.js'

export class Loop extends Instance {
  readonly type = 'LoopContext'
  at = 0
  private last: Value | undefined

  /** `again` runs the same loop over something else, where it is recursive. */
  constructor(readonly items: readonly Value[], private readonly depth: number, private readonly again?: (over: Value) => Value) {
    super()
  }

  override attribute(name: string): Value | undefined {
    const { at, items: { length }, depth } = this
    switch (name) {
      case 'index': return BigInt(at + 1)
      case 'index0': return BigInt(at)
      case 'revindex': return BigInt(length - at)
      case 'revindex0': return BigInt(length - at - 1)
      case 'first': return at === 0
      case 'last': return at === length - 1
      case 'length': return BigInt(length)
      case 'depth': return BigInt(depth + 1)
      case 'depth0': return BigInt(depth)
      case 'previtem': return ifAbsent(this.items[at - 1], new Undefined('there is no previous item'))
      case 'nextitem': return ifAbsent(this.items[at + 1], new Undefined('there is no next item'))
      case 'cycle': return new Callable('cycle', values => {
        if (values.length === 0) throw new TemplateError('TypeError', 'no items for cycling given')
        return values[at % values.length]!
      })
      case 'changed': return new Callable('changed', values => {
        const now = new List(values)
        const isChanged = this.last === undefined || !isEqual(this.last, now)
        this.last = now
        return isChanged
      })
    }
    return undefined
  }

  override call(args: Value[], _named: Named): Value {
    if (!this.again) {
      throw new TemplateError('TypeError', "The loop must have the 'recursive' marker to be called recursively.")
    }
    return this.again(args[0] ?? null)
  }
}
