// The list of messages. It scrolls to new text at the end, unless the reader has scrolled up.
import type { ChatMessage, Image } from 'heed'
import { make, part } from '../support/dom.js'
import type { Labels } from '../support/labels.js'
import { AnswerView } from './answer-view.js'
import { thumbnail } from './pictures.js'

/** The distance from the end that still counts as the end, in CSS pixels. */
const near = 40

export class Log {
  readonly node = part('log', make('div', { className: 'log', role: 'log', tabIndex: 0, ariaLive: 'off' }))
  #labels: Labels
  #last?: AnswerView
  #follows = true

  constructor(labels: Labels) {
    this.#labels = labels
    this.node.addEventListener('scroll', () => {
      this.#follows = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < near
    })
    new ResizeObserver(() => this.follow()).observe(this.node)
  }

  set labels(labels: Labels) {
    this.#labels = labels
    this.node.ariaLabel = labels.conversation
  }

  /** Scrolls to the end, if the end was visible before. */
  follow(): void {
    if (this.#follows) this.node.scrollTop = this.node.scrollHeight
  }

  show(messages: readonly ChatMessage[]): void {
    this.node.replaceChildren()
    this.#last = undefined
    for (const message of messages) {
      if (message.role === 'user') this.ask(message)
      else (this.#last ?? this.answer()).addMessage(message)
    }
    this.follow()
  }

  ask({ content }: ChatMessage): void {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    const pictures = parts
      .filter(({ type }) => type === 'image')
      .map(({ image }) => thumbnail(image as Image, this.#labels.picture))
    const text = parts.map(one => one.text ?? '').join('')
    const node = part('message user', make('article', { className: 'user', ariaLabel: this.#labels.you }))
    if (pictures.length > 0) node.append(make('div', { className: 'pictures' }, ...pictures))
    if (text !== '') node.append(make('div', { dir: 'auto' }, text))
    this.#last = undefined
    this.#follows = true
    this.node.append(node)
    this.follow()
  }

  answer(): AnswerView {
    const view = (this.#last = new AnswerView(this.#labels, () => this.follow()))
    this.node.append(view.node)
    return view
  }

  /** Shows buttons below the last answer. */
  offer(buttons: readonly HTMLButtonElement[]): void {
    this.node.querySelector('.actions')?.remove()
    if (buttons.length > 0 && this.#last) this.#last.node.append(make('div', { className: 'actions' }, ...buttons))
    this.follow()
  }
}
