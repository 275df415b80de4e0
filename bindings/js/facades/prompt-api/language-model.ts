// The class LanguageModel, as in a window: its sessions share one model.
import type { ModelTemplate } from '../../page/chat/model-template.js'
import type { Model } from '../../page/model.js'
import { checkChat } from '../browser-ai/chat-options.js'
import { EventHandler } from '../browser-ai/events.js'
import { exception } from '../browser-ai/exceptions.js'
import { Lifetime } from '../browser-ai/lifetime.js'
import { SharedModel } from '../browser-ai/shared-model.js'
import { Context } from './context.js'
import { canonical, formOf, media, toPrompt } from './input.js'
import { hasSampling, isSupported, params, readSettings, type Settings } from './options.js'
import type {
  LanguageModel,
  LanguageModelChatOptions,
  LanguageModelConstructor,
  LanguageModelMessage,
  LanguageModelOptions,
  LanguageModelPromptOptions,
} from './types.js'

const unsupported = (what: string) => exception('NotSupportedError', what)

async function templateOf(model: Model, { tools }: Settings, chat: LanguageModelChatOptions): Promise<ModelTemplate> {
  const forTools = tools.length > 0 && model.info.chatTemplates.tool_use !== undefined ? 'tool_use' : undefined
  const template = await model.chatTemplate(chat.template ?? forTools)
  if (tools.length > 0 && !template.info.supports.tools) throw unsupported("The model's template does not support tools")
  return template
}

export function languageModelOver({ languages, chat = {}, ...load }: LanguageModelOptions): LanguageModelConstructor {
  checkChat(chat)
  const shared = new SharedModel(load)
  const accepted = () => media.filter(medium => (medium === 'image' ? shared.acceptsImages : shared.acceptsAudio))
  /** Lets only this function construct sessions. */
  const key = Symbol('LanguageModel')

  class OverHeed extends EventTarget {
    readonly #context: Context
    readonly #lifetime: Lifetime
    readonly #contextoverflow = new EventHandler(this, 'contextoverflow')
    readonly #quotaoverflow = new EventHandler(this, 'quotaoverflow')
    /** The task that was queued last. */
    #last: Promise<unknown> = Promise.resolve()

    constructor(secret: unknown, context: Context, signal?: AbortSignal) {
      super()
      if (secret !== key) throw new TypeError('Illegal constructor')
      this.#context = context
      context.onOverflow = () => {
        for (const type of ['contextoverflow', 'quotaoverflow']) this.dispatchEvent(new Event(type))
      }
      this.#lifetime = new Lifetime(shared, context.model, { signal, free: () => context.close() })
    }

    static async availability(options: Parameters<LanguageModelConstructor['availability']>[0] = {}) {
      if (!isSupported(options, accepted(), languages) || !hasSampling(options)) return 'unavailable'
      return shared.availability(chat.template)
    }

    static async create(options: Parameters<LanguageModelConstructor['create']>[0] = {}) {
      const { signal } = options
      const settings = readSettings(options)
      signal?.throwIfAborted()
      if (!isSupported(options, accepted(), languages)) {
        const inputs = ['text', ...accepted().map(medium => (medium === 'image' ? 'images' : medium))].join(' and ')
        throw unsupported(`The model only reads ${inputs} and writes text, in the languages it knows`)
      }
      const context = await shared.open(
        options,
        async model => {
          if (settings.expects.includes('image') && !model.info.acceptsImages)
            throw unsupported('The model reads no images: it has no projector')
          if (settings.expects.includes('audio') && !model.info.acceptsAudio)
            throw unsupported('The model hears nothing: it has no projector for audio')
          return Context.open({ model, settings, template: await templateOf(model, settings, chat), chat }, signal)
        },
        context => context.close(),
      )
      return new OverHeed(key, context, signal)
    }

    static async params() {
      return params
    }

    async prompt(input: unknown, options: LanguageModelPromptOptions = {}): Promise<string> {
      let text = ''
      await this.#answer(input, options, options.signal, delta => {
        text += delta
      })
      return text
    }

    promptStreaming(input: unknown, options: LanguageModelPromptOptions = {}): ReadableStream<string> {
      return this.#lifetime.stream(options.signal, (signal, put) => this.#answer(input, options, signal, put))
    }

    async append(input: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<undefined> {
      const given = toPrompt(input)
      await this.#queue(signal, stop => this.#context.append(this.#canonical(given).messages, stop))
    }

    async measureContextUsage(input: unknown, options: LanguageModelPromptOptions = {}): Promise<number> {
      formOf(options)
      const { messages } = canonical(toPrompt(input), { goesOn: false, expects: this.#context.settings.expects })
      return this.#lifetime.run(options.signal, stop => this.#context.measure(messages, stop))
    }

    async clone({ signal }: { signal?: AbortSignal } = {}) {
      return this.#queue(signal, async stop => {
        const context = await this.#context.fork()
        if (!stop.aborted) return new OverHeed(key, context)
        context.close()
        throw stop.reason
      })
    }

    destroy(): undefined {
      this.#lifetime.end(exception('InvalidStateError', 'The session was destroyed'))
    }

    get contextUsage() {
      return this.#context.usage
    }
    get contextWindow() {
      return this.#context.window
    }
    get temperature() {
      return this.#context.settings.sampling.temperature
    }
    get topK() {
      return this.#context.settings.sampling.topK
    }
    get samplingMode() {
      return this.#context.settings.sampling.samplingMode
    }

    get oncontextoverflow() {
      return this.#contextoverflow.listener
    }
    set oncontextoverflow(listener) {
      this.#contextoverflow.listener = listener
    }
    get onquotaoverflow() {
      return this.#quotaoverflow.listener
    }
    set onquotaoverflow(listener) {
      this.#quotaoverflow.listener = listener
    }

    measureInputUsage(input: unknown, options?: LanguageModelPromptOptions) {
      return this.measureContextUsage(input, options)
    }
    get inputUsage() {
      return this.contextUsage
    }
    get inputQuota() {
      return this.contextWindow
    }

    get [Symbol.toStringTag]() {
      return 'LanguageModel'
    }

    #canonical(given: readonly LanguageModelMessage[]) {
      return canonical(given, { goesOn: this.contextUsage > 0, expects: this.#context.settings.expects })
    }

    async #answer(
      input: unknown,
      options: LanguageModelPromptOptions,
      signal: AbortSignal | undefined,
      put: (delta: string) => void,
    ): Promise<void> {
      const given = toPrompt(input)
      const form = formOf(options)
      return this.#queue(signal, stop => {
        const { messages, prefix } = this.#canonical(given)
        return this.#context.answer(messages, { prefix, form }, stop, put)
      })
    }

    /**
     * Queues a task. While a tool runs, all tasks are refused: a tool that called its own session would wait for itself forever,
     * and it cannot be known who makes a call.
     */
    async #queue<Result>(signal: AbortSignal | undefined, task: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
      if (this.#context.callsTool)
        throw exception(
          'InvalidStateError',
          'A tool cannot wait for its own session, which takes no calls while one runs: use a clone',
        )
      return this.#lifetime.run(signal, stop => {
        const running = this.#last.then(async () => {
          stop.throwIfAborted()
          return task(stop)
        })
        this.#last = running.catch(() => {})
        return running
      })
    }
  }

  Object.defineProperty(OverHeed, 'name', { value: 'LanguageModel' })
  return OverHeed as unknown as LanguageModelConstructor & { prototype: LanguageModel }
}
