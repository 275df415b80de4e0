// Calls in JSON between markers, each an object with a name and arguments, alone or in a list:
// <tool_call>{"name": "clock", "arguments": {}}</tool_call> (Hermes 2 Pro, Qwen), [TOOL_CALLS][{…}] (Mistral 7B v0.3, Nemo),
// <|tool_call|>[{…}] (Granite 3, Phi-4 mini, which also writes functools[{…}]), <|START_ACTION|>[{…}]<|END_ACTION|> (Command R7B).
import type { Context, Format } from './format.js'
import { Malformed, type Parsing } from './reader.js'

const names = ['name', 'tool_name']
const argumentKeys = ['arguments', 'parameters']
const ids = ['id', 'tool_call_id']

/** Reads a call, with its keys in any order; arguments that precede the name are held back until it arrives. */
export function* readCall({ reader, reply }: Context): Parsing {
  let held = ''
  let id: string | undefined
  let isOpen = false
  const start = (name: unknown) => {
    if (typeof name !== 'string' || isOpen) throw new Malformed()
    isOpen = true
    reply.start(name, id)
    reply.delta(held)
  }
  const readValue = function* () {
    try {
      return JSON.parse(yield* reader.json()) as unknown
    } catch (error) {
      throw error instanceof SyntaxError ? new Malformed() : error
    }
  }
  yield* reader.expect('{')
  for (;;) {
    yield* reader.space()
    if (yield* reader.take('}')) break
    if (yield* reader.take(',')) continue
    if ((yield* reader.peek()) !== '"') yield* reader.expect('"')
    const key = yield* readValue()
    yield* reader.space()
    yield* reader.expect(':')
    yield* reader.space()
    if (names.includes(key as string)) start(yield* readValue())
    else if (argumentKeys.includes(key as string)) {
      const hand = (text: string) => (isOpen ? reply.delta(text) : void (held += text))
      yield* reader.json(hand)
    } else {
      const value = yield* readValue()
      if (ids.includes(key as string) && typeof value === 'string') id = value
    }
  }
  if (!isOpen) throw new Malformed()
  reply.finish(id)
}

/** Reads calls that are separated by commas or semicolons, with or without brackets. */
export function* readCalls(context: Context): Parsing {
  const { reader } = context
  yield* reader.space()
  const isList = yield* reader.take('[')
  yield* reader.space()
  for (;;) {
    if (isList && (yield* reader.take(']'))) return
    yield* readCall(context)
    const place = reader.at
    yield* reader.space()
    const isMore = (yield* reader.take(',')) || (yield* reader.take(';'))
    yield* reader.space()
    if (!isList && !isMore && (yield* reader.peek()) !== '{') {
      reader.at = place
      return
    }
  }
}

const taggedJson = (isIn: Format['isIn'], open: string[], close: string[], more: Partial<Format> = {}): Format => ({
  isIn,
  open,
  close,
  *call(context) {
    yield* readCalls(context)
    const place = context.reader.at
    yield* context.reader.space()
    while ((yield* context.reader.take('}')) || (yield* context.reader.take(']'))) yield* context.reader.space() // one too many
    for (const marker of close) if (yield* context.reader.take(marker)) return
    context.reader.at = place
  },
  ...more,
})

const includes = (text: string) => (source: string) => source.includes(text)

export const hermes = taggedJson(
  source => ['<tool_call>', '<TOOLCALL>', '<tool_calls>'].some(tag => source.includes(tag)),
  ['<tool_call>', '<TOOLCALL>', '<tool_calls>'],
  ['</tool_call>', '</TOOLCALL>', '</tool_calls>'],
)
export const mistralJson = taggedJson(includes('[TOOL_CALLS]'), ['[TOOL_CALLS]'], [])
// Phi-4 mini's own template has only the markers around the tools; others have those around calls.
export const phi4Mini = taggedJson(
  source => ['<|/tool|>', '<|/tool_call|>'].some(text => source.includes(text)),
  ['functools', '<|tool_call|>'],
  ['<|/tool_call|>'],
)
export const granite3 = taggedJson(includes('<|tool_call|>'), ['<|tool_call|>'], ['<|/tool_call|>'], {
  dropped: ['<response>', '</response>'],
})
export const commandR7b = taggedJson(includes('<|START_ACTION|>'), ['<|START_ACTION|>'], ['<|END_ACTION|>'], {
  dropped: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
})
