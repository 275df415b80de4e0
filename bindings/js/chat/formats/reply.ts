// Collects a reply: its events and its result.
import { isNone } from '../no-arguments.js'
import type { ParsedReply, ReplyEvent, ToolCall } from '../types.js'

/** White space without U+FEFF, which is part of the text, as in Python. */
const space = /[^\S\uFEFF]/
const leading = /^[^\S\uFEFF]*/

function endOfText(text: string): number {
  let end = text.length
  while (end > 0 && space.test(text[end - 1]!)) end--
  return end
}

/** The content or the reasoning of a reply. White space next to markup is dropped. */
class Stream {
  text = ''
  readonly #emit: (delta: string) => void
  #held = ''
  #isFresh = false

  constructor(emit: (delta: string) => void) {
    this.#emit = emit
  }

  /** Adds text, in time linear in its length even if a model writes only white space. */
  add(delta: string): void {
    const body = this.#isFresh ? delta.replace(leading, '') : delta
    const end = endOfText(body)
    if (end === 0) {
      this.#held += body
      return
    }
    const apart = this.#isFresh && this.text !== '' ? '\n\n' : ''
    const before = this.#held
    this.#held = body.slice(end)
    this.#isFresh = false
    this.#write(apart + before + body.slice(0, end))
  }

  /** Marks the position of markup. A blank line separates the text that follows from the text before. */
  break(): void {
    this.#held = ''
    this.#isFresh = true
  }

  flush(): void {
    if (!this.#isFresh && this.#held !== '') this.#write(this.#held)
    this.#held = ''
  }

  #write(delta: string): void {
    this.text += delta
    this.#emit(delta)
  }
}

/** A string up to its end, or up to an incomplete escape or surrogate pair. */
const inString = /^"(?:[^"\\]|\\(?:u[dD][89abAB]..\\u[\da-fA-F]{4}|u(?![dD][89abAB])[\da-fA-F]{4}|[^u]))*/

export class Reply {
  readonly calls: ToolCall[] = []
  incomplete = false
  #events: ReplyEvent[] = []
  /** `held`: the text that has not been passed on. `kind`: the first character of the arguments. */
  #open: { name: string; id?: string; text: string; held: string; kind?: string; isMalformed?: boolean } | undefined

  readonly #content = new Stream(delta => this.#events.push({ type: 'text', delta }))
  readonly #thoughts = new Stream(delta => this.#events.push({ type: 'reasoning', delta }))

  text(delta: string): void {
    this.#content.add(delta)
  }
  reasoning(delta: string): void {
    this.#thoughts.add(delta)
  }
  get hasContent(): boolean {
    return this.#content.text !== ''
  }
  get hasOpenCall(): boolean {
    return this.#open !== undefined
  }

  markup(): void {
    this.#content.break()
    this.#thoughts.break()
  }

  start(name: string, id?: string): void {
    this.markup()
    const named = { name, ...(id === undefined ? {} : { id }) }
    this.#open = { ...named, text: '', held: '' }
    this.#events.push({ type: 'tool-call-start', index: this.calls.length, ...named })
  }

  /**
   * Adds to the arguments of the open call. Some models encode their JSON as a string once more, which is decoded as it arrives;
   * text that is neither an object nor a string is held until the end.
   */
  delta(delta: string): void {
    const call = this.#open
    if (!call) return
    call.held += delta
    if (call.kind === undefined) {
      call.held = call.held.trimStart()
      call.kind = call.held[0]
    }
    if (call.kind === '{') this.#pass(call.held.length)
    else if (call.kind === '"') {
      const { length } = inString.exec(call.held)![0]
      const whole = call.held.slice(1, length).replace(/\\(?:u.{4}|.)/g, escape => JSON.parse(`"${escape}"`) as string)
      call.held = `"${call.held.slice(length)}`
      this.#write(whole)
    }
  }

  #pass(length: number): void {
    const { held } = this.#open!
    this.#open!.held = held.slice(length)
    this.#write(held.slice(0, length))
  }

  #write(delta: string): void {
    if (delta === '') return
    this.#open!.text += delta
    this.#events.push({ type: 'tool-call-delta', index: this.calls.length, delta })
  }

  /** Ends the open call as malformed. */
  fail(): void {
    this.#open!.isMalformed = true
    this.finish()
  }

  /** Ends the open call. Missing arguments, however they are written, become an empty object. */
  finish(id = this.#open?.id): void {
    const call = this.#open!
    const rest = call.held.trim()
    if (!call.isMalformed && call.text.trim() === '' && isNone(rest)) this.#write('{}')
    else if (rest !== '""' || call.isMalformed) this.#pass(call.held.length)
    const { name, text } = call
    let value: unknown
    try {
      value = call.isMalformed ? undefined : JSON.parse(text)
    } catch {
      /* reported as the error below */
    }
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const read: ToolCall = {
      ...(id === undefined ? {} : { id }),
      name,
      arguments: isObject ? (value as Record<string, unknown>) : undefined,
      text,
      ...(isObject ? {} : { error: `the arguments of ${name} are not a JSON object` }),
    }
    this.#open = undefined
    this.#events.push({ type: 'tool-call', index: this.calls.length, call: read })
    this.calls.push(read)
  }

  /** Adds a complete call, with the text of its arguments. */
  call(name: string, text: string): void {
    this.start(name)
    this.delta(text)
    this.finish()
  }

  end(): void {
    this.#content.flush()
  }

  /** Returns the events since the last call of this method. */
  takeEvents(): ReplyEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  get parsed(): ParsedReply {
    return {
      content: this.#content.text,
      reasoning: this.#thoughts.text,
      toolCalls: [...this.calls],
      incomplete: this.incomplete,
    }
  }
}
