// Runs a template's statements.
import { Budget } from './budget.js'
import { TemplateError } from './error.js'
import { Evaluator } from './evaluator.js'
import { globals } from './globals.js'
import { Loop } from './loop.js'
import type { Printed } from './printing.js'
import { Scope } from './scope.js'
import type { Expression, Parameter, Statement, Target } from './syntax.js'
import { Text } from './text.js'
import {
  Callable, Dict, ifAbsent, isTrue, iterate, List, Namespace, Tuple, Undefined, type Named, type Value,
} from './values.js'

export interface RenderInput {
  readonly variables: ReadonlyMap<string, Value>
  readonly now: Date
  /** Of what the variables hold, in characters: the more there is to read, the more a template may do. */
  readonly length: number
  readonly printed?: Printed
}

/** Renders a template that was parsed. Throws a TemplateError. */
export function renderTemplate(body: readonly Statement[], { variables, now, length, printed }: RenderInput): Text {
  const budget = new Budget(length)
  const renderer = new Renderer(new Evaluator(budget, printed ?? (() => {})))
  const scope = new Scope()
  for (const [name, value] of [...globals(budget, now), ...variables]) scope.set(name, value)
  try {
    return renderer.render(body, new Scope(scope))
  } catch (error) {
    throw renderer.located(error)
  }
}

/** What ends a body early. */
type Exit = 'break' | 'continue' | undefined

class Renderer {
  private line = 1
  private depth = 0

  constructor(private readonly evaluator: Evaluator) {}

  /** A TemplateError that knows its line, whatever was thrown. */
  located(error: unknown): TemplateError {
    if (error instanceof TemplateError) return error.at(this.line)
    const isStack = error instanceof RangeError && /stack|recursion/i.test(error.message)
    const reason = isStack ? 'the template nests too deep: it was stopped' : String((error as Error)?.message)
    return new TemplateError(isStack ? 'SecurityError' : 'ValueError', reason).at(this.line)
  }

  render(body: readonly Statement[], scope: Scope): Text {
    const out: Text[] = []
    this.run(body, scope, out)
    return Text.join(out)
  }

  private run(body: readonly Statement[], scope: Scope, out: Text[]): Exit {
    for (const statement of body) {
      const exit = this.runOne(statement, scope, out)
      if (exit) return exit
    }
    return undefined
  }

  private runOne(node: Statement, scope: Scope, out: Text[]): Exit {
    const { evaluator, evaluator: { budget } } = this
    budget.spend()
    this.line = node.line
    switch (node.type) {
      case 'text':
        budget.spendText(node.text.value.length)
        out.push(node.text)
        return undefined
      case 'output': {
        const text = evaluator.text(evaluator.evaluate(node.value, scope))
        budget.spendText(text.value.length)
        out.push(text)
        return undefined
      }
      case 'if': return this.run(isTrue(evaluator.evaluate(node.if, scope)) ? node.then : node.else, scope, out)
      case 'for':
        this.loop(node, evaluator.evaluate(node.over, scope), scope, out)
        return undefined
      case 'break':
      case 'continue': return node.type
      case 'set':
        this.assign(node.target, evaluator.evaluate(node.value, scope), scope)
        return undefined
      case 'setBlock': {
        const text = this.render(node.body, new Scope(scope))
        this.assign(node.target, node.filter ? this.filterText(node.filter, text, scope) : text, scope)
        return undefined
      }
      case 'with': {
        const inner = new Scope(scope)
        for (const [target, value] of node.assignments) this.assign(target, evaluator.evaluate(value, scope), inner)
        return this.run(node.body, inner, out)
      }
      case 'filterBlock':
        out.push(evaluator.text(this.filterText(node.filter, this.render(node.body, new Scope(scope)), scope)))
        return undefined
      case 'macro':
        scope.set(node.name, this.macro(node.name, node.parameters, node.body, scope))
        return undefined
      case 'callBlock': {
        const caller = this.macro('caller', node.parameters, node.body, scope)
        if (node.call.type !== 'call') throw new TemplateError('TemplateSyntaxError', 'expected call')
        const called = evaluator.evaluate(node.call.of, scope)
        const given: Expression = {
          type: 'call', of: { type: 'name', name: ' called' },
          call: { ...node.call.call, named: [...node.call.call.named, ['caller', { type: 'name', name: ' caller' }]] },
        }
        const inner = new Scope(scope)
        inner.set(' called', called)
        inner.set(' caller', caller)
        out.push(evaluator.text(evaluator.evaluate(given, inner)))
        return undefined
      }
      case 'group': return this.run(node.body, new Scope(scope), out)
    }
  }

  private loop(node: Extract<Statement, { type: 'for' }>, over: Value, scope: Scope, out: Text[]): void {
    const { evaluator, evaluator: { budget } } = this
    let items = iterate(over)
    budget.spend(items.length)
    if (node.where) {
      items = items.filter(item => {
        const inner = new Scope(scope)
        this.assign(node.target, item, inner)
        return isTrue(evaluator.evaluate(node.where!, inner))
      })
    } else if (over instanceof List) items = [...items]
    const again = (other: Value): Value => {
      const text: Text[] = []
      this.depth++
      this.loop(node, other, scope, text)
      this.depth--
      return Text.join(text)
    }
    const loop = new Loop(items, node.recursive ? this.depth : 0, node.recursive ? again : undefined)
    for (; loop.at < items.length; loop.at++) {
      const inner = new Scope(scope)
      inner.set('loop', loop)
      this.assign(node.target, items[loop.at]!, inner)
      if (this.run(node.body, inner, out) === 'break') break
    }
    if (items.length === 0) this.run(node.else, new Scope(scope), out)
  }

  private assign(target: Target, value: Value, scope: Scope): void {
    if (target.type === 'name') return scope.set(target.name, value)
    if (target.type === 'namespace') {
      const namespace = scope.get(target.name)
      if (!(namespace instanceof Namespace)) {
        throw new TemplateError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object')
      }
      namespace.values.set(target.attribute, value)
      return
    }
    const items = iterate(value)
    if (items.length !== target.items.length) {
      throw new TemplateError('ValueError', items.length < target.items.length
        ? `not enough values to unpack (expected ${target.items.length}, got ${items.length})`
        : `too many values to unpack (expected ${target.items.length})`)
    }
    target.items.forEach((one, at) => this.assign(one, items[at]!, scope))
  }

  /** The filters of a block; the innermost has the text. */
  private filterText(filter: Expression, text: Text, scope: Scope): Value {
    const inner = new Scope(scope)
    inner.set(' text', text)
    const fill = (node: Expression): Expression => node.type === 'filter'
      ? { ...node, of: node.of ? fill(node.of) : { type: 'name', name: ' text' } } : node
    return this.evaluator.evaluate(fill(filter), inner)
  }

  /** Names that nobody passes are undefined; `varargs` and `kwargs` are there for bodies that read them. */
  private macro(name: string, parameters: readonly Parameter[], body: readonly Statement[], outer: Scope): Callable {
    const [varargs, kwargs] = [usesName(body, 'varargs'), usesName(body, 'kwargs')]
    return new Callable(name, (args: Value[], named: Named) => {
      const scope = new Scope(outer)
      const rest = new Map(named)
      parameters.forEach(({ name: parameter, default: otherwise }, at) => {
        const value = args[at] === undefined ? rest.get(parameter) : args[at]
        if (args[at] !== undefined && rest.has(parameter)) {
          throw new TemplateError('TypeError', `macro '${name}' got multiple values for argument '${parameter}'`)
        }
        rest.delete(parameter)
        scope.set(parameter, value !== undefined ? value : (otherwise ? this.evaluator.evaluate(otherwise, scope)
          : new Undefined(`parameter '${parameter}' was not provided`)))
      })
      this.checkRest(name, parameters, args, rest, varargs, kwargs)
      scope.set('caller', ifAbsent(rest.get('caller'), new Undefined('No caller defined')))
      scope.set('varargs', new Tuple(args.slice(parameters.length)))
      scope.set('kwargs', new Dict([...rest].filter(([key]) => key !== 'caller').map(([key, value]) => [new Text(key), value])))
      const line = this.line
      const text = this.render(body, scope)
      this.line = line
      return text
    }, 'Macro')
  }

  private checkRest(
    name: string, parameters: readonly Parameter[], args: Value[], rest: Named, varargs: boolean, kwargs: boolean,
  ): void {
    if (args.length > parameters.length && !varargs) {
      throw new TemplateError('TypeError', `macro '${name}' takes not more than ${parameters.length} argument(s)`)
    }
    const unknown = [...rest.keys()].find(key => key !== 'caller')
    if (unknown !== undefined && !kwargs) {
      throw new TemplateError('TypeError', `macro '${name}' takes no keyword argument '${unknown}'`)
    }
  }
}

/** Whether a body reads a name. */
function usesName(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null || part instanceof Text) return false
  if ((part as Expression).type === 'name' && (part as { name: string }).name === name) return true
  return Object.values(part).some(inner => usesName(inner, name))
}
