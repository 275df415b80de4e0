// `for` statements, and `loop` in their bodies.
import { TemplateError } from './error.js'
import { readOr, readTuple } from './expressions.js'
import type { Blocks, Scope, Statement } from './scope.js'
import { readTarget } from './targets.js'
import { Text } from './text.js'
import type { Tokens } from './tokens.js'
import { Callable, ifAbsent, Instance, isEqual, isTrue, iterate, Undefined, type Dict, type Value } from './values.js'

class Loop extends Instance {
  readonly type = 'LoopContext'
  at = 0
  #seen: readonly Value[] | undefined
  readonly #depth: number
  readonly #again: ((over: Value) => Value) | undefined

  /** `again` runs the same loop over another value, if the loop is recursive. */
  constructor(
    readonly items: readonly Value[],
    depth: number,
    again?: (over: Value) => Value,
  ) {
    super()
    this.#depth = depth
    this.#again = again
  }

  override attribute(name: string): Value | undefined {
    const {
      at,
      items: { length },
    } = this
    const depth = this.#depth
    switch (name) {
      case 'index':
        return BigInt(at + 1)
      case 'index0':
        return BigInt(at)
      case 'revindex':
        return BigInt(length - at)
      case 'revindex0':
        return BigInt(length - at - 1)
      case 'first':
        return at === 0
      case 'last':
        return at === length - 1
      case 'length':
        return BigInt(length)
      case 'depth':
        return BigInt(depth + 1)
      case 'depth0':
        return BigInt(depth)
      case 'previtem':
        return ifAbsent(this.items[at - 1], new Undefined('there is no previous item'))
      case 'nextitem':
        return ifAbsent(this.items[at + 1], new Undefined('there is no next item'))
      case 'cycle':
        return new Callable('cycle', values => {
          if (values.length === 0) throw new TemplateError('TypeError', 'no items for cycling given')
          return values[at % values.length]!
        })
      case 'changed':
        return new Callable('changed', values => {
          const seen = this.#seen
          this.#seen = values
          return !(seen?.length === values.length && seen.every((one, at) => isEqual(one, values[at]!)))
        })
    }
    return undefined
  }

  override call(args: Value[], _named: Dict): Value {
    if (!this.#again) {
      throw new TemplateError('TypeError', 'the loop is not recursive')
    }
    return this.#again(args[0] ?? null)
  }
}

export function readFor(tokens: Tokens, blocks: Blocks): Statement {
  const target = readTarget(tokens)
  tokens.expect('name', 'in')
  const over = readTuple(tokens, readOr)
  const where = tokens.takeName('if') ? readOr(tokens) : undefined
  const isRecursive = tokens.takeName('recursive')
  tokens.endTag()
  const body = blocks.body(tokens, 'else', 'endfor')
  const otherwise: Statement = tokens.next().value === 'else' ? blocks.block(tokens, 'endfor') : (tokens.endTag(), () => {})

  const run = (value: Value, scope: Scope, out: Text[], depth: number): void => {
    const items = iterate(value).filter(item => {
      if (!where) return true
      const { inner } = scope
      target(inner, item)
      return isTrue(where(inner))
    })
    const loop = new Loop(
      items,
      depth,
      isRecursive
        ? again => {
            const text: Text[] = []
            run(again, scope, text, depth + 1)
            return Text.join(text)
          }
        : undefined,
    )
    for (; loop.at < items.length; loop.at++) {
      const { inner } = scope
      inner.set('loop', loop)
      target(inner, items[loop.at]!)
      if (body(inner, out) === 'break') break
    }
    if (items.length === 0) otherwise(scope.inner, out)
  }
  return (scope, out) => run(over(scope), scope, out, 0)
}
