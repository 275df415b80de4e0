// Calls that consist of a name and JSON arguments: [TOOL_CALLS]clock[ARGS]{} (Mistral Small 3.2 and later),
// <｜tool▁call▁begin｜>clock<｜tool▁sep｜>{}<｜tool▁call▁end｜> (DeepSeek V3.1; V3 and R1 write more around it), Kimi K2.
import type { Context, Format } from './format.js'
import { Malformed, type Parsing } from './reader.js'

/** Reads the arguments of the open call, to their end or through the marker that closes the call. There may be none. */
function* readArguments({ reader, reply }: Context, close = ''): Parsing {
  yield* reader.space()
  const isEmpty = close !== '' && (yield* reader.take(close))
  if (!isEmpty && (close === '' || !(yield* reader.take('```')))) {
    if (!/[{"n[]/.test(yield* reader.peek())) yield* reader.expect('{')
    yield* reader.json(text => reply.delta(text))
  }
  reply.finish()
  if (close !== '' && !isEmpty) yield* reader.until([close])
}

/** Reads a name, up to one of the markers. Throws Malformed if the text is not a name. */
function* readName({ reader }: Context, markers: string[]): Parsing<[name: string, marker: string]> {
  let name = ''
  const marker = yield* reader.until(markers, text => {
    name += text
  })
  if (/[\n{}]/.test(name.trim())) throw new Malformed()
  if (marker === '') yield* reader.next()
  return [name.trim(), marker]
}

export const mistralArgs: Format = {
  isIn: source => source.includes('[TOOL_CALLS]') && source.includes('[ARGS]'),
  open: ['[TOOL_CALLS]'],
  inner: ['[ARGS]', '[CALL_ID]'],
  *call(context) {
    const [name, marker] = yield* readName(context, ['[ARGS]', '[CALL_ID]'])
    let id: string | undefined
    if (marker === '[CALL_ID]') [id] = yield* readName(context, ['[ARGS]'])
    context.reply.start(name, id)
    yield* readArguments(context)
  },
}

const [begin, separator, end] = ['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>']

const deepseek = (isFenced: boolean): Format => ({
  isIn: source => source.includes(separator) && source.includes('```json') === isFenced,
  open: ['<｜tool▁calls▁begin｜>', begin],
  close: [end],
  inner: [separator],
  *call(context, opener) {
    const { reader } = context
    if (opener !== begin) {
      yield* reader.space()
      if (!(yield* reader.take(begin))) return
    }
    let [name] = yield* readName(context, [separator])
    if (isFenced) {
      name = ''
      for (let next = yield* reader.next(); next !== '\n'; next = yield* reader.next()) name += next
      yield* reader.expect('```json')
    }
    context.reply.start(name.trim())
    yield* readArguments(context, end)
  },
  dropped: ['<｜tool▁calls▁end｜>'],
})
export const deepseekV31 = deepseek(false)
export const deepseekR1 = deepseek(true)

/** <|tool_call_begin|>functions.clock:0<|tool_call_argument_begin|>{}<|tool_call_end|>; functions.clock:0 is the call's id. */
export const kimi: Format = {
  isIn: source => source.includes('<|tool_call_argument_begin|>'),
  open: ['<|tool_call_begin|>'],
  close: ['<|tool_call_end|>'],
  inner: ['<|tool_call_argument_begin|>'],
  endsReasoning: true,
  *call(context) {
    const [id] = yield* readName(context, ['<|tool_call_argument_begin|>'])
    context.reply.start(id.replace(/^functions\./, '').replace(/:\d+$/, ''), id)
    yield* readArguments(context, '<|tool_call_end|>')
  },
  dropped: ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
}
