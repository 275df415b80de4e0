// Defines a class next to the browser's own. Each call first asks the browser's class whether it is available for these options.
import { dictionary } from './web-idl.js'
import type { ModelClass } from './types.js'

/** The options of `create` that `availability` takes. */
const core = (options?: object) => {
  const { signal: _, monitor: __, initialPrompts: ___, sharedContext: ____, ...rest } = dictionary(options)
  return rest
}

/** A class that creates objects of `own` where it is available, and of `ours` otherwise. */
export function besides<Class extends ModelClass>(name: string, own: Class, ours: Class): Class {
  /** If the browser's class throws, ours is used. */
  const chosen = async (options?: object) => {
    try {
      return (await own.availability(options)) === 'unavailable' ? ours : own
    } catch {
      return ours
    }
  }
  const both = class extends (ours as unknown as new () => object) {
    static async availability(options?: object) {
      return (await chosen(options)).availability(options)
    }

    static async create(options?: object) {
      return (await chosen(core(options))).create(options)
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof (own as never) || value instanceof (ours as never)
    }
  }
  return Object.defineProperty(both, 'name', { value: name }) as unknown as Class
}

const installed = new WeakSet<ModelClass>()

/**
 * Defines a class on `target`, and returns it. An existing class, such as the browser's, is still used for the options that it
 * supports, unless `replace` is true. A class that was defined here before stays, unless `replace` is true.
 */
export function define<Class extends ModelClass>(target: object, name: string, replace: boolean, ours: () => Class): Class {
  const own = (target as Record<string, Class | undefined>)[name]
  if (own && installed.has(own) && !replace) return own
  const value = own && !replace ? besides(name, own, ours()) : ours()
  installed.add(value)
  Object.defineProperty(target, name, { value, configurable: true, enumerable: false, writable: true })
  return value
}
