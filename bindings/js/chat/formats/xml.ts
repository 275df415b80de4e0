// Calls in a kind of XML, in which the tools' schemas determine the types of values:
// <function=clock><parameter=zone>\nCET\n</parameter></function> (Qwen3-Coder, Qwen3.5),
// <function name="clock"><param name="zone">CET</param></function> (MiniCPM5), <tool_call>clock<arg_key>… (GLM 4.5).
import { accepts, isKnown, Schemas } from '../kinds.js'
import type { Context, Format } from './format.js'
import { literalOf } from './python.js'
import { Malformed, type Parsing } from './reader.js'

/**
 * Converts a value to JSON, by its schema. If the schema allows a text, the value stays a text, unless it is null, a list or an
 * object and the schema allows that as well. Otherwise it is read as JSON or, if no text is allowed, as a Python literal; it stays
 * a text if both fail.
 */
function typed(text: string, schemas: Schemas, parameter: string): string {
  const kinds = schemas.kinds(schemas.member(schemas.root, parameter))
  const { types, texts } = kinds
  const mayBeText = types.includes('string')
  const bare = text.trim()
  const isNull = types.includes('null') && ['null', 'None'].includes(bare) && !texts?.includes(text)
  if (isKnown(kinds) && mayBeText && !texts && /^[[{]/.test(bare) && isJson(bare) && accepts(kinds, JSON.parse(bare))) return bare
  if (isKnown(kinds) && mayBeText && (texts?.includes(text) ?? true) && !isNull) return JSON.stringify(text)
  const read = isJson(bare) ? bare : mayBeText && !['True', 'False', 'None'].includes(bare) ? undefined : literalOf(bare)
  return read === undefined || (mayBeText && !accepts(kinds, JSON.parse(read))) ? JSON.stringify(text) : read
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Writes the arguments as JSON while they are read. */
class Arguments {
  readonly #context: Context
  readonly #schemas: Schemas
  #isEmpty = true

  constructor(context: Context, name: string) {
    this.#context = context
    this.#schemas = new Schemas(context.tools.find(({ function: tool }) => tool.name === name)?.function.parameters)
    context.reply.start(name)
  }

  /** `isQuoted`: the value is a text unless the schema says otherwise. */
  add(parameter: string, value: string, isQuoted = false): void {
    const isText = isQuoted && !isKnown(this.#schemas.kinds(this.#schemas.member(this.#schemas.root, parameter)))
    const read = isText ? JSON.stringify(value) : typed(value, this.#schemas, parameter)
    this.#context.reply.delta(`${this.#isEmpty ? '{' : ', '}${JSON.stringify(parameter)}: ${read}`)
    this.#isEmpty = false
  }

  finish(): void {
    this.#context.reply.delta(this.#isEmpty ? '{}' : '}')
    this.#context.reply.finish()
  }
}

/** Reads the text before a marker. Throws Unfinished if no marker follows. */
function* textBefore({ reader }: Context, ...markers: string[]): Parsing<[text: string, marker: string]> {
  let text = ''
  const marker = yield* reader.until(markers, more => {
    text += more
  })
  if (marker === '') yield* reader.next()
  return [text, marker]
}

/** Removes one newline at each end, which belongs to the format and not to the value. */
const unwrapped = (text: string) => text.replace(/^\n/, '').replace(/\n$/, '')

export const qwenXml: Format = {
  isIn: source => source.includes('<function='),
  open: ['<tool_call>', '<seed:tool_call>', '<function='],
  close: ['</tool_call>', '</seed:tool_call>'],
  endsReasoning: true,
  *call(context, opener) {
    const { reader } = context
    yield* reader.space()
    if (opener !== '<function=') yield* reader.expect('<function=')
    for (let isMore = true; isMore; ) {
      const [name] = yield* textBefore(context, '>')
      if (name.includes('\n')) throw new Malformed()
      const call = new Arguments(context, name.trim())
      for (;;) {
        const [, marker] = yield* textBefore(context, '<parameter=', '</function>')
        if (marker === '</function>') break
        const [parameter] = yield* textBefore(context, '>')
        const [value] = yield* textBefore(context, '</parameter>')
        call.add(parameter.trim(), unwrapped(value))
      }
      call.finish()
      yield* reader.space()
      isMore = yield* reader.take('<function=')
    }
    if (!(yield* reader.take('</tool_call>'))) yield* reader.take('</seed:tool_call>')
  },
}

export const minicpm5: Format = {
  isIn: source => source.includes('<function name='),
  open: ['<function name="'],
  *call(context) {
    const { reader } = context
    const [name] = yield* textBefore(context, '"')
    if (!/^[\w.-]+$/.test(name)) throw new Malformed()
    yield* reader.expect('>')
    const call = new Arguments(context, name)
    for (;;) {
      const [, marker] = yield* textBefore(context, '<param name="', '</function>')
      if (marker === '</function>') break
      const [parameter] = yield* textBefore(context, '"')
      yield* reader.expect('>')
      if (yield* reader.take('<![CDATA[')) {
        const [value] = yield* textBefore(context, ']]></param>')
        call.add(parameter, value, true)
      } else {
        const [value] = yield* textBefore(context, '</param>')
        call.add(parameter, value)
      }
    }
    call.finish()
  },
}

export const glm: Format = {
  isIn: source => source.includes('<arg_key>'),
  open: ['<tool_call>'],
  close: ['</tool_call>'],
  inner: ['<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'],
  endsReasoning: true,
  *call(context) {
    const [name, first] = yield* textBefore(context, '<arg_key>', '</tool_call>')
    const call = new Arguments(context, name.trim())
    for (let marker = first; marker === '<arg_key>'; ) {
      const [parameter] = yield* textBefore(context, '</arg_key>')
      yield* textBefore(context, '<arg_value>')
      const [value] = yield* textBefore(context, '</arg_value>')
      call.add(parameter.trim(), value)
      ;[, marker] = yield* textBefore(context, '<arg_key>', '</tool_call>')
    }
    call.finish()
  },
  stops: ['<|observation|>', '<|user|>'],
}
