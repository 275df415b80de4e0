// Reads expressions, by Jinja's precedence (jinja2/parser.py): what stands first here binds least.
import type { Call, Expression } from './syntax.js'
import { Text } from './text.js'
import type { Tokens } from './tokens.js'

const comparisons = ['==', '!=', '<', '<=', '>', '>=']
const constants: Record<string, boolean | null> = {
  true: true, True: true, false: false, False: false, none: null, None: null,
}

/** One expression, or several with commas between them, which are a tuple. */
export function readTuple(tokens: Tokens, read = readExpression): Expression {
  const first = read(tokens)
  if (!tokens.isOperator(',')) return first
  const items = [first]
  while (tokens.takeOperator(',')) {
    if (tokens.is('blockEnd') || tokens.is('outputEnd') || tokens.isOperator(')') || tokens.isName('in')) break
    items.push(read(tokens))
  }
  return { type: 'tuple', items }
}

export const readExpression = (tokens: Tokens): Expression => tokens.nested(() => {
  let value = readOr(tokens)
  while (tokens.takeName('if')) {
    const condition = readOr(tokens)
    const otherwise = tokens.takeName('else') ? readExpression(tokens) : undefined
    value = { type: 'choice', if: condition, then: value, else: otherwise }
  }
  return value
})

/** An expression without `if` and `else`, which mean something else where it stands. */
export function readOr(tokens: Tokens): Expression {
  let left = readAnd(tokens)
  while (tokens.takeName('or')) left = { type: 'binary', operator: 'or', left, right: readAnd(tokens) }
  return left
}

function readAnd(tokens: Tokens): Expression {
  let left = readNot(tokens)
  while (tokens.takeName('and')) left = { type: 'binary', operator: 'and', left, right: readNot(tokens) }
  return left
}

function readNot(tokens: Tokens): Expression {
  if (tokens.isName('not') && !tokens.isNext('name', 'in')) {
    tokens.next()
    return { type: 'unary', operator: 'not', of: tokens.nested(() => readNot(tokens)) }
  }
  return readCompare(tokens)
}

function readCompare(tokens: Tokens): Expression {
  const first = readSum(tokens)
  const rest = []
  for (;;) {
    let operator
    if (tokens.isOperator(...comparisons)) operator = tokens.next().value
    else if (tokens.takeName('in')) operator = 'in'
    else if (tokens.isName('not') && tokens.isNext('name', 'in')) {
      tokens.next()
      tokens.next()
      operator = 'not in'
    } else break
    rest.push({ operator, to: readSum(tokens) })
  }
  return rest.length === 0 ? first : { type: 'compare', first, rest }
}

const leftToRight = (operators: string[], readOperand: (tokens: Tokens) => Expression) => (tokens: Tokens): Expression => {
  let left = readOperand(tokens)
  while (tokens.isOperator(...operators)) {
    left = { type: 'binary', operator: tokens.next().value, left, right: readOperand(tokens) }
  }
  return left
}

function readUnary(tokens: Tokens, filtered = true): Expression {
  let value: Expression
  if (tokens.isOperator('-', '+')) {
    const operator = tokens.next().value
    value = { type: 'unary', operator, of: tokens.nested(() => readUnary(tokens, false)) }
  } else value = readPrimary(tokens)
  value = readPostfix(tokens, value)
  return filtered ? readFilters(tokens, value) : value
}

const readPower = leftToRight(['**'], tokens => readUnary(tokens))
const readProduct = leftToRight(['*', '/', '//', '%'], readPower)
const readSum = leftToRight(['+', '-'], readConcat)

function readConcat(tokens: Tokens): Expression {
  const items = [readProduct(tokens)]
  while (tokens.takeOperator('~')) items.push(readProduct(tokens))
  return items.length === 1 ? items[0]! : { type: 'concat', items }
}

function readPrimary(tokens: Tokens): Expression {
  const token = tokens.next()
  switch (token.type) {
    case 'name':
      return Object.hasOwn(constants, token.value)
        ? { type: 'constant', value: constants[token.value]! } : { type: 'name', name: token.value }
    case 'integer': {
      const digits = token.value.replaceAll('_', '')
      if (/^0\d/.test(digits) && /[1-9]/.test(digits)) tokens.fail(`a number begins with 0: ${digits}`, token.line)
      return { type: 'constant', value: BigInt(digits.length > 1000 ? 0 : digits) }
    }
    case 'float': return { type: 'constant', value: Number(token.value.replaceAll('_', '')) }
    case 'string': {
      let value = token.value
      while (tokens.is('string')) value += tokens.next().value
      return { type: 'constant', value: new Text(value) }
    }
    case 'operator':
      if (token.value === '(') {
        if (tokens.takeOperator(')')) return { type: 'tuple', items: [] }
        const value = readTuple(tokens)
        tokens.expect('operator', ')')
        return value
      }
      if (token.value === '[') return { type: 'list', items: readItems(tokens, ']', readExpression) }
      if (token.value === '{') {
        return { type: 'dict', entries: readItems(tokens, '}', () => {
          const key = readExpression(tokens)
          tokens.expect('operator', ':')
          return [key, readExpression(tokens)]
        }) }
      }
  }
  return tokens.fail(token.type === 'end' ? 'unexpected end of template' : `unexpected '${token.value}'`, token.line)
}

/** Items with commas between them, and one more comma after the last if it likes. */
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
    if (tokens.takeOperator('.')) {
      if (tokens.is('integer')) value = { type: 'item', of: value, key: readPrimary(tokens) }
      else value = { type: 'attribute', of: value, name: tokens.expect('name').value }
    } else if (tokens.takeOperator('[')) {
      const keys = readItems(tokens, ']', readKey)
      if (keys.length === 0) tokens.fail('expected an index')
      value = { type: 'item', of: value, key: keys.length === 1 ? keys[0]! : { type: 'tuple', items: keys } }
    } else if (tokens.isOperator('(')) value = { type: 'call', of: value, call: readCall(tokens) }
    else return value
  }
}

/** What stands in brackets: an index or a slice. */
function readKey(tokens: Tokens): Expression {
  const isEnd = () => tokens.isOperator(']', ',', ':')
  const from = isEnd() ? undefined : readExpression(tokens)
  if (!tokens.takeOperator(':')) return from ?? tokens.fail(`unexpected ${tokens.shown}`)
  const to = isEnd() ? undefined : readExpression(tokens)
  const step = tokens.takeOperator(':') && !isEnd() ? readExpression(tokens) : undefined
  return { type: 'slice', from, to, step }
}

function readCall(tokens: Tokens): Call {
  const call: Call = { args: [], named: [] }
  tokens.expect('operator', '(')
  readItems(tokens, ')', () => {
    if (tokens.takeOperator('*')) call.spread = readExpression(tokens)
    else if (tokens.takeOperator('**')) call.spreadNamed = readExpression(tokens)
    else if (tokens.is('name') && tokens.isNext('operator', '=')) {
      const name = tokens.next().value
      tokens.next()
      call.named.push([name, readExpression(tokens)])
    } else if (call.named.length > 0 || call.spreadNamed) tokens.fail('invalid syntax for function call expression')
    else call.args.push(readExpression(tokens))
  })
  return call
}

function readDottedName(tokens: Tokens): string {
  let name = tokens.expect('name').value
  while (tokens.takeOperator('.')) name += `.${tokens.expect('name').value}`
  return name
}

function readFilters(tokens: Tokens, value: Expression): Expression {
  for (;;) {
    if (tokens.isOperator('|')) value = readFilter(tokens, value)
    else if (tokens.isName('is')) value = readTest(tokens, value)
    else if (tokens.isOperator('(')) value = { type: 'call', of: value, call: readCall(tokens) }
    else return value
  }
}

function readFilter(tokens: Tokens, of: Expression): Expression {
  tokens.expect('operator', '|')
  return readFilterName(tokens, of)
}

const readFilterName = (tokens: Tokens, of?: Expression): Expression => ({
  type: 'filter', of, name: readDottedName(tokens), call: tokens.isOperator('(') ? readCall(tokens) : { args: [], named: [] },
})

/** The filters of a block, one after another; the first has no value yet. */
export function readBlockFilters(tokens: Tokens): Expression {
  let filter = readFilterName(tokens)
  while (tokens.isOperator('|')) filter = readFilter(tokens, filter)
  return filter
}

function readTest(tokens: Tokens, of: Expression): Expression {
  tokens.next()
  const isNegated = tokens.takeName('not')
  const name = readDottedName(tokens)
  let call: Call = { args: [], named: [] }
  if (tokens.isOperator('(')) call = readCall(tokens)
  else if ((tokens.is('name') && !tokens.isName('else', 'or', 'and', 'if', 'in', 'not')) || tokens.is('string') || tokens.is('integer')
    || tokens.is('float') || tokens.isOperator('[', '{')) {
    if (tokens.isName('is')) tokens.fail('You cannot chain multiple tests with is')
    call.args.push(readPostfix(tokens, readPrimary(tokens)))
  }
  const test: Expression = { type: 'test', name, of, call }
  return isNegated ? { type: 'unary', operator: 'not', of: test } : test
}
