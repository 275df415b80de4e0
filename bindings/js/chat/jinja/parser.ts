// Reads a template's statements.
import { readBlockFilters, readExpression, readOr, readTuple } from './expressions.js'
import { lex } from './lexer.js'
import type { Expression, Parameter, Statement, Target } from './syntax.js'
import { Text } from './text.js'
import { Tokens } from './tokens.js'

/** Throws a TemplateError, `TemplateSyntaxError`, of what is no template. */
export function parse(source: string): Statement[] {
  const tokens = new Tokens(lex(source))
  const body = readBody(tokens)
  if (!tokens.is('end')) tokens.fail(`Encountered unknown tag ${tokens.shown}.`)
  return body
}

/** Statements, to a tag of one of these names, which is left open: its name is the current token. */
const readBody = (tokens: Tokens, ...ends: string[]): Statement[] => tokens.nested(() => {
  const body: Statement[] = []
  for (;;) {
    const { line } = tokens
    if (tokens.is('end')) {
      if (ends.length > 0) tokens.fail(`Unexpected end of template. Expected ${ends.map(end => `'${end}'`).join(' or ')}.`)
      return body
    }
    const token = tokens.next()
    if (token.type === 'text') body.push({ type: 'text', text: new Text(token.value), line })
    else if (token.type === 'output') {
      body.push({ type: 'output', value: readTuple(tokens), line })
      tokens.expect('outputEnd')
    } else {
      if (tokens.isName(...ends) && ends.length > 0) return body
      body.push(readStatement(tokens, line))
    }
  }
})

const endTag = (tokens: Tokens) => tokens.expect('blockEnd')

/** The body of a block, to its end tag. */
function readBlock(tokens: Tokens, end: string): Statement[] {
  endTag(tokens)
  const body = readBody(tokens, end)
  tokens.next()
  if (end === 'endmacro' || end === 'endcall' || end === 'endblock') while (tokens.is('name')) tokens.next()
  endTag(tokens)
  return body
}

function readStatement(tokens: Tokens, line: number): Statement {
  const name = tokens.is('name') ? tokens.next().value : tokens.fail(`tag name expected, got ${tokens.shown}`)
  switch (name) {
    case 'if': return readIf(tokens, line)
    case 'for': return readFor(tokens, line)
    case 'set': return readSet(tokens, line)
    case 'macro': {
      const macro = tokens.expect('name').value
      return { type: 'macro', name: macro, parameters: readParameters(tokens), body: readBlock(tokens, 'endmacro'), line }
    }
    case 'call': {
      const parameters = tokens.isOperator('(') ? readParameters(tokens) : []
      return { type: 'callBlock', parameters, call: readExpression(tokens), body: readBlock(tokens, 'endcall'), line }
    }
    case 'filter': return { type: 'filterBlock', filter: readBlockFilters(tokens), body: readBlock(tokens, 'endfilter'), line }
    case 'with': {
      const assignments: [Target, Expression][] = []
      while (!tokens.is('blockEnd')) {
        if (assignments.length > 0) tokens.expect('operator', ',')
        const target = readTarget(tokens)
        tokens.expect('operator', '=')
        assignments.push([target, readExpression(tokens)])
      }
      return { type: 'with', assignments, body: readBlock(tokens, 'endwith'), line }
    }
    case 'break':
    case 'continue':
      endTag(tokens)
      return { type: name, line }
    case 'generation': return { type: 'group', body: readBlock(tokens, 'endgeneration'), line }
    case 'block': {
      while (!tokens.is('blockEnd') && !tokens.is('end')) tokens.next()
      return { type: 'group', body: readBlock(tokens, 'endblock'), line }
    }
  }
  return tokens.fail(`Encountered unknown tag '${name}'.`, line)
}

function readIf(tokens: Tokens, line: number): Statement {
  const condition = readTuple(tokens, readOr)
  endTag(tokens)
  const then = readBody(tokens, 'elif', 'else', 'endif')
  const end = tokens.next()
  let otherwise: Statement[] = []
  if (end.value === 'elif') otherwise = [tokens.nested(() => readIf(tokens, end.line))]
  else if (end.value === 'else') otherwise = readBlock(tokens, 'endif')
  else endTag(tokens)
  return { type: 'if', if: condition, then, else: otherwise, line }
}

function readFor(tokens: Tokens, line: number): Statement {
  const target = readTarget(tokens)
  tokens.expect('name', 'in')
  const over = readTuple(tokens, readOr)
  const where = tokens.takeName('if') ? readOr(tokens) : undefined
  const recursive = tokens.takeName('recursive')
  endTag(tokens)
  const body = readBody(tokens, 'else', 'endfor')
  const otherwise = tokens.next().value === 'else' ? readBlock(tokens, 'endfor') : (endTag(tokens), [])
  return { type: 'for', target, over, where, body, else: otherwise, recursive, line }
}

function readSet(tokens: Tokens, line: number): Statement {
  const target = readTarget(tokens)
  if (tokens.takeOperator('=')) {
    const value = readTuple(tokens)
    endTag(tokens)
    return { type: 'set', target, value, line }
  }
  const filter = tokens.takeOperator('|') ? readBlockFilters(tokens) : undefined
  return { type: 'setBlock', target, filter, body: readBlock(tokens, 'endset'), line }
}

function readTarget(tokens: Tokens): Target {
  const readOne = (): Target => {
    if (tokens.takeOperator('(')) {
      const target = tokens.nested(() => readTarget(tokens))
      tokens.expect('operator', ')')
      return target
    }
    const { value: name } = tokens.expect('name')
    if (['true', 'false', 'none', 'True', 'False', 'None'].includes(name)) tokens.fail(`can't assign to '${name}'`)
    return tokens.takeOperator('.') ? { type: 'namespace', name, attribute: tokens.expect('name').value } : { type: 'name', name }
  }
  const first = readOne()
  if (!tokens.isOperator(',')) return first
  const items = [first]
  while (tokens.takeOperator(',') && (tokens.is('name') && !tokens.isName('in') || tokens.isOperator('('))) items.push(readOne())
  return { type: 'tuple', items }
}

function readParameters(tokens: Tokens): Parameter[] {
  const parameters: Parameter[] = []
  tokens.expect('operator', '(')
  while (!tokens.takeOperator(')')) {
    if (parameters.length > 0) tokens.expect('operator', ',')
    const { value: name } = tokens.expect('name')
    const value = tokens.takeOperator('=') ? readExpression(tokens) : undefined
    if (!value && parameters.at(-1)?.default) tokens.fail('non-default argument follows default argument')
    parameters.push({ name, default: value })
  }
  return parameters
}
