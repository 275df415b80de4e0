// Converts values to text: Python's str and repr, and JSON as transformers' `tojson` writes it.
import { spend } from './budget.js'
import { TemplateError } from './error.js'
import { Text } from './text.js'
import { Callable, compare, Dict, Instance, List, Spelled, spendInteger, Tuple, typeName, Undefined, type Value } from './values.js'

const mostDepth = 100
const own = (value: string) => new Text(value)

/** Called for each None, list or dict that `str` converts: a template that prints message content so does not support it. */
export type Printed = (value: Value) => void

/** Python's repr of an integer. */
export function showInteger(value: bigint, base = 10): string {
  spendInteger(value)
  return value.toString(base)
}

/** Python's repr of a float. */
export function showFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (value !== 0 && (power < -4 || power >= 16)) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  if (Number.isInteger(value)) return `${BigInt(value)}.0`
  if (Math.abs(value) >= 1e-6) return String(value)
  const sign = value < 0 ? '-' : ''
  return `${sign}0.${'0'.repeat(-power - 1)}${digits.replace(/[-.]/g, '')}`
}

/** Python's str(value), as templates print it. */
export function toText(value: Value, printed?: Printed): Text {
  if (value instanceof Text) return value
  if (value instanceof Undefined) {
    if (value.kind === 'SecurityError') value.fail()
    return Text.empty
  }
  if (value === null || value instanceof List || value instanceof Dict) printed?.(value)
  return toRepr(value)
}

/** Python's repr(value). Throws a SecurityError if it nests too deeply. */
export function toRepr(value: Value, depth = 0): Text {
  spend()
  if (depth > mostDepth) throw new TemplateError('SecurityError', 'maximum recursion depth exceeded while getting the repr')
  if (value === null) return own('None')
  if (typeof value === 'boolean') return own(value ? 'True' : 'False')
  if (typeof value === 'bigint') return own(showInteger(value))
  if (typeof value === 'number') return own(showFloat(value))
  if (value instanceof Spelled) return own(value.text)
  if (value instanceof Text) return quote(value)
  if (value instanceof Undefined) return own('Undefined')
  if (value instanceof Callable || value instanceof Instance) return own(`<${value.type}>`)
  const open = marked(value)
  if (value instanceof Dict) {
    const entries = value.entries.map(([key, item]) => Text.join([toRepr(key, depth + 1), open(': '), toRepr(item, depth + 1)]))
    return Text.join([open('{'), Text.join(entries, open(', ')), open('}')])
  }
  const items = Text.join(
    value.items.map(item => toRepr(item, depth + 1)),
    open(', '),
  )
  if (value instanceof List) return Text.join([open('['), items, open(']')])
  return Text.join([open('('), items, open(value.items.length === 1 ? ',)' : ')')])
}

/** The punctuation of a container that the caller gave counts as the caller's, like its contents. */
const marked = (container: { data: boolean }) => (value: string) => (container.data ? Text.data(value) : own(value))

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quote(text: Text): Text {
  const mark = text.value.includes("'") && !text.value.includes('"') ? '"' : "'"
  const quoted = text.mapRuns(
    run =>
      run.replace(/[\\\n\r\t'"]|(?! )[\p{C}\p{Z}]/gu, character => {
        if (Object.hasOwn(escapes, character)) return escapes[character]!
        if (character === "'" || character === '"') return character === mark ? `\\${character}` : character
        const code = character.codePointAt(0)!
        if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
        return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
      }),
    6,
  )
  const around = text.hasData ? Text.data(mark) : own(mark)
  return Text.join([around, quoted, around])
}

export interface JsonOptions {
  indent?: Text
  separators: [Text, Text]
  sortKeys: boolean
  ascii: boolean
}

/** Python's json.dumps. Throws a ValueError for too deep nesting, a TypeError for a value without a JSON form. */
export function toJson(value: Value, options: JsonOptions, depth = 0): Text {
  spend()
  if (depth > mostDepth) throw new TemplateError('ValueError', 'Circular reference detected')
  if (value === null) return own('null')
  if (typeof value === 'boolean') return own(String(value))
  if (typeof value === 'bigint') return own(showInteger(value))
  if (typeof value === 'number') return own(jsonFloat(value))
  if (value instanceof Spelled) return own(value.text)
  if (value instanceof Text) return jsonString(value, options.ascii)
  const open = value instanceof List || value instanceof Tuple || value instanceof Dict ? marked(value) : own
  const line = (inner: number) =>
    options.indent ? Text.join([open('\n'), ...Array<Text>(inner).fill(options.indent)]) : Text.empty
  const around = (start: string, items: Text[], end: string) =>
    items.length === 0
      ? open(start + end)
      : Text.join([
          open(start),
          line(depth + 1),
          Text.join(items, Text.join([options.separators[0], line(depth + 1)])),
          line(depth),
          open(end),
        ])
  if (value instanceof List || value instanceof Tuple) {
    return around(
      '[',
      value.items.map(item => toJson(item, options, depth + 1)),
      ']',
    )
  }
  if (value instanceof Dict) {
    const entries = value.entries.map(([key, item]) => [jsonKey(key), item] as const)
    if (options.sortKeys) entries.sort(([a], [b]) => compare(a, b))
    return around(
      '{',
      entries.map(([key, item]) =>
        Text.join([jsonString(key, options.ascii), options.separators[1], toJson(item, options, depth + 1)]),
      ),
      '}',
    )
  }
  throw new TemplateError('TypeError', `Object of type ${typeName(value)} is not JSON serializable`)
}

function jsonKey(key: Value): Text {
  if (key instanceof Text) return key
  if (key === null) return own('null')
  if (typeof key === 'boolean') return own(String(key))
  if (typeof key === 'bigint') return own(showInteger(key))
  if (typeof key === 'number') return own(jsonFloat(key))
  throw new TemplateError('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`)
}

const jsonFloat = (value: number) =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? showFloat(value) : value < 0 ? '-Infinity' : 'Infinity'

const jsonEscapes: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

function jsonString(text: Text, ascii: boolean): Text {
  const around = text.hasData ? Text.data('"') : own('"')
  const escaped = text.mapRuns(
    run =>
      run.replace(
        ascii ? /["\\]|[^ -~]/g : /["\\\x00-\x1f]/g,
        character => jsonEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    6,
  )
  return Text.join([around, escaped, around])
}
