// <heed-chat>: a conversation with a model. This file is the element's public API.
import type { ChatMessage, ChatOptions, ChatResult, LoadProgress, Model, ModelSource } from 'heed'
import { offerCopy } from '../support/copy.js'
import { Base, make, sheetOf } from '../support/dom.js'
import { type Labels, labelsWith, standard } from '../support/labels.js'
import theme from '../support/theme.css?inline'
import type { AnswerView } from './answer-view.js'
import css from './chat.css?inline'
import type { ChatElement } from './events.js'
import markdown from './markdown.css?inline'
import { ElementModel, type ElementLoadOptions } from './models.js'
import { Parts } from './parts.js'

/** Options of `model.chat`, except for those that the element sets itself. */
export type ElementChatOptions = Omit<ChatOptions, 'signal' | 'onProgress'>

/** Properties that a page may have set before the element was defined. */
const settable = ['source', 'model', 'loadOptions', 'options', 'labels', 'suggestions', 'messages'] as const

const isHidden = ({ role }: ChatMessage) => role === 'system' || role === 'developer'
const textOf = ({ content }: ChatMessage) => (typeof content === 'string' ? content : '')

/**
 * A conversation with a model, which is loaded when the element enters the page, and freed soon after it has left. Elements with
 * the same source and options share one.
 *
 * Attributes: `src`, a source for `loadModel` (default: the bundled model); `projector`, the source of the projector of a model
 * that reads images; `loading`, where `lazy` means that the model is loaded once the user begins to write; `system`, the system
 * message; `placeholder`.
 *
 * Slot: elements in `suggestion` send their text when they are clicked, as long as the conversation is empty.
 *
 * Events, none of which bubble: `message` for each message that is added (`detail` is the ChatMessage), `progress` while the model
 * is loaded (LoadProgress), `load` when it is loaded (Model), and `error`, an ErrorEvent.
 *
 * Parts: `log`, `message` (with `user` or `answer`), `text`, `reasoning`, `call`, `below`, `download` (with `download-what`,
 * `download-bar` and `download-pace`), `error`, `suggestions`, `suggestion`, `composer`, `input`, `add`, `send`. Custom properties:
 * those of support/theme.css, such as --heed-accent.
 *
 * @example
 * const chat = document.querySelector('heed-chat')
 * chat.options = { temperature: 0.7, tools: [clock] }
 * chat.addEventListener('message', ({ detail }) => console.log(detail.role, detail.content))
 * await chat.send('Who lost the lantern?')
 */
export class HeedChat extends (Base as unknown as new () => ChatElement) {
  static readonly observedAttributes = ['src', 'projector', 'loading', 'placeholder']
  readonly #parts: Parts
  readonly #model: ElementModel
  #labels = standard
  #source?: ModelSource
  #loadOptions: ElementLoadOptions = {}
  #options: ElementChatOptions = {}
  #suggestions: readonly string[] = []
  #messages: ChatMessage[] = []
  /** Aborts the current answer. */
  #stop?: AbortController
  #writing: Promise<unknown> = Promise.resolve()

  constructor() {
    super()
    this.#parts = new Parts(this.#labels, {
      send: () => this.#sendWritten(),
      stop: () => this.stop(),
      begin: () => this.#load(),
      suggest: text => void this.send(text),
      retry: () => this.#load(),
    })
    this.#model = new ElementModel({
      progress: progress => this.#show(progress),
      ready: model => this.#isReady(model),
      failed: error => this.#fail(error, true),
    })
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [theme, css, markdown].map(sheetOf)
    root.append(this.#parts.node)
  }

  connectedCallback(): void {
    for (const name of settable) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete this[name]
      Object.assign(this, { [name]: value })
    }
    this.#showPlaceholder()
    if (this.getAttribute('loading') !== 'lazy') this.#load()
  }

  disconnectedCallback(): void {
    setTimeout(() => {
      if (this.isConnected) return // the element was only moved
      this.stop()
      this.#model.free()
      this.#show(undefined)
    })
  }

  attributeChangedCallback(name: string): void {
    if (name === 'placeholder') this.#showPlaceholder()
    else this.#reload()
  }

  /** The model's source, in place of the attribute `src`; of any kind that `loadModel` takes. */
  get source(): ModelSource | undefined {
    return this.#source ?? this.getAttribute('src') ?? undefined
  }
  set source(source: ModelSource | undefined) {
    this.#source = source
    this.#reload()
  }

  /** A loaded model, used in place of a source; the element never disposes of it. Undefined until there is one. */
  get model(): Model | undefined {
    return this.#model.value
  }
  set model(model: Model | undefined) {
    this.stop()
    this.#model.free()
    this.#show(undefined)
    this.#model.give(model)
    if (!model) this.#reload()
  }

  /** Options of `loadModel`, such as `threads`. */
  get loadOptions(): ElementLoadOptions {
    return this.#loadOptions
  }
  set loadOptions(options: ElementLoadOptions) {
    this.#loadOptions = { ...options }
    this.#reload()
  }

  /** Options of `model.chat` for the next answers, such as `tools` and `temperature`. Default: `trim` is true. */
  get options(): ElementChatOptions {
    return this.#options
  }
  set options(options: ElementChatOptions) {
    this.#options = { ...options }
  }

  /** Texts that replace the English ones. Throws a TypeError for unknown names. */
  get labels(): Labels {
    return this.#labels
  }
  set labels(labels: Partial<Labels>) {
    this.#labels = this.#parts.labels = labelsWith(labels)
    this.#showPlaceholder()
  }

  /** Suggestions for a first message, each shown as a button. */
  get suggestions(): readonly string[] {
    return this.#suggestions
  }
  set suggestions(texts: readonly string[]) {
    this.#suggestions = this.#parts.suggestions = Array.from(texts, String)
  }

  /** The conversation, without the message of `system`. Setting it ends an answer that is being written. */
  get messages(): readonly ChatMessage[] {
    return [...this.#messages]
  }
  set messages(messages: readonly ChatMessage[]) {
    if (!Array.isArray(messages)) throw new TypeError('messages: expected a list')
    this.stop()
    this.#messages = [...messages]
    this.#parts.showError(undefined)
    this.#parts.hasBegun = this.#messages.length > 0
    this.#parts.log.show(this.#messages.filter(message => !isHidden(message)))
  }

  /** Whether an answer is being written or waited for. */
  get isBusy(): boolean {
    return this.#stop !== undefined
  }

  override focus(options?: FocusOptions): void {
    this.#parts.composer.input.focus(options)
  }

  /**
   * Adds a message of the user (a text, or parts) and lets the model answer. If an answer is being written, it is stopped first.
   * Resolves to undefined if the answer was stopped before its first word, or failed, which fires an `error` event.
   */
  async send(content: string | NonNullable<ChatMessage['content']>): Promise<ChatResult | undefined> {
    if (typeof content !== 'string' && !Array.isArray(content)) throw new TypeError('send: expected a text or parts')
    if (this.#stop) await this.#ended()
    const message: ChatMessage = { role: 'user', content }
    this.#parts.hasBegun = true
    this.#parts.log.offer([])
    this.#parts.log.ask(message)
    this.#add(message)
    return this.#answer()
  }

  /** Lets the model answer the user's last message again. Resolves as `send` does; to undefined if the user has sent none. */
  async regenerate(): Promise<ChatResult | undefined> {
    if (this.#stop) await this.#ended()
    const last = this.#messages.findLastIndex(({ role }) => role === 'user')
    if (last < 0) return undefined
    this.messages = this.#messages.slice(0, last + 1)
    return this.#answer()
  }

  /** Stops the answer that is being written; the text so far stays. */
  stop(): void {
    this.#stop?.abort()
  }

  /** Begins a new conversation. */
  clear(): void {
    this.messages = []
    this.#parts.status.textContent = ''
  }

  /** Stops the current answer. If several calls wait for this, each of them stops the answer that the call before it begins. */
  async #ended(): Promise<void> {
    while (this.#stop) {
      this.stop()
      await this.#writing
    }
  }

  #add(message: ChatMessage): void {
    this.#messages.push(message)
    this.dispatchEvent(new CustomEvent('message', { detail: message }))
  }

  #sendWritten(): void {
    const { text, pictures } = this.#parts.composer.take()
    if (text === '' && pictures.length === 0) return
    const images = pictures.map(image => ({ type: 'image', image }))
    void this.send(images.length === 0 ? text : [...images, { type: 'text', text }])
  }

  #answer(): Promise<ChatResult | undefined> {
    const stop = (this.#stop = new AbortController())
    const { composer, log, status } = this.#parts
    const messages = this.#messages
    const view = log.answer()
    composer.isBusy = true
    this.#parts.showError(undefined)
    view.wait(this.#labels.writing)
    log.follow()
    status.textContent = this.#labels.writing
    const writing = this.#write(messages, view, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#fail(error)
        return undefined
      })
      .then(result => {
        view.wait('')
        if (view.isEmpty) view.node.remove()
        if (this.#messages === messages) log.offer(this.#actions())
        status.textContent = result?.text ?? ''
        if (this.#stop === stop) {
          this.#stop = undefined
          composer.isBusy = false
        }
        return result
      })
    this.#writing = writing
    return writing
  }

  async #write(messages: ChatMessage[], view: AnswerView, signal: AbortSignal): Promise<ChatResult | undefined> {
    this.#load()
    const model = await this.#model.ready(signal)
    const system = this.getAttribute('system')
    const given = system && !messages.some(isHidden) ? [{ role: 'system' as const, content: system }, ...messages] : messages
    const chat = model.chat(given, {
      trim: true,
      ...this.#options,
      signal,
      onProgress: ({ done, total }) => {
        const share = Math.floor((done / total) * 100)
        if (view.isEmpty) view.wait(share < 100 ? `${this.#labels.reading} ${share} %` : this.#labels.writing)
      },
    })
    for await (const event of chat) view.add(event)
    const result = await chat
    view.end(result)
    const hasText = result.messages.some(message => textOf(message) !== '' || message.tool_calls || message.role === 'tool')
    if (!hasText || this.#messages !== messages) return undefined
    for (const message of result.messages) this.#add(message)
    return result
  }

  /** Buttons for the end of the conversation. */
  #actions(): HTMLButtonElement[] {
    if (this.#messages.length === 0) return []
    const again = make('button', { type: 'button', className: 'quiet' }, this.#labels.again)
    again.addEventListener('click', () => {
      this.focus()
      void this.regenerate()
    })
    const last = this.#messages.at(-1)!
    if (last.role !== 'assistant') return [again]
    const copy = make('button', { type: 'button', className: 'quiet' }, this.#labels.copy)
    offerCopy(copy, () => textOf(last), this.#labels.copy)
    return [copy, again]
  }

  #load(): void {
    if (!this.isConnected && !this.#model.given) throw new TypeError('heed-chat: the element is not in a page')
    const { source } = this
    const projector = this.getAttribute('projector')
    if (!this.#model.value) this.#parts.showError(undefined)
    this.#model.load(source, { ...(projector !== null && { projector }), ...this.#loadOptions })
  }

  /** Uses another model, after the source or its options have changed. */
  #reload(): void {
    if (!this.isConnected || this.#model.given) return
    this.stop()
    this.#model.free()
    this.#show(undefined)
    if (this.getAttribute('loading') !== 'lazy') this.#load()
  }

  #show(progress: LoadProgress | undefined): void {
    const name = this.getAttribute('src')
    this.#parts.download.name =
      name === null
        ? ''
        : name
            .replace(/[?#].*/, '')
            .split('/')
            .at(-1)!
    this.#parts.download.progress = progress
    if (progress) this.dispatchEvent(new CustomEvent('progress', { detail: progress }))
  }

  #isReady(model: Model): void {
    this.#show(undefined)
    this.#parts.composer.takesPictures = model.info.acceptsImages
    this.dispatchEvent(new CustomEvent('load', { detail: model }))
  }

  /** Shows an error. An error of loading is shown once, even if several calls wait for the model. */
  #fail(error: unknown, ofLoading = false): void {
    const message = error instanceof Error ? error.message : String(error)
    if (!ofLoading && this.#model.value === undefined && this.#model.hasFailed) return
    this.#show(undefined)
    this.#parts.showError(message, ofLoading)
    this.dispatchEvent(new ErrorEvent('error', { error, message }))
  }

  #showPlaceholder(): void {
    this.#parts.composer.input.placeholder = this.getAttribute('placeholder') ?? this.#labels.placeholder
  }
}
