// Calls in a kind of XML, in which the tools' schemas determine the types of values:
// <function=clock><parameter=zone>\nCET\n</parameter></function> (Qwen3-Coder, Qwen3.5),
// <function name="clock"><param name="zone">CET</param></function> (MiniCPM5), <tool_call>clock<arg_key>… (GLM 4.5).
import type { ChatTool } from '../types.js'
import type { Context, Format } from './format.js'
import { Malformed, type Parsing } from './reader.js'

type Schema = { type?: unknown, properties?: Record<string, Schema>, anyOf?: Schema[], oneOf?: Schema[], enum?: unknown[] }

function schemaOf(tools: readonly ChatTool[], name: string, parameter: string): Schema | undefined {
  const tool = tools.find(({ function: { name: other } }) => other === name)
  const properties = (tool?.function.parameters as Schema | undefined)?.properties
  return properties && Object.hasOwn(properties, parameter) ? properties[parameter] : undefined
}

/** The types that a schema allows; empty if it specifies none. */
const typesOf = (schema: Schema | undefined): unknown[] => schema === undefined ? []
  : schema.type !== undefined ? [schema.type].flat()
  : [...schema.anyOf ?? [], ...schema.oneOf ?? []].flatMap(typesOf)

const words: Record<string, unknown> = { True: true, False: false, None: null }

/** Parses a value by its schema. It remains text if the schema allows text (unless it means null), or if it is not JSON. */
function typed(text: string, schema: Schema | undefined): unknown {
  const types = typesOf(schema)
  const isText = types.includes('string') || (types.length === 0 && schema?.enum?.every(value => typeof value === 'string'))
  if (isText && !(types.includes('null') && ['null', 'None'].includes(text))) return text
  if (Object.hasOwn(words, text.trim())) return words[text.trim()]
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Writes the arguments as JSON while they are read. */
class Arguments {
  readonly #context: Context
  readonly #name: string
  #isEmpty = true

  constructor(context: Context, name: string) {
    this.#context = context
    this.#name = name
    context.reply.start(name)
  }

  add(parameter: string, value: string, isText = false): void {
    const { tools, reply } = this.#context
    const read = isText ? value : typed(value, schemaOf(tools, this.#name, parameter))
    reply.delta(`${this.#isEmpty ? '{' : ', '}${JSON.stringify(parameter)}: ${JSON.stringify(read)}`)
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
  const marker = yield* reader.until(markers, more => { text += more })
  if (marker === '') yield* reader.next()
  return [text, marker]
}

/** Removes one newline at each end, which belongs to the format and not to the value. */
const unwrapped = (text: string) => text.replace(/^\n/, '').replace(/\n$/, '')

export const qwenXml: Format = {
  isIn: source => source.includes('<function='),
  open: ['<tool_call>', '<seed:tool_call>', '<function='],
  endsReasoning: true,
  *call(context, opener) {
    const { reader } = context
    yield* reader.space()
    if (opener !== '<function=') yield* reader.expect('<function=')
    for (let isMore = true; isMore;) {
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
        call.add(parameter, value, typesOf(schemaOf(context.tools, name, parameter)).length === 0)
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
  endsReasoning: true,
  *call(context) {
    const [name, first] = yield* textBefore(context, '<arg_key>', '</tool_call>')
    const call = new Arguments(context, name.trim())
    for (let marker = first; marker === '<arg_key>';) {
      const [parameter] = yield* textBefore(context, '</arg_key>')
      yield* textBefore(context, '<arg_value>')
      const [value] = yield* textBefore(context, '</arg_value>')
      call.add(parameter.trim(), value);
      [, marker] = yield* textBefore(context, '<arg_key>', '</tool_call>')
    }
    call.finish()
  },
  stops: ['<|observation|>', '<|user|>'],
}
