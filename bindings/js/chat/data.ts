// Converts callers' values to template values: copies in which all text is marked as data.
import { HeedError, refuse } from '../wire/errors.js'
import { Dict, List, Text, type Value } from './jinja/index.js'

const mostDepth = 100

/** Roles that templates turn into control tokens, such as <|user|>. Other roles never become control tokens. */
const roles = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
  'model',
  'ipython',
  'observation',
  'environment',
  'tool_response',
])

/** Copies a caller's value, reading each part once. `length` is the amount of data read, roughly in characters. */
export class DataReader {
  length = 0

  /**
   * If set, a string that starts with U+0000 stands for another value, into which this converts the rest of the string. All keys
   * start with U+0000, too.
   */
  readonly #readMarked: ((text: string) => Value) | undefined

  constructor(readMarked?: (text: string) => Value) {
    this.#readMarked = readMarked
  }

  read(value: unknown, what: string, depth = 0): Value {
    this.length += 8
    if (depth > mostDepth) throw refuse(`${what}: nested too deeply`)
    switch (typeof value) {
      case 'string':
        this.length += value.length
        return this.#readMarked && value[0] === '\0' ? this.#readMarked(value.slice(1)) : Text.data(value)
      case 'number':
        return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value
      case 'boolean':
      case 'bigint':
        return value
      case 'undefined':
        return null
      case 'object':
        break
      default:
        throw refuse(`${what}: a ${typeof value} is not data`)
    }
    if (value === null) return null
    try {
      if (Array.isArray(value))
        return new List(
          Array.from(value, item => this.read(item, what, depth + 1)),
          true,
        )
      if ('toJSON' in value && typeof value.toJSON === 'function') return this.read(value.toJSON(), what, depth + 1) // a Date, a URL
      // Only plain objects: the contents of a Map, for example, are not in its keys.
      const kind = Object.prototype.toString.call(value).slice(8, -1)
      if (kind !== 'Object') throw refuse(`${what}: a ${kind} is not data`)
      const names = Object.keys(value)
      const entries = names.map(name => [name, (value as Record<string, unknown>)[name]] as const)
      return new Dict(
        entries
          .filter(([, item]) => item !== undefined)
          .map(([name, item]) => {
            this.length += name.length
            return [Text.data(this.#readMarked ? name.slice(1) : name), this.read(item, what, depth + 1)]
          }),
        true,
      )
    } catch (error) {
      throw error instanceof HeedError ? error : refuse(`${what}: cannot be read`, error)
    }
  }

  /** Reads a list of messages. Throws `invalid-argument` if it is not one. */
  messages(messages: unknown): Dict[] {
    if (!Array.isArray(messages)) throw refuse('render: expected an array of messages')
    // Some templates look at all earlier messages for each message.
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
