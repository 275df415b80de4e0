// An answer as it is written: text as Markdown; reasoning and tool calls are collapsed.
import type { ChatEvent, ChatMessage, ChatResult } from 'heed'
import { GrowingMarkdown } from '../markdown/growing.js'
import { make, part } from '../support/dom.js'
import { Frames } from '../support/frames.js'
import type { Labels } from '../support/labels.js'

/** A text that grows. */
interface Growing {
  text: string
  readonly show: (text: string) => void
}

export class AnswerView {
  readonly node: HTMLElement
  readonly #labels: Labels
  readonly #state = make('p', { className: 'state' })
  /** The container of the answer's pieces. */
  readonly #pieces = make('div', { className: 'answer' })
  readonly #calls = new Map<string, HTMLElement>()
  #growing?: Growing & { readonly kind: 'text' | 'reasoning' }
  readonly #frames: Frames

  /** `shown` is called after new text has been shown. */
  constructor(labels: Labels, shown: () => void) {
    this.#labels = labels
    this.#frames = new Frames(() => {
      this.#growing?.show(this.#growing.text)
      shown()
    })
    this.node = part('message answer', make('article', { ariaLabel: labels.answer }, this.#pieces))
  }

  /** Shows what happens before the first word; '' shows nothing. */
  wait(what: string): void {
    this.#state.textContent = what
    if (what === '') this.#state.remove()
    else this.node.append(this.#state)
  }

  add(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.wait('')
        this.#grow(event.type, event.delta)
        break
      case 'tool-call':
        this.wait('')
        this.#call(event.id, event.name, JSON.stringify(event.arguments))
        break
      case 'tool-result':
        this.#calls.get(event.id)?.append(make('p', { dir: 'auto' }, event.content))
        break
    }
  }

  /** Shows a complete message. */
  addMessage({ role, content, reasoning_content: reasoning, tool_calls: calls = [], tool_call_id: id }: ChatMessage): void {
    const text = typeof content === 'string' ? content : (content ?? []).map(one => one.text ?? '').join('')
    if (role === 'tool') this.#calls.get(id ?? '')?.append(make('p', { dir: 'auto' }, text))
    else {
      if (reasoning) this.#grow('reasoning', reasoning)
      if (text) this.#grow('text', text)
      for (const { id, function: called } of calls) this.#call(id ?? '', called.name, JSON.stringify(called.arguments))
    }
    this.flush()
  }

  end({ finishReason, trimmedTurns }: Pick<ChatResult, 'finishReason' | 'trimmedTurns'>): void {
    this.wait('')
    this.flush()
    const said = [
      finishReason === 'abort' ? this.#labels.stopped : finishReason === 'context' ? this.#labels.full : '',
      trimmedTurns > 0 ? this.#labels.shortened : '',
    ].filter(one => one !== '')
    if (said.length > 0) this.node.append(make('p', { className: 'ending' }, `${said.join('. ')}.`))
  }

  /** Shows all text that has arrived. */
  flush(): void {
    this.#frames.flush()
  }

  get isEmpty(): boolean {
    return this.#pieces.childElementCount === 0
  }

  #grow(kind: 'text' | 'reasoning', delta: string): void {
    if (this.#growing?.kind !== kind) {
      this.flush()
      this.#growing = { kind, text: '', show: kind === 'text' ? this.#text() : this.#reasoning() }
    }
    this.#growing.text += delta
    this.#frames.request()
  }

  #text(): (text: string) => void {
    const place = part('text', make('div', { className: 'markdown', dir: 'auto' }))
    this.#pieces.append(place)
    const markdown = new GrowingMarkdown(place)
    return text => markdown.show(text.trimStart())
  }

  #reasoning(): (text: string) => void {
    const place = document.createTextNode('')
    const text = make('p', { dir: 'auto' }, place)
    this.#pieces.append(part('reasoning', make('details', {}, make('summary', {}, this.#labels.reasoning), text)))
    return text => {
      place.data = text.trim()
    }
  }

  #call(id: string, name: string, text: string): void {
    this.flush()
    this.#growing = undefined
    const node = part('call', make('details', {}, make('summary', {}, name), make('p', { dir: 'ltr' }, text)))
    this.#calls.set(id, node)
    this.#pieces.append(node)
  }
}
