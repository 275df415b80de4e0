// The class LanguageModel, as in a window: sessions over one model.
import type { ModelTemplate } from '../../page/chat/model-template.js'
import type { Model } from '../../page/model.js'
import { Context } from './context.js'
import { EventHandler, progressTo } from './events.js'
import { abortable, anyOf, exception, translated } from './exceptions.js'
import { canonical, formOf, toPrompt } from './input.js'
import { hasSampling, isSupported, params, readSettings, type Settings } from './options.js'
import { SharedModel } from './shared-model.js'
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
  const shared = new SharedModel(load)
  /** Lets only this function construct sessions. */
  const key = Symbol('LanguageModel')

  class OverHeed extends EventTarget {
    readonly #context: Context
    readonly #destroyed = new AbortController()
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
      signal?.addEventListener('abort', () => this.#destroy(signal.reason), { signal: this.#destroyed.signal })
    }

    static async availability(options: Parameters<LanguageModelConstructor['availability']>[0] = {}) {
      if (!isSupported(options, shared.acceptsImages, languages) || !hasSampling(options)) return 'unavailable'
      const { loaded } = shared
      const speaks = !loaded || (loaded.info.generates && (chat.template ?? loaded.info.chatTemplates.default) !== undefined)
      return speaks ? shared.availability : 'unavailable'
    }

    static async create(options: Parameters<LanguageModelConstructor['create']>[0] = {}) {
      const { signal } = options
      const settings = readSettings(options)
      signal?.throwIfAborted()
      if (!isSupported(options, shared.acceptsImages, languages)) {
        const inputs = shared.acceptsImages ? 'text and images' : 'text'
        throw unsupported(`The model only reads ${inputs} and writes text, in the languages it knows`)
      }
      const report = progressTo(options.monitor, signal)
      const creating = (async () => {
        let model: Model | undefined
        try {
          model = await shared.get(report, signal)
          if (settings.expectsImages && !model.info.acceptsImages)
            throw unsupported('The model reads no images: it has no projector')
          return await Context.open({ model, settings, template: await templateOf(model, settings, chat), chat }, signal)
        } catch (error) {
          shared.forgetAfter(error, model)
          throw translated(error, 'OperationError')
        }
      })()
      return abortable(creating, signal).then(
        context => new OverHeed(key, context, signal),
        error => {
          void creating.then(
            context => context.close(),
            () => {},
          ) // it may be created despite the abort
          throw error
        },
      )
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
      const left = new AbortController()
      const signal = anyOf(left.signal, options.signal)
      for (const one of [this.#destroyed.signal, signal]) one.throwIfAborted()
      return new ReadableStream({
        start: controller => {
          this.#answer(input, options, signal, delta => controller.enqueue(delta)).then(
            () => controller.close(),
            error => controller.error(error),
          )
        },
        cancel: reason => left.abort(reason),
      })
    }

    async append(input: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<undefined> {
      const given = toPrompt(input)
      await this.#queue(signal, stop => this.#context.append(this.#canonical(given).messages, stop))
    }

    async measureContextUsage(input: unknown, options: LanguageModelPromptOptions = {}): Promise<number> {
      formOf(options)
      const { messages } = canonical(toPrompt(input), { goesOn: false, expectsImages: this.#context.settings.expectsImages })
      return this.#run(options.signal, stop => this.#context.measure(messages, stop))
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
      this.#destroy(exception('InvalidStateError', 'The session was destroyed'))
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
      return canonical(given, { goesOn: this.contextUsage > 0, expectsImages: this.#context.settings.expectsImages })
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
     * Queues a task. A tool that waits for its own session would wait for itself, for ever, and nothing shows who makes a call: while a
     * tool runs, all are refused.
     */
    async #queue<Result>(signal: AbortSignal | undefined, task: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
      if (this.#context.callsTool)
        throw exception(
          'InvalidStateError',
          'A tool cannot wait for its own session, which takes no calls while one runs: use a clone',
        )
      return this.#run(signal, stop => {
        const running = this.#last.then(async () => {
          stop.throwIfAborted()
          return task(stop)
        })
        this.#last = running.catch(() => {})
        return running
      })
    }

    /** Runs a task. An abort, or the end of the session, rejects at once. */
    async #run<Result>(signal: AbortSignal | undefined, task: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
      const stop = anyOf(this.#destroyed.signal, signal)
      stop.throwIfAborted()
      return abortable(
        task(stop).catch(error => {
          if (!this.#destroyed.signal.aborted) shared.forgetAfter(error, this.#context.model) // otherwise, the session may be lost, not the model
          throw translated(error, 'UnknownError')
        }),
        stop,
      )
    }

    #destroy(reason: unknown): void {
      if (this.#destroyed.signal.aborted) return
      this.#destroyed.abort(reason)
      this.#context.close()
    }
  }

  Object.defineProperty(OverHeed, 'name', { value: 'LanguageModel' })
  return OverHeed as unknown as LanguageModelConstructor & { prototype: LanguageModel }
}
