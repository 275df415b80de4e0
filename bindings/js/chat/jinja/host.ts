// Operations of a running template on values. Attributes are methods of Python's types, keys of dicts, and fields of our instances.
import { nested, read, spend } from './budget.js'
import { TemplateError } from './error.js'
import type { FilterHost } from './filter.js'
import { isFilter, runFilter } from './filters.js'
import { methodOf } from './methods.js'
import { toRepr, toText, type Printed } from './printing.js'
import { runTest } from './tests.js'
import { Text } from './text.js'
import { Callable, Dict, ifAbsent, Instance, itemOf, List, Tuple, typeName, Undefined, type Value } from './values.js'

/** A value, as Jinja names it in messages about missing attributes. */
const described = (value: Value) => (value === null ? 'None' : `${typeName(value)} object`)

export class Host implements FilterHost {
  /** The line of the running statement in the template. */
  line = 1

  constructor(readonly printed: Printed) {}

  /** Python's str(value). */
  text(value: Value): Text {
    return toText(value, this.printed)
  }

  attribute(value: Value, name: string, isOnly = false): Value {
    spend()
    if (value instanceof Undefined) value.fail()
    const found =
      methodOf(value, name) ??
      (value instanceof Dict && !isOnly
        ? value.text(name)
        : value instanceof Instance
          ? value.attribute(name)
          : value instanceof Tuple
            ? value.items[value.names.indexOf(name)]
            : undefined)
    return ifAbsent(
      found,
      name.startsWith('__')
        ? new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`, 'SecurityError')
        : new Undefined(`'${described(value)}' has no attribute '${name}'`),
    )
  }

  item(value: Value, key: Value): Value {
    spend()
    if (value instanceof Undefined) value.fail()
    const found = key instanceof List || key instanceof Dict ? undefined : itemOf(value, key)
    if (found !== undefined) return found
    if (key instanceof Text) {
      read(key.value.length)
      return this.attribute(value, key.value)
    }
    return new Undefined(`${described(value)} has no element ${toRepr(key).value}`)
  }

  call(called: Value, args: Value[], named: Dict): Value {
    if (called instanceof Undefined) called.fail()
    const isCallable = called instanceof Callable || (called instanceof Instance && called.call)
    if (!isCallable) throw new TemplateError('TypeError', `'${typeName(called)}' object is not callable`)
    return nested(() => (called as Callable).call(args, named))
  }

  filter(name: string, value: Value, args: Value[], named: Dict): Value {
    spend()
    return runFilter(name, value, args, named, this)
  }

  test(name: string, value: Value, args: Value[]): boolean {
    spend()
    return runTest(name, value, args, isFilter)
  }
}
