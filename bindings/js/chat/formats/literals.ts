// Calls with literals of a language: call:clock{zone:<|"|>CET<|"|>,hours:[1,2]} (Gemma 4; FunctionGemma uses <escape> as quotes),
// and Python's [clock(zone="CET", hours=[1, 2])] (LFM2 and LFM2.5).
import type { Context, Format } from './format.js'
import { Literals } from './python.js'
import { Malformed, Unfinished, type Parsing } from './reader.js'

/** Reads the text up to a closing marker, or to the end. */
function* textTo({ reader }: Context, close: string): Parsing<string> {
  let text = ''
  yield* reader.until([close], more => {
    text += more
  })
  return text
}

/** Reads the arguments of a call. Arguments that are not literals end the call with an error. */
function readArguments({ reply }: Context, name: string, literals: Literals, assign: string, close: string): void {
  const { rest } = literals
  try {
    reply.call(name, literals.members(assign, close))
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    reply.start(name)
    reply.delta(rest)
    throw error
  }
}

const gemma = (open: string, close: string, quote: string, more: Partial<Format>): Format => ({
  isIn: source => source.includes(open),
  open: [open],
  close: [close],
  inner: [quote],
  *call(context) {
    const literals = new Literals(yield* textTo(context, close), quote)
    literals.expect('call:')
    const name = literals.word()
    literals.expect('{')
    readArguments(context, name, literals, ':', '}')
  },
  ...more,
})

export const gemma4 = gemma('<|tool_call>', '<tool_call|>', '<|"|>', {
  dropped: ['<channel|>', '<|channel>'],
  stops: ['<|tool_response>'],
})
export const functionGemma = gemma('<start_function_call>', '<end_function_call>', '<escape>', {
  stops: ['<start_function_response>'],
})

export const lfm2: Format = {
  // LFM2.5's templates name no marker, but introduce the tools with these words.
  isIn: source => ['<|tool_list_start|>', '<|tool_call_start|>', 'List of tools: ['].some(text => source.includes(text)),
  open: ['<|tool_call_start|>'],
  close: ['<|tool_call_end|>'],
  *call(context) {
    const text = (yield* textTo(context, '<|tool_call_end|>')).replace(/^\s*```\w*|```\s*$/g, '')
    const literals = new Literals(text)
    const isList = literals.take('[')
    if (literals.isAtEnd) throw new Unfinished()
    while (!literals.isAtEnd && !(isList && literals.take(']'))) {
      const name = literals.word()
      literals.expect('(')
      readArguments(context, name, literals, '=', ')')
      if (isList && literals.isAtEnd) throw new Unfinished()
      if (!literals.take(',')) literals.take(';')
    }
  },
}
