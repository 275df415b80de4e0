// Splits a template's source into text and tags, and tags into tokens. White space follows Jinja's rules with trim_blocks and
// lstrip_blocks, as in training: https://jinja.palletsprojects.com/en/stable/templates/#whitespace-control
import { TemplateError } from './error.js'

export type TokenType =
  | 'text'
  | 'output'
  | 'outputEnd'
  | 'block'
  | 'blockEnd'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'end'
export interface Token {
  type: TokenType
  value: string
  line: number
}

const opening = /\{%|\{\{|\{#/g
const raw = /\{%[-+]?\s*raw\s*(-%\}\s*|%\})/y
const endRaw = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g
const space = /\s+/y
const float = /\d+(?:_\d+)*(?:(?:\.\d+(?:_\d+)*)?[eE][+-]?\d+(?:_\d+)*|\.\d+(?:_\d+)*)/y
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|\d+(?:_\d+)*/iy
const name = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy
const string = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y
const operator = /\*\*|\/\/|==|!=|<=|>=|[-+*/%~[\](){}<>=.:|,;]/y
const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** The maximum length of a template; those of models have a few kilobytes. */
const mostLength = 100_000

export function lex(template: string): Token[] {
  if (template.length > mostLength) {
    throw new TemplateError('TemplateSyntaxError', `the template is longer than ${mostLength} characters`)
  }
  const source = template.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  const tokens: Token[] = []
  let line = 1
  let counted = 0
  const lineAt = (offset: number) => {
    for (; counted < offset; counted++) if (source.charCodeAt(counted) === 10) line++
    return line
  }
  const fail = (message: string, offset: number): never => {
    throw new TemplateError('TemplateSyntaxError', message).at(lineAt(offset))
  }
  const matchAt = (pattern: RegExp, offset: number) => {
    pattern.lastIndex = offset
    return pattern.exec(source)
  }
  const addText = (text: string, offset: number) => {
    if (text !== '') tokens.push({ type: 'text', value: text, line: lineAt(offset) })
  }

  let lineStarts = true
  /** Trims text before a tag: all white space before a minus sign; before a block, the white space on its line. */
  const trimmed = (text: string, sign: string, isOutput: boolean) => {
    if (sign === '-') return text.trimEnd()
    if (sign === '+' || isOutput) return text
    const lineStart = text.lastIndexOf('\n') + 1
    return (lineStart > 0 || lineStarts) && text.slice(lineStart).trim() === '' ? text.slice(0, lineStart) : text
  }

  let at = 0
  while (at < source.length) {
    const found = matchAt(opening, at)
    if (!found) {
      addText(source.slice(at), at)
      break
    }
    const tag = found.index
    const sign = /[-+]/.test(source[tag + 2] ?? '') ? source[tag + 2]! : ''
    const text = trimmed(source.slice(at, tag), sign, found[0] === '{{')
    addText(text, at)
    const start = tag + 2 + sign.length

    if (found[0] === '{#') {
      const end = source.indexOf('#}', start)
      if (end < 0) fail('Missing end of comment tag', tag)
      at = end + 2
      if (source[end - 1] === '-') at += matchAt(space, at)?.[0].length ?? 0
      else if (source[end - 1] !== '+' && source[at] === '\n') at++
    } else if (found[0] === '{%' && matchAt(raw, tag)) {
      const begin = tag + matchAt(raw, tag)![0].length
      const end = matchAt(endRaw, begin)
      if (!end) return fail('Missing end of raw directive', tag)
      lineStarts = source[begin - 1] === '\n'
      addText(trimmed(source.slice(begin, end.index), end[1]!, false), begin)
      at = end.index + end[0].length
    } else {
      at = lexTag(start, found[0] === '{{')
    }
    lineStarts = source[at - 1] === '\n'
  }
  tokens.push({ type: 'end', value: '', line: lineAt(source.length) })
  return tokens

  /** Adds the tokens of a tag and returns the offset of its end. */
  function lexTag(start: number, isOutput: boolean): number {
    const close = isOutput ? '}}' : '%}'
    const open: string[] = []
    tokens.push({ type: isOutput ? 'output' : 'block', value: '', line: lineAt(start) })
    let offset = start
    for (;;) {
      offset += matchAt(space, offset)?.[0].length ?? 0
      if (offset >= source.length) fail('unexpected end of template', offset)
      const sign = (!isOutput && source[offset] === '+') || source[offset] === '-' ? 1 : 0
      if (open.length === 0 && source.startsWith(close, offset + sign)) {
        tokens.push({ type: isOutput ? 'outputEnd' : 'blockEnd', value: close, line: lineAt(offset) })
        const end = offset + sign + 2
        if (source[offset] === '-') return end + (matchAt(space, end)?.[0].length ?? 0)
        return end + (!isOutput && sign === 0 && source[end] === '\n' ? 1 : 0)
      }
      let type: TokenType = 'name'
      let match = matchAt(name, offset)
      if (!match) [type, match] = ['float', source[offset - 1] === '.' ? null : matchAt(float, offset)]
      if (!match) [type, match] = ['integer', matchAt(integer, offset)]
      if (!match) [type, match] = ['string', matchAt(string, offset)]
      if (!match) [type, match] = ['operator', matchAt(operator, offset)]
      if (!match) return fail(`unexpected char ${JSON.stringify(source[offset])}`, offset)
      const value = match[0]
      if (type === 'operator') {
        if (value in closing) open.push(closing[value]!)
        else if (')]}'.includes(value) && open.pop() !== value) fail(`unexpected '${value}'`, offset)
      }
      tokens.push({
        type,
        value:
          type === 'string' ? unescape(value.slice(1, -1)) : /^(?:float|integer)$/.test(type) ? value.replaceAll('_', '') : value,
        line: lineAt(offset),
      })
      offset += value.length
    }
  }
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

/** Resolves Python's escape sequences; others stay as they are. */
export const unescape = (text: string) =>
  text.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|[^])/g, (whole, escape: string) => {
    if (escape.length > 1 && /[xuU]/.test(escape[0]!)) {
      const code = parseInt(escape.slice(1), 16)
      return code > 0x10ffff ? whole : String.fromCodePoint(code)
    }
    if (/^[0-7]/.test(escape)) return String.fromCodePoint(parseInt(escape, 8))
    return Object.hasOwn(escapes, escape) ? escapes[escape]! : whole
  })
