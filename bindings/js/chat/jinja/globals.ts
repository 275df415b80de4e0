// The functions that are available in every template.
import { needInteger, needText, readArguments } from './arguments.js'
import type { Budget } from './budget.js'
import { strftime } from './clock.js'
import { TemplateError } from './error.js'
import { update } from './methods.js'
import { toText } from './printing.js'
import { Callable, Dict, List, Namespace, type Named, type Value } from './values.js'

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
      budget.spend(4 * length)
      return new List(Array.from({ length }, (_, at) => BigInt(from + at * by)))
    },
    namespace: (args, named) => {
      const namespace = new Namespace()
      for (const [key, value] of dict(args, named).entries) namespace.values.set(toText(key).value, value)
      return namespace
    },
    dict,
  }
  return new Map(Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]))
}

function dict(args: Value[], named: Named): Dict {
  const made = new Dict()
  update(made, args, named)
  return made
}
