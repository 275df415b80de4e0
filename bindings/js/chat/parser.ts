// Parses a reply into text, reasoning and tool calls as it arrives.
import { refuse } from '../wire/errors.js'
import type { Context, Format } from './formats/format.js'
import { Malformed, Reader, Unfinished, type Parsing } from './formats/reader.js'
import { Reply } from './formats/reply.js'
import type { ParsedReply, ParseOptions, ReplyEvent } from './types.js'

/** The markers around reasoning. */
export type Thoughts = readonly [open: string, close: string]

const thoughts: readonly Thoughts[] = [
  ['<|channel>thought', '<channel|>'], ['<|START_THINKING|>', '<|END_THINKING|>'], ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'], ['<|inner_prefix|>', '<|inner_suffix|>'], ['<|thought_start|>', '<|thought_end|>'],
]

/** The reasoning markers of a template; the most common ones if it has none. */
export const thoughtsOf = (source: string): Thoughts =>
  thoughts.find(([, close]) => source.includes(close)) ?? ['<think>', '</think>']

/** Parses a reply in a family's format. */
export class ReplyParser {
  readonly #reader = new Reader()
  readonly #reply = new Reply()
  readonly #parsing: Parsing
  #isEnded = false

  constructor(format: Format, marks: Thoughts, { tools = [], generationPrompt = '' }: ParseOptions) {
    this.#parsing = readReply({ reader: this.#reader, reply: this.#reply, tools, generationPrompt }, format, marks)
  }

  /** Adds a part of the reply and returns its events. Throws `invalid-argument` if it is not a string, and after `end`. */
  push(delta: string): ReplyEvent[] {
    if (typeof delta !== 'string') throw refuse('push: expected a string')
    if (this.#isEnded) throw refuse('push: the reply has ended')
    this.#reader.add(delta)
    return this.#go()
  }

  /** Ends the reply and returns the remaining events. */
  end(): ReplyEvent[] {
    this.#isEnded = true
    this.#reader.end()
    return this.#go()
  }

  /** The reply so far. */
  get result(): ParsedReply { return this.#reply.parsed }

  #go(): ReplyEvent[] {
    this.#parsing.next()
    return this.#reply.takeEvents()
  }
}

function* readReply(context: Context, format: Format, [open, close]: Thoughts): Parsing {
  const { reader, reply, generationPrompt } = context
  const dropped = format.dropped ?? []
  try {
    if (generationPrompt.lastIndexOf(open) > generationPrompt.lastIndexOf(close)) yield* readThoughts()
    if (format.whole) {
      const place = reader.at
      yield* reader.space()
      if (yield* reader.take(open)) yield* readThoughts()
      else reader.at = place
      if (yield* format.whole(context)) return reply.end()
    }
    const markers = [open, ...format.open, ...dropped]
    for (;;) {
      const marker = yield* reader.until(markers, text => reply.text(text))
      if (marker === '') break
      if (marker === open && (reply.hasContent || reply.calls.length > 0)) reply.text(open)
      else if (marker === open) yield* readThoughts()
      else if (dropped.includes(marker)) reply.markup()
      else yield* readCall(marker)
    }
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error
    reply.incomplete = true
    reply.markup()
  }
  reply.end()

  function* readThoughts(): Parsing {
    reply.markup()
    const markers = [close, ...format.endsReasoning ? format.open : []]
    const marker = yield* reader.until(markers, text => reply.reasoning(text))
    reply.markup()
    if (marker !== close && marker !== '') yield* readCall(marker)
  }

  function* readCall(opener: string): Parsing {
    const start = reader.at - opener.length
    try {
      yield* format.call(context, opener)
      reply.markup()
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      if (reply.hasOpenCall) reply.finish()
      else reply.text(reader.since(start))
    }
  }
}
