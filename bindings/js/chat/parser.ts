// Parses a reply into text, reasoning and tool calls as it arrives.
import { refuse } from '../wire/errors.js'
import type { Context, Format } from './formats/format.js'
import { Malformed, Reader, Unfinished, type Parsing } from './formats/reader.js'
import { Reply } from './formats/reply.js'
import type { ParsedReply, ParseOptions, ReplyEvent } from './types.js'

/** The markers around reasoning. */
export type Thoughts = readonly [open: string, close: string]

const thoughts: readonly Thoughts[] = [
  ['<|channel>thought', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|thought_start|>', '<|thought_end|>'],
]

/** The reasoning markers of a template; the most common ones if it has none. */
export const thoughtsOf = (source: string): Thoughts =>
  thoughts.find(([, close]) => source.includes(close)) ?? ['<think>', '</think>']

/** Parses a reply in a family's format. */
export class ReplyParser {
  readonly #reader: Reader
  readonly #reply = new Reply()
  readonly #parsing: Parsing
  #isEnded = false

  /** @internal `controls`: markers that begin with a control token of the vocabulary, with the token's text. */
  constructor(
    format: Format,
    marks: Thoughts,
    { tools = [], generationPrompt = '', calls }: ParseOptions,
    controls?: ReadonlyMap<string, string>,
  ) {
    this.#reader = new Reader(controls)
    this.#parsing = readReply(
      { reader: this.#reader, reply: this.#reply, tools, generationPrompt },
      format,
      marks,
      calls === 'first',
    )
  }

  /**
   * Adds a part of the reply and returns its events. Throws `invalid-argument` if it is not a string, and after `end`. `control`,
   * used by chats: the text of the control token that the part belongs to.
   */
  push(delta: string, control?: string): ReplyEvent[] {
    if (typeof delta !== 'string') throw refuse('push: expected a string')
    if (this.#isEnded) throw refuse('push: the reply has ended')
    this.#reader.add(delta, control)
    return this.#go()
  }

  /** Ends the reply and returns the remaining events. */
  end(): ReplyEvent[] {
    this.#isEnded = true
    this.#reader.end()
    return this.#go()
  }

  /** The reply so far. */
  get result(): ParsedReply {
    return this.#reply.parsed
  }

  #go(): ReplyEvent[] {
    this.#parsing.next()
    return this.#reply.takeEvents()
  }
}

/** With `callsFirst`, calls are recognized only before any text. */
function* readReply(context: Context, format: Format, [open, close]: Thoughts, callsFirst: boolean): Parsing {
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
    const markers = [open, close, ...format.open, ...dropped]
    for (;;) {
      const marker = yield* reader.until((yield* isText(markers)) ? [] : markers, text => reply.text(text))
      if (marker === '') break
      if (dropped.includes(marker)) reply.markup()
      else if (marker === close)
        reply.hasContent ? reply.text(close) : reply.markup() // before any text, a repeated end marker
      else if (marker !== open) yield* readCall(marker, text => reply.text(text))
      else if (open === '<think>' && !reader.isControl(open) && (reply.hasContent || reply.calls.length > 0)) reply.text(open)
      else yield* readThoughts()
    }
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error
    reply.incomplete = true
    reply.markup()
  }
  reply.end()

  /** Whether the rest is certainly text: only text came before it, and no marker begins it. */
  function* isText(markers: readonly string[]): Parsing<boolean> {
    if (!callsFirst || reply.calls.length > 0) return false
    const place = reader.at
    yield* reader.space()
    for (const marker of reply.hasContent ? [] : markers) {
      const isThere = yield* reader.take(marker)
      if (!isThere) continue
      reader.at = place
      return false
    }
    reader.at = place
    return true
  }

  /** Reads reasoning up to its end marker or, if a call ends it, including that call. */
  function* readThoughts(): Parsing {
    reply.markup()
    let isBegun = false
    const hand = (text: string) => {
      isBegun ||= text.trim() !== ''
      reply.reasoning(text)
    }
    const ends = [close, ...(format.endsReasoning ? dropped : [])]
    for (;;) {
      const marker = yield* reader.until([open, ...ends, ...format.open], hand)
      if (marker === '' || ends.includes(marker)) break
      if (marker !== open) {
        const place = reader.at
        // In other formats, the marker may be part of the reasoning: a call ends reasoning only if nothing else does.
        if (!format.endsReasoning && (yield* reader.until([close])) !== '') {
          hand(reader.since(place - marker.length).slice(0, -close.length))
          break
        }
        reader.at = place
        if (yield* readCall(marker, hand)) return
      } else if (isBegun) hand(open) // otherwise, a repeated opening marker
    }
    reply.markup()
  }

  /** Reads a call; if the text is not a call, passes it on and returns false. */
  function* readCall(opener: string, hand: (text: string) => void): Parsing<boolean> {
    const start = reader.at - opener.length
    const { length } = reply.calls
    try {
      yield* format.call(context, opener)
      reply.markup()
      return true
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      if (reply.hasOpenCall) reply.fail()
      else if (reply.calls.length === length) return hand(reader.since(start)), false
      yield* skipRest()
      return true
    }
  }

  /** Skips the rest of a malformed call, up to its closing marker if there is one. */
  function* skipRest(): Parsing {
    const { at } = reader
    const { close = [] } = format
    if (close.some(marker => reader.since(at - marker.length) === marker)) return
    const marker = yield* reader.until([...close, ...format.open])
    if (marker === '') reader.at = at
    else if (format.open.includes(marker)) reader.at -= marker.length
  }
}
