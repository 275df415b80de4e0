// The targets of assignments: a name, an attribute of a namespace, or several of these.
import { TemplateError } from './error.js'
import type { Target } from './scope.js'
import type { Tokens } from './tokens.js'
import { iterate, Namespace } from './values.js'

/** Reads a target, or with `isTuple`, several that are separated by commas. */
export function readTarget(tokens: Tokens, isTuple = true): Target {
  const first = readOne(tokens)
  if (!isTuple || !tokens.isOperator(',')) return first
  const targets = [first]
  while (tokens.takeOperator(',') && ((tokens.is('name') && !tokens.isName('in')) || tokens.isOperator('('))) {
    targets.push(readOne(tokens))
  }
  return (scope, value) => {
    const items = iterate(value)
    if (items.length !== targets.length) {
      throw new TemplateError(
        'ValueError',
        items.length < targets.length
          ? `not enough values to unpack (expected ${targets.length}, got ${items.length})`
          : `too many values to unpack (expected ${targets.length})`,
      )
    }
    targets.forEach((target, at) => target(scope, items[at]!))
  }
}

function readOne(tokens: Tokens): Target {
  if (tokens.takeOperator('(')) {
    const target = tokens.nested(() => readTarget(tokens))
    tokens.expect('operator', ')')
    return target
  }
  const { value: name } = tokens.expect('name')
  if (/^([Tt]rue|[Ff]alse|[Nn]one)$/.test(name)) tokens.fail(`can't assign to '${name}'`)
  if (!tokens.takeOperator('.')) return (scope, value) => scope.set(name, value)
  const { value: attribute } = tokens.expect('name')
  return (scope, value) => {
    const namespace = scope.find(name)
    if (!(namespace instanceof Namespace)) {
      throw new TemplateError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object')
    }
    namespace.values.set(attribute, value)
  }
}
