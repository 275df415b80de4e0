// Evaluates expressions, as Jinja in a sandbox does: attributes are methods of Python's types, keys of dicts, and nothing else.
import type { Budget } from './budget.js'
import { TemplateError } from './error.js'
import { isFilter, runFilter, type Host } from './filters.js'
import { methodOf } from './methods.js'
import { binary, compareBy, itemOf, slice, unary } from './operators.js'
import { toRepr, toText, type Printed } from './printing.js'
import type { Scope } from './scope.js'
import type { Call, Expression } from './syntax.js'
import { runTest } from './tests.js'
import { Text } from './text.js'
import {
  Callable, Dict, ifAbsent, Instance, isTrue, iterate, List, Tuple, typeName, Undefined, type Named, type Value,
} from './values.js'

/** How Jinja names what has no such attribute. */
const described = (value: Value) => value === null ? 'None' : `${typeName(value)} object`

export class Evaluator implements Host {
  constructor(readonly budget: Budget, readonly printed: Printed) {}

  evaluate(node: Expression, scope: Scope): Value {
    this.budget.spend()
    switch (node.type) {
      case 'constant': return node.value
      case 'name': return ifAbsent(scope.get(node.name), new Undefined(`'${node.name}' is undefined`))
      case 'list': return new List(this.all(node.items, scope))
      case 'tuple': return new Tuple(this.all(node.items, scope))
      case 'dict':
        return new Dict(node.entries.map(([key, value]) => [this.evaluate(key, scope), this.evaluate(value, scope)]))
      case 'unary': {
        const value = this.evaluate(node.of, scope)
        return node.operator === 'not' ? !isTrue(value) : unary(node.operator, value)
      }
      case 'binary': {
        const left = this.evaluate(node.left, scope)
        if (node.operator === 'and') return isTrue(left) ? this.evaluate(node.right, scope) : left
        if (node.operator === 'or') return isTrue(left) ? left : this.evaluate(node.right, scope)
        return binary(node.operator, left, this.evaluate(node.right, scope), this.budget)
      }
      case 'concat': {
        const texts = this.all(node.items, scope).map(value => this.text(value))
        this.budget.spendText(texts.reduce((sum, { value }) => sum + value.length, 0))
        return Text.join(texts)
      }
      case 'compare': {
        let left = this.evaluate(node.first, scope)
        for (const { operator, to } of node.rest) {
          const right = this.evaluate(to, scope)
          if (!compareBy(operator, left, right, this.budget)) return false
          left = right
        }
        return true
      }
      case 'choice':
        if (isTrue(this.evaluate(node.if, scope))) return this.evaluate(node.then, scope)
        return node.else ? this.evaluate(node.else, scope)
          : new Undefined('the inline if-expression evaluated to false and no else section was defined.')
      case 'attribute': return this.attribute(this.evaluate(node.of, scope), node.name)
      case 'item': {
        const of = this.evaluate(node.of, scope)
        if (node.key.type !== 'slice') return this.item(of, this.evaluate(node.key, scope))
        const [from, to, step] = [node.key.from, node.key.to, node.key.step]
          .map(bound => bound ? this.evaluate(bound, scope) : null) as [Value, Value, Value]
        return slice(of, from, to, step, this.budget)
      }
      case 'slice': throw new TemplateError('TypeError', 'a slice is no value')
      case 'call': {
        const called = this.evaluate(node.of, scope)
        return this.call(called, ...this.arguments(node.call, scope))
      }
      case 'filter':
        return this.filter(node.name, node.of ? this.evaluate(node.of, scope) : null, ...this.arguments(node.call, scope))
      case 'test': {
        const [args] = this.arguments(node.call, scope)
        return this.test(node.name, this.evaluate(node.of, scope), args)
      }
    }
  }

  text(value: Value): Text { return toText(value, this.printed) }

  attribute(value: Value, name: string): Value {
    if (value instanceof Undefined) value.fail()
    const found = methodOf(value, name, this.budget)
      ?? (value instanceof Dict ? value.text(name) : value instanceof Instance ? value.attribute(name) : undefined)
    if (found !== undefined) return found
    if (name.startsWith('__')) {
      return new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`, 'SecurityError')
    }
    return new Undefined(`'${described(value)}' has no attribute '${name}'`)
  }

  item(value: Value, key: Value): Value {
    if (value instanceof Undefined) value.fail()
    const found = key instanceof List || key instanceof Dict ? undefined : itemOf(value, key)
    if (found !== undefined) return found
    if (key instanceof Text) return this.attribute(value, key.value)
    return new Undefined(`${described(value)} has no element ${toRepr(key).value}`)
  }

  call(called: Value, args: Value[], named: Named): Value {
    if (called instanceof Undefined) called.fail()
    const isCallable = called instanceof Callable || (called instanceof Instance && called.call)
    if (!isCallable) throw new TemplateError('TypeError', `'${typeName(called)}' object is not callable`)
    return this.budget.nested(() => (called as Callable).call(args, named))
  }

  filter(name: string, value: Value, args: Value[], named: Named): Value {
    this.budget.spend()
    return runFilter(name, value, args, named, this)
  }

  test(name: string, value: Value, args: Value[]): boolean {
    this.budget.spend()
    return runTest(name, value, args, this.budget, isFilter)
  }

  private all(nodes: readonly Expression[], scope: Scope): Value[] {
    return nodes.map(node => this.evaluate(node, scope))
  }

  private arguments({ args, named, spread, spreadNamed }: Call, scope: Scope): [Value[], Named] {
    const values = this.all(args, scope)
    if (spread) values.push(...iterate(this.evaluate(spread, scope)))
    const byName = new Map(named.map(([name, node]) => [name, this.evaluate(node, scope)]))
    if (spreadNamed) {
      const more = this.evaluate(spreadNamed, scope)
      if (!(more instanceof Dict)) throw new TemplateError('TypeError', 'argument after ** must be a mapping')
      for (const [name, value] of more.entries) byName.set(toText(name).value, value)
    }
    return [values, byName]
  }
}
