// Macros: functions that a template defines. They see the scope of their definition, in its state when they run.
import { TemplateError } from './error.js'
import { readExpression } from './expressions.js'
import { toText } from './printing.js'
import { type Blocks, type Expression, type Scope, textOf } from './scope.js'
import { Text } from './text.js'
import type { Tokens } from './tokens.js'
import { Callable, Dict, ifAbsent, Tuple, Undefined, type Value } from './values.js'

interface Parameter {
  readonly name: string
  readonly default?: Expression
}

/** The parameters in parentheses, if there are any. */
export function readParameters(tokens: Tokens): Parameter[] {
  const parameters: Parameter[] = []
  if (!tokens.takeOperator('(')) return parameters
  while (!tokens.takeOperator(')')) {
    if (parameters.length > 0) tokens.expect('operator', ',')
    const { value: name } = tokens.expect('name')
    const value = tokens.takeOperator('=') ? readExpression(tokens) : undefined
    if (!value && parameters.at(-1)?.default) tokens.fail('non-default argument follows default argument')
    parameters.push({ name, default: value })
  }
  return parameters
}

/** A macro, given the scope of its definition. `varargs` and `kwargs` are only accepted if the body uses them. */
export function readMacro(
  tokens: Tokens,
  blocks: Blocks,
  name: string,
  parameters: readonly Parameter[],
  end: string,
): (outer: Scope) => Callable {
  const start = tokens.place
  const body = blocks.block(tokens, end)
  const [varargs, kwargs] = ['varargs', 'kwargs'].map(word => tokens.hasName(start, word))
  const fail = (message: string) => {
    throw new TemplateError('TypeError', `macro '${name}' ${message}`)
  }
  return outer =>
    new Callable(
      name,
      (args: Value[], named: Dict) => {
        const { host, inner: scope } = outer
        const rest = new Dict(named.entries)
        parameters.forEach(({ name: parameter, default: otherwise }, at) => {
          const key = new Text(parameter)
          if (args[at] !== undefined && rest.has(key)) fail(`got multiple values for argument '${parameter}'`)
          const value = args[at] === undefined ? rest.get(key) : args[at]
          rest.delete(key)
          scope.set(
            parameter,
            value !== undefined
              ? value
              : (otherwise?.(scope) ?? (otherwise ? null : new Undefined(`parameter '${parameter}' was not provided`))),
          )
        })
        scope.set('caller', ifAbsent(rest.text('caller'), new Undefined('No caller defined')))
        rest.delete(new Text('caller'))
        if (args.length > parameters.length && !varargs) fail(`takes not more than ${parameters.length} argument(s)`)
        if (rest.size > 0 && !kwargs) fail(`takes no keyword argument '${toText(rest.keys[0]!).value}'`)
        scope.set('varargs', new Tuple(args.slice(parameters.length)))
        scope.set('kwargs', rest)
        const { line } = host
        const text = textOf(body, scope)
        host.line = line
        return text
      },
      'Macro',
    )
}
