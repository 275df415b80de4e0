// A LanguageModel beside the browser's own: each call asks that one whether it is available, which depends on the options and may change.
import type { LanguageModelConstructor } from './types.js'

type CreateOptions = Parameters<LanguageModelConstructor['create']>[0]

/** What `availability` takes of the options of `create`. */
const core = ({ signal: _, monitor: __, initialPrompts: ___, ...options }: NonNullable<CreateOptions> = {}) => options

/** A class of sessions of `own` where that is available, and of `ours` elsewhere. */
export function besides(own: LanguageModelConstructor, ours: LanguageModelConstructor): LanguageModelConstructor {
  /** A browser that cannot say is one that has no model. */
  const chosen = async (options: NonNullable<CreateOptions>) => {
    try {
      return (await own.availability(options)) === 'unavailable' ? ours : own
    } catch {
      return ours
    }
  }
  return class LanguageModel extends (ours as unknown as new () => object) {
    static async availability(options: CreateOptions = {}) {
      return (await chosen(options)).availability(options)
    }

    static async create(options: CreateOptions = {}) {
      return (await chosen(core(options))).create(options)
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof (own as never) || value instanceof (ours as never)
    }
  } as unknown as LanguageModelConstructor
}
