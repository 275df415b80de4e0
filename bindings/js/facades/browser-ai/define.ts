// A class beside the browser's own: each call asks that one whether it is available, which depends on the options and may change.
import { dictionary } from './web-idl.js'
import type { ModelClass } from './types.js'

/** What `availability` takes of the options of `create`. */
const core = (options?: object) => {
  const { signal: _, monitor: __, initialPrompts: ___, sharedContext: ____, ...rest } = dictionary(options)
  return rest
}

/** A class whose objects are those of `own` where that is available, and of `ours` elsewhere. */
export function besides<Class extends ModelClass>(name: string, own: Class, ours: Class): Class {
  /** A browser that cannot say is one that has no model. */
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
 * Defines a class on `target`, and returns it. Where there is another one, as in a browser, that one answers what it is available for, or
 * with `replace` nothing. What was defined here before stays, unless `replace` is true.
 */
export function define<Class extends ModelClass>(target: object, name: string, replace: boolean, ours: () => Class): Class {
  const own = (target as Record<string, Class | undefined>)[name]
  if (own && installed.has(own) && !replace) return own
  const value = own && !replace ? besides(name, own, ours()) : ours()
  installed.add(value)
  Object.defineProperty(target, name, { value, configurable: true, enumerable: false, writable: true })
  return value
}
