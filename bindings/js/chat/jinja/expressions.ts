// Parses expressions with Jinja's precedence (jinja2/parser.py), in order from the weakest operators to the strongest.
import { make, spend } from './budget.js'
import { TemplateError } from './error.js'
import { binary, compareBy, slice, unary } from './operators.js'
import type { Expression, Scope } from './scope.js'
import { Text } from './text.js'
import type { Tokens } from './tokens.js'
import { Dict, isTrue, iterate, List, Tuple, Undefined, type Value } from './values.js'

type Read = (tokens: Tokens) => Expression

const constants: Record<string, boolean | null> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}
// Each leaf of an expression (a name, a constant, an empty list or dict) costs a step, so an expression costs at least as many.
const constant =
  (value: Value): Expression =>
  () => {
    spend()
    return value
  }
export const named =
  (name: string): Expression =>
  scope => {
    spend()
    return scope.get(name)
  }
const all = (items: readonly Expression[], scope: Scope) => items.map(item => item(scope))

/** One expression, or several that are separated by commas, which form a tuple. */
export function readTuple(tokens: Tokens, read: Read = readExpression): Expression {
  const first = read(tokens)
  if (!tokens.isOperator(',')) return first
  const items = [first]
  while (tokens.takeOperator(',')) {
    if (tokens.is('blockEnd') || tokens.is('outputEnd') || tokens.isOperator(')') || tokens.isName('in')) break
    items.push(read(tokens))
  }
  return scope => new Tuple(all(items, scope))
}

export const readExpression: Read = tokens =>
  tokens.nested(() => {
    let value = readOr(tokens)
    while (tokens.takeName('if')) {
      const [then, condition] = [value, readOr(tokens)]
      const otherwise = tokens.takeName('else')
        ? readExpression(tokens)
        : constant(new Undefined('the inline if-expression evaluated to false and no else section was defined.'))
      value = scope => (isTrue(condition(scope)) ? then : otherwise)(scope)
    }
    return value
  })

/** An expression without `if` and `else`, for places where these have another meaning. */
export const readOr: Read = tokens => {
  let value = readAnd(tokens)
  while (tokens.takeName('or')) {
    const [left, right] = [value, readAnd(tokens)]
    value = scope => {
      const first = left(scope)
      return isTrue(first) ? first : right(scope)
    }
  }
  return value
}

const readAnd: Read = tokens => {
  let value = readNot(tokens)
  while (tokens.takeName('and')) {
    const [left, right] = [value, readNot(tokens)]
    value = scope => {
      const first = left(scope)
      return isTrue(first) ? right(scope) : first
    }
  }
  return value
}

const readNot: Read = tokens => {
  if (!tokens.isName('not') || tokens.isNext('name', 'in')) return readCompare(tokens)
  tokens.next()
  const value = tokens.nested(() => readNot(tokens))
  return scope => !isTrue(value(scope))
}

const readCompare: Read = tokens => {
  const first = readSum(tokens)
  const rest: [operator: string, value: Expression][] = []
  for (;;) {
    let operator
    if (tokens.isOperator('==', '!=', '<', '<=', '>', '>=') || tokens.isName('in')) operator = tokens.next().value
    else if (tokens.isName('not') && tokens.isNext('name', 'in')) operator = `${tokens.next().value} ${tokens.next().value}`
    else break
    rest.push([operator, readSum(tokens)])
  }
  return rest.length === 0
    ? first
    : scope => {
        let left = first(scope)
        return rest.every(([operator, value]) => {
          const right = value(scope)
          const isSo = compareBy(operator, left, right)
          left = right
          return isSo
        })
      }
}

const leftToRight =
  (operators: string[], readOperand: Read): Read =>
  tokens => {
    let value = readOperand(tokens)
    while (tokens.isOperator(...operators)) {
      const [left, operator, right] = [value, tokens.next().value, readOperand(tokens)]
      value = scope => binary(operator, left(scope), right(scope))
    }
    return value
  }

function readUnary(tokens: Tokens, filtered = true): Expression {
  let value: Expression
  if (tokens.isOperator('-', '+')) {
    const [operator, of] = [tokens.next().value, tokens.nested(() => readUnary(tokens, false))]
    value = scope => unary(operator, of(scope))
  } else value = readPrimary(tokens)
  value = readPostfix(tokens, value)
  return filtered ? readFilters(tokens, value) : value
}

const readPower = leftToRight(['**'], tokens => readUnary(tokens))
const readProduct = leftToRight(['*', '/', '//', '%'], readPower)

const readConcat: Read = tokens => {
  const items = [readProduct(tokens)]
  while (tokens.takeOperator('~')) items.push(readProduct(tokens))
  return items.length === 1 ? items[0]! : scope => Text.join(all(items, scope).map(value => scope.host.text(value)))
}
const readSum = leftToRight(['+', '-'], readConcat)

const readPrimary: Read = tokens => {
  const token = tokens.next()
  const { value } = token
  switch (token.type) {
    case 'name':
      return Object.hasOwn(constants, value) ? constant(constants[value]!) : named(value)
    case 'integer':
      if (value.length > 1000) tokens.fail('a number is too large', token.line)
      return constant(BigInt(value))
    case 'float':
      return constant(Number(value))
    case 'string': {
      let text = value
      while (tokens.is('string')) text += tokens.next().value
      return constant(new Text(text))
    }
  }
  if (token.type === 'operator') {
    if (value === '(') {
      if (tokens.takeOperator(')')) return constant(new Tuple([]))
      const inner = readTuple(tokens)
      tokens.expect('operator', ')')
      return inner
    }
    if (value === '[') {
      const items = readItems(tokens, ']', readExpression)
      return scope => {
        make(1)
        return new List(all(items, scope))
      }
    }
    if (value === '{') {
      const entries = readItems(tokens, '}', () => {
        const key = readExpression(tokens)
        tokens.expect('operator', ':')
        return [key, readExpression(tokens)]
      })
      return scope => {
        make(3)
        return new Dict(entries.map(entry => all(entry, scope) as [Value, Value]))
      }
    }
  }
  return tokens.fail(token.type === 'end' ? 'unexpected end of template' : `unexpected '${value}'`, token.line)
}

/** Items that are separated by commas, with an optional trailing comma. */
function readItems<Item>(tokens: Tokens, close: string, read: (tokens: Tokens) => Item): Item[] {
  const items: Item[] = []
  while (!tokens.takeOperator(close)) {
    if (items.length > 0) tokens.expect('operator', ',')
    if (tokens.takeOperator(close)) break
    items.push(read(tokens))
  }
  return items
}

function readPostfix(tokens: Tokens, value: Expression): Expression {
  for (;;) {
    const of = value
    if (tokens.takeOperator('.')) {
      if (tokens.is('integer')) {
        const key = readPrimary(tokens)
        value = scope => scope.host.item(of(scope), key(scope))
      } else {
        const { value: name } = tokens.expect('name')
        value = scope => scope.host.attribute(of(scope), name)
      }
    } else if (tokens.takeOperator('[')) value = readItem(tokens, of)
    else if (tokens.isOperator('(')) value = readCall(tokens, of)
    else return value
  }
}

/** The contents of brackets: an index, several, or a slice. */
function readItem(tokens: Tokens, of: Expression): Expression {
  const bounds: Expression[] = []
  let colons = 0
  const keys = readItems(tokens, ']', () => {
    const isEnd = () => tokens.isOperator(']', ',', ':')
    const key = isEnd() ? constant(null) : readExpression(tokens)
    bounds.push(key)
    for (; tokens.takeOperator(':'); colons++) bounds.push(isEnd() ? constant(null) : readExpression(tokens))
    return key
  })
  if (keys.length === 0 || colons > 2 || (colons > 0 && keys.length > 1)) tokens.fail('expected an index or a slice')
  return scope => {
    const container = of(scope)
    const [from, to = null, step = null] = all(bounds, scope)
    if (colons > 0) return slice(container, from!, to, step)
    return scope.host.item(container, keys.length === 1 ? from! : new Tuple(all(keys, scope)))
  }
}

type Arguments = (scope: Scope) => [args: Value[], named: Dict]

function readArguments(tokens: Tokens): Arguments {
  const args: Expression[] = []
  const byName: [name: Text, value: Expression][] = []
  let spread: Expression | undefined
  let spreadNamed: Expression | undefined
  if (tokens.takeOperator('(')) {
    readItems(tokens, ')', () => {
      if (tokens.takeOperator('*')) spread = readExpression(tokens)
      else if (tokens.takeOperator('**')) spreadNamed = readExpression(tokens)
      else if (tokens.is('name') && tokens.isNext('operator', '=')) {
        const { value: name } = tokens.next()
        tokens.next()
        byName.push([new Text(name), readExpression(tokens)])
      } else if (byName.length > 0 || spreadNamed) tokens.fail('invalid syntax for function call expression')
      else args.push(readExpression(tokens))
    })
  }
  return scope => {
    const values = all(args, scope)
    if (spread) for (const value of iterate(spread(scope))) values.push(value)
    const byNames = new Dict()
    for (const [name, value] of byName) byNames.set(name, value(scope))
    if (!spreadNamed) return [values, byNames]
    const more = spreadNamed(scope)
    if (!(more instanceof Dict)) throw new TemplateError('TypeError', 'argument after ** must be a mapping')
    for (const [name, value] of more.entries) {
      if (!(name instanceof Text)) throw new TemplateError('TypeError', 'keywords must be strings')
      byNames.set(name, value)
    }
    return [values, byNames]
  }
}

function readCall(tokens: Tokens, of: Expression): Expression {
  const read = readArguments(tokens)
  const callWith = (scope: Scope, caller?: Value) => {
    const called = of(scope)
    const [args, byName] = read(scope)
    if (caller !== undefined) byName.set(new Text('caller'), caller)
    return scope.host.call(called, args, byName)
  }
  return Object.assign((scope: Scope) => callWith(scope), { callWith })
}

function readDottedName(tokens: Tokens): string {
  let { value } = tokens.expect('name')
  while (tokens.takeOperator('.')) value += `.${tokens.expect('name').value}`
  return value
}

function readFilters(tokens: Tokens, value: Expression): Expression {
  for (;;) {
    if (tokens.takeOperator('|')) value = readFilter(tokens, value)
    else if (tokens.takeName('is')) value = readTest(tokens, value)
    else if (tokens.isOperator('(')) value = readCall(tokens, value)
    else return value
  }
}

function readFilter(tokens: Tokens, of: Expression): Expression {
  const [name, args] = [readDottedName(tokens), readArguments(tokens)]
  return scope => scope.host.filter(name, of(scope), ...args(scope))
}

/** The filters of a block, applied in order. */
export function readBlockFilters(tokens: Tokens, of: Expression): Expression {
  let value = readFilter(tokens, of)
  while (tokens.takeOperator('|')) value = readFilter(tokens, value)
  return value
}

function readTest(tokens: Tokens, of: Expression): Expression {
  const isNegated = tokens.takeName('not')
  const name = readDottedName(tokens)
  let args: Arguments = () => [[], new Dict()]
  if (tokens.isName('is')) tokens.fail('You cannot chain multiple tests with is')
  if (tokens.isOperator('(')) args = readArguments(tokens)
  else if (
    (tokens.is('name') && !tokens.isName('else', 'or', 'and', 'if', 'in', 'not')) ||
    tokens.is('string') ||
    tokens.is('integer') ||
    tokens.is('float') ||
    tokens.isOperator('[', '{')
  ) {
    const arg = readPostfix(tokens, readPrimary(tokens))
    args = scope => [[arg(scope)], new Dict()]
  }
  return scope => scope.host.test(name, of(scope), args(scope)[0]) !== isNegated
}
