// Collects a reply: its events and its result.
import type { ParsedReply, ReplyEvent, ToolCall } from '../types.js'

/** The content or the reasoning of a reply. White space next to markup is dropped. */
class Stream {
  text = ''
  readonly #emit: (delta: string) => void
  #held = ''
  #isFresh = false

  constructor(emit: (delta: string) => void) {
    this.#emit = emit
  }

  /** Does not read again what is held: a model may write nothing but white space. */
  add(delta: string): void {
    const body = this.#isFresh ? delta.trimStart() : delta
    const end = body.trimEnd().length
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

export class Reply {
  readonly calls: ToolCall[] = []
  incomplete = false
  #events: ReplyEvent[] = []
  #open: { name: string, id?: string, text: string } | undefined

  readonly #content = new Stream(delta => this.#events.push({ type: 'text', delta }))
  readonly #thoughts = new Stream(delta => this.#events.push({ type: 'reasoning', delta }))

  text(delta: string): void { this.#content.add(delta) }
  reasoning(delta: string): void { this.#thoughts.add(delta) }
  get hasContent(): boolean { return this.#content.text !== '' }
  get hasOpenCall(): boolean { return this.#open !== undefined }

  markup(): void {
    this.#content.break()
    this.#thoughts.break()
  }

  start(name: string, id?: string): void {
    this.markup()
    const named = { name, ...id === undefined ? {} : { id } }
    this.#open = { ...named, text: '' }
    this.#events.push({ type: 'tool-call-start', index: this.calls.length, ...named })
  }

  /** Adds to the arguments of the open call. */
  delta(delta: string): void {
    if (!this.#open || delta === '') return
    this.#open.text += delta
    this.#events.push({ type: 'tool-call-delta', index: this.calls.length, delta })
  }

  /** Ends the open call. Some models encode the JSON of the arguments as a string once more. */
  finish(id = this.#open?.id): void {
    const { name, text } = this.#open!
    let value: unknown
    try {
      value = JSON.parse(text === '' ? '{}' : text)
      if (typeof value === 'string') value = JSON.parse(value)
    } catch { /* reported as the error below */ }
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const call: ToolCall = {
      ...id === undefined ? {} : { id }, name, arguments: isObject ? value as Record<string, unknown> : undefined, text,
      ...isObject ? {} : { error: `the arguments of ${name} are not a JSON object` },
    }
    this.#open = undefined
    this.#events.push({ type: 'tool-call', index: this.calls.length, call })
    this.calls.push(call)
  }

  /** Adds a complete call. */
  call(name: string, args: unknown, id?: string): void {
    this.start(name, id)
    this.delta(typeof args === 'string' ? args : JSON.stringify(args))
    this.finish()
  }

  end(): void { this.#content.flush() }

  /** Returns the events since the last call of this method. */
  takeEvents(): ReplyEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  get parsed(): ParsedReply {
    return {
      content: this.#content.text, reasoning: this.#thoughts.text, toolCalls: [...this.calls], incomplete: this.incomplete,
    }
  }
}
