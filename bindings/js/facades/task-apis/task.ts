// The part that the classes of all tasks share: availability, creation, attributes, usage and destruction.
import { exception } from '../browser-ai/exceptions.js'
import { isKnown } from '../browser-ai/languages.js'
import { Lifetime } from '../browser-ai/lifetime.js'
import type { SharedModel } from '../browser-ai/shared-model.js'
import type { ModelClass } from '../browser-ai/types.js'
import { dictionary } from '../browser-ai/web-idl.js'
import { Asker } from './asker.js'
import { callOf, creationOf, type Given } from './options.js'
import type { Asked } from './sentences.js'
import type { TaskChatOptions } from './types.js'

/** The values that all tasks share. */
export interface Over {
  readonly shared: SharedModel
  readonly languages: readonly string[] | undefined
  readonly chat: TaskChatOptions
}

export interface Task<Settings> {
  readonly settings: Settings
  readonly asker: Asker
  readonly lifetime: Lifetime
}

export interface Kind<Settings extends object> {
  readonly name: string
  /** Reads the options of a creation. Throws a TypeError or a RangeError. */
  readonly read: (given: Given) => Settings
  readonly attributes: readonly (keyof Settings & string)[]
  /** The languages that the model has to know. */
  readonly languages: (settings: Settings) => readonly (string | null)[]
  /** Options of the answers: the caller's own options override `asks`, and `insists` overrides both. */
  readonly chat: (settings: Settings) => { readonly asks: TaskChatOptions; readonly insists?: TaskChatOptions }
  /** The fraction of the context that a prompt may take. */
  readonly share: number
  readonly ask: (settings: Settings, text: string, options: Given) => Asked
  /** The methods, which check their arguments. Methods that return promises reject instead of throwing. */
  readonly methods: Readonly<Record<string, (task: Task<Settings>, input: unknown, options: unknown) => unknown>>
}

export function taskOver<Settings extends object>({ shared, languages, chat }: Over, kind: Kind<Settings>): ModelClass {
  const { name, read, attributes, share, ask, methods } = kind
  /** Lets only this function construct objects. */
  const key = Symbol(name)

  const supports = (settings: Settings) => kind.languages(settings).every(tag => tag === null || isKnown(tag, languages))

  const Class = class {
    readonly #task: Task<Settings>

    constructor(secret: unknown, task: Task<Settings>) {
      if (secret !== key) throw new TypeError('Illegal constructor')
      this.#task = task
    }

    static {
      for (const attribute of attributes) {
        Object.defineProperty(this.prototype, attribute, {
          get: function (this: InstanceType<typeof Class>) {
            return this.#task.settings[attribute]
          },
          configurable: true,
          enumerable: true,
        })
      }
      for (const [method, run] of Object.entries(methods)) {
        Object.defineProperty(this.prototype, method, {
          value: function (this: InstanceType<typeof Class>, input: unknown, options?: unknown) {
            return run(this.#task, input, options)
          },
          configurable: true,
          enumerable: true,
          writable: true,
        })
      }
    }

    static async availability(options?: unknown) {
      return supports(read(dictionary(options))) ? shared.availability(chat.template) : 'unavailable'
    }

    static async create(options?: unknown) {
      const given = dictionary(options)
      const settings = read(given)
      const creation = creationOf(given)
      creation.signal?.throwIfAborted()
      if (!supports(settings)) throw exception('NotSupportedError', 'The model does not know one of these languages')
      const { asks, insists } = kind.chat(settings)
      const asker = await shared.open(creation, model => Asker.over(model, { ...asks, ...chat, ...insists }, share))
      return new Class(key, { settings, asker, lifetime: new Lifetime(shared, asker.model, creation) })
    }

    async measureInputUsage(input: unknown, options?: unknown): Promise<number> {
      const { settings, asker, lifetime } = this.#task
      const { text, given, signal } = callOf(input, options)
      const asked = ask(settings, text, given)
      return lifetime.run(signal, stop => asker.measure(asked, stop))
    }

    get inputQuota() {
      return this.#task.asker.quota
    }

    destroy(): undefined {
      this.#task.lifetime.end(exception('AbortError', 'It was destroyed'))
    }

    get [Symbol.toStringTag]() {
      return name
    }
  }
  return Object.defineProperty(Class, 'name', { value: name })
}
