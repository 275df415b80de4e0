// The functions that every template has.
import { needInteger, needText, readArguments } from './arguments.js'
import type { Budget } from './budget.js'
import { strftime } from './clock.js'
import { TemplateError } from './error.js'
import { toText } from './printing.js'
import { Text } from './text.js'
import { Callable, Dict, Instance, iterate, List, Namespace, Tuple, type Named, type Value } from './values.js'

const mostRange = 100_000

export function globals(budget: Budget, now: Date): Map<string, Value> {
  const functions: Record<string, (args: Value[], named: Named) => Value> = {
    raise_exception: ([message]) => {
      throw new TemplateError('raise_exception', message === undefined ? '' : toText(message).value)
    },
    strftime_now: (args, named) => {
      const [format] = readArguments('strftime_now', ['format'], args, named)
      return needText('strftime_now', format).mapWhole(value => strftime(value, now))
    },
    range: args => {
      if (args.length === 0) throw new TemplateError('TypeError', 'range expected at least 1 argument, got 0')
      const [a, b, by = 1] = args.map(arg => needInteger('range', arg))
      const [from, to] = b === undefined ? [0, a!] : [a!, b]
      if (by === 0) throw new TemplateError('ValueError', 'range() arg 3 must not be zero')
      const length = Math.max(0, Math.ceil((to - from) / by))
      if (length > mostRange) {
        throw new TemplateError('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${mostRange}).`)
      }
      budget.spend(length)
      return new List(Array.from({ length }, (_, at) => BigInt(from + at * by)))
    },
    namespace: (args, named) => {
      const namespace = new Namespace()
      for (const [key, value] of dict(args, named).entries) namespace.values.set(toText(key).value, value)
      return namespace
    },
    dict,
    cycler: args => new Cycler(args),
    joiner: ([separator]) => {
      let isFirst = true
      return new Callable('joiner', () => {
        const text = isFirst ? Text.empty : separator ?? new Text(', ')
        isFirst = false
        return text
      }, 'Joiner')
    },
  }
  return new Map(Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]))
}

function dict([first]: Value[], named: Named): Dict {
  const made = new Dict()
  const entries = first instanceof Dict ? first.entries : first === undefined ? [] : iterate(first).map(pair => {
    const items = pair instanceof Tuple || pair instanceof List ? pair.items : []
    if (items.length !== 2) throw new TemplateError('TypeError', 'dict: pairs are needed')
    return items as [Value, Value]
  })
  for (const [key, value] of entries) made.set(key, value)
  for (const [name, value] of named) made.set(new Text(name), value)
  return made
}

class Cycler extends Instance {
  readonly type = 'Cycler'
  private at = 0

  constructor(private readonly items: Value[]) {
    super()
    if (items.length === 0) throw new TemplateError('TypeError', 'at least one item has to be provided')
  }

  override attribute(name: string): Value | undefined {
    if (name === 'current') return this.items[this.at]
    if (name === 'next') return new Callable('next', () => {
      const item = this.items[this.at]!
      this.at = (this.at + 1) % this.items.length
      return item
    })
    return name === 'reset' ? new Callable('reset', () => (this.at = 0, null)) : undefined
  }
}
