// What callers pass, as values of templates: copies, all of whose text is marked as data.
import { HeedError } from '../errors.js'
import { Dict, List, Text, type Value } from './jinja/index.js'

const mostDepth = 100

const refuse = (message: string, cause?: unknown) => new HeedError('invalid-argument', message, { cause })

/** Roles that templates make control tokens of, such as <|user|>. Of a role that is none of these no token is made. */
const roles = new Set([
  'system', 'developer', 'user', 'assistant', 'tool', 'function', 'model', 'ipython', 'observation', 'environment',
  'tool_response',
])

/** Copies a value of a caller, once, whatever it is made of. `length` is of what was read, in characters or so. */
export class DataReader {
  length = 0

  /** `readMarked` makes a value of texts that begin with a zero, which stand for something else. */
  constructor(private readonly readMarked?: (text: string) => Value) {}

  read(value: unknown, what: string, depth = 0): Value {
    this.length += 8
    if (depth > mostDepth) throw refuse(`${what}: nested too deeply`)
    switch (typeof value) {
      case 'string':
        this.length += value.length
        return this.readMarked && value[0] === '\0' ? this.readMarked(value) : Text.data(value)
      case 'number': return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value
      case 'boolean':
      case 'bigint': return value
      case 'undefined': return null
      case 'object': break
      default: throw refuse(`${what}: a ${typeof value} is not data`)
    }
    if (value === null) return null
    try {
      if (Array.isArray(value)) return new List(Array.from(value, item => this.read(item, what, depth + 1)), true)
      // A Date or a Map has no keys that anybody means.
      const kind = Object.prototype.toString.call(value).slice(8, -1)
      if (kind !== 'Object') throw refuse(`${what}: a ${kind} is not data`)
      const names = Object.keys(value)
      const entries = names.map(name => [name, (value as Record<string, unknown>)[name]] as const)
      return new Dict(entries.filter(([, item]) => item !== undefined).map(([name, item]) => {
        this.length += name.length
        return [Text.data(name), this.read(item, what, depth + 1)]
      }), true)
    } catch (error) {
      throw error instanceof HeedError ? error : refuse(`${what}: cannot be read`, error)
    }
  }

  /** A list of messages. Throws `invalid-argument` of what is none. */
  messages(messages: unknown): Dict[] {
    if (!Array.isArray(messages)) throw refuse('render: expected an array of messages')
    // Some templates look at all earlier messages for each.
    this.length += messages.length ** 2 / 2
    return Array.from(messages, (message, at) => {
      const what = `render: message ${at}`
      const read = this.read(message, what)
      if (!(read instanceof Dict)) throw refuse(`${what}: expected an object`)
      const role = read.text('role')
      if (!(role instanceof Text)) throw refuse(`${what}: role: expected a string`)
      if (roles.has(role.value)) read.set(new Text('role'), new Text(role.value))
      return read
    })
  }
}
