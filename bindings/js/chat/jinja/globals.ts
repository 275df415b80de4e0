// The functions that are available in every template.
import { needText, readArguments } from './arguments.js'
import { list, spend } from './budget.js'
import { strftime } from './clock.js'
import { TemplateError } from './error.js'
import { update } from './methods.js'
import { toText } from './printing.js'
import { Text } from './text.js'
import { Callable, Dict, ifAbsent, Instance, isInteger, List, Namespace, typeName, Undefined, type Value } from './values.js'

const mostRange = 100_000n

class Cycler extends Instance {
  readonly type = 'Cycler'
  #at = 0

  constructor(readonly items: readonly Value[]) {
    super()
  }

  override attribute(name: string): Value | undefined {
    const current = this.items[this.#at]!
    const moves = (to: number, result: Value) =>
      new Callable(name, () => {
        this.#at = to % this.items.length
        return result
      })
    return name === 'current'
      ? current
      : name === 'next'
        ? moves(this.#at + 1, current)
        : name === 'reset'
          ? moves(0, null)
          : undefined
  }
}

export function globals(now: Date): Map<string, Value> {
  const functions: Record<string, (args: Value[], named: Dict) => Value> = {
    raise_exception: ([message]) => {
      throw new TemplateError('raise_exception', message === undefined ? '' : toText(message).value)
    },
    strftime_now: (args, named) => {
      const [format] = readArguments('strftime_now', ['format'], args, named)
      const text = needText('strftime_now', format)
      spend(text.value.length)
      return text.mapWhole(value => strftime(value, now))
    },
    range: args => {
      if (args.length === 0) throw new TemplateError('TypeError', 'range expected at least 1 argument, got 0')
      const [a, b, by = 1n] = args.map(needBigInt)
      const [from, to] = b === undefined ? [0n, a!] : [a!, b]
      if (by === 0n) throw new TemplateError('ValueError', 'range() arg 3 must not be zero')
      const [distance, stride] = by > 0n ? [to - from, by] : [from - to, -by]
      const length = distance > 0n ? (distance + stride - 1n) / stride : 0n
      if (length > mostRange) {
        throw new TemplateError('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${mostRange}).`)
      }
      list(Number(length))
      return new List(Array.from({ length: Number(length) }, (_, at) => from + BigInt(at) * by))
    },
    namespace: (args, named) => {
      const namespace = new Namespace()
      for (const [key, value] of dict(args, named).entries) namespace.values.set(toText(key).value, value)
      return namespace
    },
    dict,
    cycler: items => {
      if (items.length === 0) throw new TemplateError('RuntimeError', 'at least one item has to be provided')
      return new Cycler(items)
    },
    joiner: (args, named) => {
      const [between] = readArguments('joiner', ['sep'], args, named)
      let isUsed = false
      return new Callable('joiner', () => {
        const text = isUsed ? ifAbsent(between, new Text(', ')) : Text.empty
        isUsed = true
        return text
      })
    },
  }
  return new Map(Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]))
}

function needBigInt(value: Value): bigint {
  if (isInteger(value)) return BigInt(value)
  if (value instanceof Undefined) value.fail()
  throw new TemplateError('TypeError', `range: expected int, got ${typeName(value)}`)
}

function dict(args: Value[], named: Dict): Dict {
  const made = new Dict()
  update(made, args, named)
  return made
}
