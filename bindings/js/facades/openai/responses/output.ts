// Writes the output of a response: converts the reports of a chat to items, and to events about them in OpenAI's order.
import type { ChatEvent } from '../../../page/chat/messages.js'
import { randomSeed } from '../../../page/seed.js'
import type { Logprobs } from '../logprobs.js'
import type { TokenLogprob } from '../types.js'
import type { ResponseOutputItem, ResponseStreamEvent } from './types.js'

export const newId = (prefix: string) => `${prefix}_${randomSeed().toString(36)}`

/** An event without its `sequence_number`. */
export type Told = {
  [Type in ResponseStreamEvent['type']]: Omit<Extract<ResponseStreamEvent, { type: Type }>, 'sequence_number'>
}[ResponseStreamEvent['type']]

/** One kind of item. Each item has a text; in most kinds, the text is in a part. */
interface Kind {
  /** The prefix of ids. */
  readonly prefix: string
  /** The name of the text's events. */
  readonly text: string
  /** The other fields of a delta event, and the fields of the event at the text's end. */
  delta(logprobs: TokenLogprob[]): object
  done(text: string, logprobs: TokenLogprob[]): object
  /** The names of the part's events, and of its index. */
  readonly part?: readonly [name: string, index: 'content_index' | 'summary_index']
  as(text: string, logprobs: TokenLogprob[]): object
  item(parts: object[], text: string): object
}

const message: Kind = {
  prefix: 'msg',
  text: 'output_text',
  delta: logprobs => ({ logprobs }),
  done: (text, logprobs) => ({ text, logprobs }),
  part: ['content_part', 'content_index'],
  as: (text, logprobs) => ({ type: 'output_text', text, annotations: [], logprobs }),
  item: content => ({ type: 'message', role: 'assistant', content }),
}
const reasoning: Kind = {
  prefix: 'rs',
  text: 'reasoning_text',
  delta: () => ({}),
  done: text => ({ text }),
  part: ['content_part', 'content_index'],
  as: text => ({ type: 'reasoning_text', text }),
  item: content => ({ type: 'reasoning', summary: [], content }),
}
const summary: Kind = {
  ...reasoning,
  text: 'reasoning_summary_text',
  part: ['reasoning_summary_part', 'summary_index'],
  as: text => ({ type: 'summary_text', text }),
  item: summary => ({ type: 'reasoning', summary }),
}
const callOf = (call_id: string, name: string): Kind => ({
  prefix: 'fc',
  text: 'function_call_arguments',
  delta: () => ({}),
  done: text => ({ arguments: text, name }),
  as: () => ({}),
  item: (_, text) => ({ type: 'function_call', call_id, name, arguments: text }),
})

/** An item that is being written. */
class Writing {
  text = ''
  readonly #id: string
  readonly #logprobs: TokenLogprob[] = []

  constructor(
    readonly kind: Kind,
    readonly index: number,
  ) {
    this.#id = newId(kind.prefix)
  }

  begin(): Told[] {
    return [this.#ofItem('added', this.#item('in_progress', [])), ...this.#ofPart('added')]
  }

  add(delta: string, logprobs: TokenLogprob[] = []): Told[] {
    this.text += delta
    this.#logprobs.push(...logprobs)
    return [this.#event(`${this.kind.text}.delta`, { delta, ...this.kind.delta(logprobs) })]
  }

  end(status: ResponseOutputItem['status'], output: ResponseOutputItem[]): Told[] {
    const { text, done, part } = this.kind
    const item = this.#item(status, part ? [this.#part()] : [])
    output.push(item)
    return [this.#event(`${text}.done`, done(this.text, this.#logprobs)), ...this.#ofPart('done'), this.#ofItem('done', item)]
  }

  #part = () => this.kind.as(this.text, [...this.#logprobs])

  #item = (status: ResponseOutputItem['status'], parts: object[]) =>
    ({ id: this.#id, status, ...this.kind.item(parts, this.text) }) as ResponseOutputItem

  #ofItem = (what: 'added' | 'done', item: ResponseOutputItem): Told => ({
    type: `response.output_item.${what}`,
    output_index: this.index,
    item,
  })

  #ofPart(what: 'added' | 'done'): Told[] {
    const { part } = this.kind
    return part ? [this.#event(`${part[0]}.${what}`, { part: this.#part() })] : []
  }

  #event(name: string, more: object): Told {
    const { part } = this.kind
    return {
      type: `response.${name}`,
      item_id: this.#id,
      output_index: this.index,
      ...(part && { [part[1]]: 0 }),
      ...more,
    } as unknown as Told
  }
}

/** The items of a chat; each is added when it is complete. */
export class Output {
  readonly items: ResponseOutputItem[] = []
  reasoningTokens = 0
  readonly #reasoning: Kind
  readonly #logprobs: Logprobs | undefined
  #writing: Writing | undefined
  #hasAnswered = false

  constructor(isSummarized: boolean, logprobs: Logprobs | undefined) {
    this.#reasoning = isSummarized ? summary : reasoning
    this.#logprobs = logprobs
  }

  /** Converts a report of the chat to events of the stream. */
  async told(event: ChatEvent): Promise<Told[]> {
    switch (event.type) {
      case 'text': {
        const begun = this.#begin(message)
        return [...begun, ...this.#writing!.add(event.delta, await this.#logprobs?.ofChat(event.tokens))]
      }
      case 'reasoning': {
        this.reasoningTokens += event.tokens.length
        const begun = this.#begin(this.#reasoning)
        return [...begun, ...this.#writing!.add(event.delta)]
      }
      case 'tool-call-start':
        return this.#begin(callOf(event.id, event.name))
      case 'tool-call-delta':
        return this.#writing!.add(event.delta)
      case 'tool-call':
        return [...(this.#writing!.text === '' ? this.#writing!.add('{}') : []), ...this.#end('completed')]
      default:
        return []
    }
  }

  /** Begins an item and ends the previous one, unless the text continues. */
  #begin(kind: Kind): Told[] {
    if (this.#writing?.kind === kind) return []
    const ended = this.#end('completed')
    this.#hasAnswered ||= kind !== this.#reasoning
    this.#writing = new Writing(kind, this.items.length)
    return [...ended, ...this.#writing.begin()]
  }

  /** Ends the last item. An empty answer becomes an empty message. */
  end(status: ResponseOutputItem['status']): Told[] {
    const isEmpty = !this.#hasAnswered && status === 'completed'
    return [...(isEmpty ? this.#begin(message) : []), ...this.#end(status)]
  }

  #end(status: ResponseOutputItem['status']): Told[] {
    const ended = this.#writing?.end(status, this.items) ?? []
    this.#writing = undefined
    return ended
  }
}
