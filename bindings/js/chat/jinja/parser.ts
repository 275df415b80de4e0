// Parses the statements of a template into functions.
import { spend } from './budget.js'
import { named, readBlockFilters, readExpression, readOr, readTuple } from './expressions.js'
import { lex } from './lexer.js'
import { readMacro, readParameters } from './macros.js'
import { readFor } from './loop.js'
import { type Blocks, type Expression, type Scope, type Statement, textOf } from './scope.js'
import { readTarget } from './targets.js'
import { Text } from './text.js'
import { Tokens } from './tokens.js'
import { isTrue } from './values.js'

/** Throws a TemplateError, `TemplateSyntaxError`, if the source is not a valid template. */
export function parse(source: string): Statement {
  const tokens = new Tokens(lex(source))
  const body = readBody(tokens)
  if (!tokens.is('end')) tokens.fail(`Encountered unknown tag ${tokens.shown}.`)
  return body
}

const readBody: Blocks['body'] = (tokens, ...ends): Statement =>
  tokens.nested(() => {
    const body: [line: number, statement: Statement][] = []
    for (;;) {
      const { line } = tokens
      if (tokens.is('end')) {
        if (ends.length > 0) tokens.fail(`Unexpected end of template. Expected ${ends.map(end => `'${end}'`).join(' or ')}.`)
        break
      }
      const token = tokens.next()
      if (token.type === 'text') {
        const text = new Text(token.value)
        body.push([
          line,
          (_, out) => {
            out.push(text)
          },
        ])
      } else if (token.type === 'output') {
        const value = readTuple(tokens)
        tokens.expect('outputEnd')
        body.push([
          line,
          (scope, out) => {
            out.push(scope.host.text(value(scope)))
          },
        ])
      } else if (ends.length > 0 && tokens.isName(...ends)) break
      else body.push([line, readStatement(tokens, line)])
    }
    return (scope, out) => {
      const { host } = scope
      for (const [line, statement] of body) {
        spend()
        host.line = line
        const exit = statement(scope, out)
        if (exit) return exit
      }
      return undefined
    }
  })

const readBlock: Blocks['block'] = (tokens, end) => {
  tokens.endTag()
  const body = readBody(tokens, end)
  tokens.next()
  while (tokens.is('name')) tokens.next() // optionally, the name of the block that ends
  tokens.endTag()
  return body
}

const blocks: Blocks = { body: readBody, block: readBlock }

function readStatement(tokens: Tokens, line: number): Statement {
  const { value: name } = tokens.expect('name')
  switch (name) {
    case 'if':
      return readIf(tokens)
    case 'for':
      return readFor(tokens, blocks)
    case 'set':
      return readSet(tokens)
    case 'macro': {
      const { value: macroName } = tokens.expect('name')
      const macro = readMacro(tokens, blocks, macroName, readParameters(tokens), 'endmacro')
      return scope => scope.set(macroName, macro(scope))
    }
    case 'call': {
      const parameters = readParameters(tokens)
      const { callWith } = readExpression(tokens)
      if (!callWith) throw tokens.fail('expected call')
      const caller = readMacro(tokens, blocks, 'caller', parameters, 'endcall')
      return (scope, out) => {
        out.push(scope.host.text(callWith(scope, caller(scope))))
      }
    }
    case 'filter': {
      const [filter, body] = [readBlockFilters(tokens, named(' text')), readBlock(tokens, 'endfilter')]
      return (scope, out) => {
        out.push(scope.host.text(filtered(filter, textOf(body, scope), scope)))
      }
    }
    case 'with': {
      const assignments: ((outer: Scope, inner: Scope) => void)[] = []
      while (!tokens.is('blockEnd')) {
        if (assignments.length > 0) tokens.expect('operator', ',')
        const target = readTarget(tokens, false)
        tokens.expect('operator', '=')
        const value = readExpression(tokens)
        assignments.push((outer, inner) => target(inner, value(outer)))
      }
      const body = readBlock(tokens, 'endwith')
      return (scope, out) => {
        const { inner } = scope
        for (const assign of assignments) assign(scope, inner)
        return body(inner, out)
      }
    }
    case 'break':
    case 'continue':
      tokens.endTag()
      return () => name
    case 'generation':
      return readBlock(tokens, 'endgeneration')
  }
  return tokens.fail(`Encountered unknown tag '${name}'.`, line)
}

function readIf(tokens: Tokens): Statement {
  const condition = readTuple(tokens, readOr)
  tokens.endTag()
  const then = readBody(tokens, 'elif', 'else', 'endif')
  const end = tokens.next().value
  let otherwise: Statement = () => {}
  if (end === 'elif') otherwise = tokens.nested(() => readIf(tokens))
  else if (end === 'else') otherwise = readBlock(tokens, 'endif')
  else tokens.endTag()
  return (scope, out) => (isTrue(condition(scope)) ? then : otherwise)(scope, out)
}

function readSet(tokens: Tokens): Statement {
  const target = readTarget(tokens)
  if (tokens.takeOperator('=')) {
    const value = readTuple(tokens)
    tokens.endTag()
    return scope => target(scope, value(scope))
  }
  const filter = tokens.takeOperator('|') ? readBlockFilters(tokens, named(' text')) : undefined
  const body = readBlock(tokens, 'endset')
  return scope => {
    const text = textOf(body, scope)
    target(scope, filter ? filtered(filter, text, scope) : text)
  }
}

/** Applies the filters of a block to its text, which gets a name that templates cannot use. */
function filtered(filter: Expression, text: Text, scope: Scope) {
  const { inner } = scope
  inner.set(' text', text)
  return filter(inner)
}
