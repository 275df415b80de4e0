// JSON as values of templates, which keep what JSON.parse loses: 1.0 and 1, and integers of any size.
import { Dict, List, Text, type Value } from './jinja/index.js'

const token = /\s*(?:([[\]{}:,])|("(?:[^"\\\x00-\x1f]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false|null))/y
const mostDepth = 100

/** The value of a JSON text, or undefined of what is none. */
export function parseJson(text: string): Value | undefined {
  token.lastIndex = 0
  const next = () => {
    const match = token.exec(text)
    if (!match) throw new SyntaxError('no JSON')
    return match
  }
  const read = (match: RegExpExecArray, depth: number): Value => {
    const [, mark, string, number, word] = match
    if (depth > mostDepth) throw new SyntaxError('it nests too deep')
    if (string !== undefined) return Text.data(JSON.parse(string) as string)
    if (number !== undefined) return /[.eE]/.test(number) ? Number(number) : BigInt(number.slice(0, 1000))
    if (word !== undefined) return word === 'null' ? null : word === 'true'
    if (mark === '[') {
      const items: Value[] = []
      for (let item = next(); item[1] !== ']'; item = next()) {
        if (items.length > 0) item = expectComma(item)
        items.push(read(item, depth + 1))
      }
      return new List(items, true)
    }
    if (mark !== '{') throw new SyntaxError('no JSON')
    const dict = new Dict([], true)
    for (let key = next(); key[1] !== '}'; key = next()) {
      if (dict.size > 0) key = expectComma(key)
      if (key[2] === undefined || next()[1] !== ':') throw new SyntaxError('no JSON')
      dict.set(Text.data(JSON.parse(key[2]) as string), read(next(), depth + 1))
    }
    return dict
  }
  const expectComma = (match: RegExpExecArray) => {
    if (match[1] !== ',') throw new SyntaxError('no JSON')
    return next()
  }
  try {
    const value = read(next(), 0)
    return text.slice(token.lastIndex).trim() === '' ? value : undefined
  } catch {
    return undefined
  }
}
