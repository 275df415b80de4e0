// The part of a browser that the store's script (dist/heed-store.js) uses, in Node: an origin private file system in memory, whose
// handles fail as those of Chromium's private windows do: they return the number of the error instead of throwing it.
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { inRoot } from '../../tools/paths.mjs'

/** base::File::Error as `write` and `read` return it: 32 bits without a sign. */
export const numberOf = { noSpace: 2 ** 32 - 8, notFound: 2 ** 32 - 4, io: 2 ** 32 - 16 }

const missing = () => {
  throw new DOMException('there is no such file', 'NotFoundError')
}

/** Exclusive Web Locks of one thread, for versions of Node that have none. */
function simpleLocks() {
  const held = new Map()
  return {
    async request(name, { ifAvailable = false, signal }, use) {
      if (ifAvailable && held.has(name)) return use(null)
      const turn = Promise.resolve(held.get(name)).then(() => {
        signal?.throwIfAborted()
        return use({ name, mode: 'exclusive' })
      })
      const ended = turn
        .catch(() => {})
        .then(() => {
          if (held.get(name) === ended) held.delete(name)
        })
      held.set(name, ended)
      return turn
    },
  }
}

/**
 * Defines the globals. Resolves to the store's interface and its files: {store, files, fail}. `fail(call, from, how)` lets the calls
 * `read`, `write` or `truncate` fail that reach beyond the byte `from` of a model's file: `how` is a number that is returned, 'short' for a
 * write of half, 'nothing' for a truncation that does nothing, or an error that is thrown, as in other windows. Without arguments, all work.
 */
export function privateStore() {
  const files = new Map()
  let failing
  const failure = (name, call, end) =>
    failing?.call === call && name.endsWith('.gguf') && end > failing.from ? failing.how : undefined
  const thrown = how => {
    if (how instanceof Error) throw how
  }

  const accessOf = name => {
    const bytes = () => files.get(name) ?? Buffer.alloc(0)
    return {
      getSize: () => bytes().length,
      read(place, { at }) {
        const how = failure(name, 'read', at + place.length)
        thrown(how)
        return how ?? bytes().copy(place, 0, at)
      },
      write(from, { at }) {
        const how = failure(name, 'write', at + from.length)
        thrown(how)
        if (typeof how === 'number') return how
        const count = how === 'short' ? from.length >> 1 : from.length
        const grown = Buffer.alloc(Math.max(bytes().length, at + count))
        bytes().copy(grown)
        grown.set(from.subarray(0, count), at)
        files.set(name, grown)
        return count
      },
      truncate(size) {
        const how = failure(name, 'truncate', size)
        thrown(how)
        if (how === undefined) files.set(name, Buffer.concat([bytes()], size))
      },
      flush() {},
      close() {},
    }
  }
  const directory = {
    async getFileHandle(name, { create = false } = {}) {
      if (!files.has(name)) create ? files.set(name, Buffer.alloc(0)) : missing()
      return {
        name,
        kind: 'file',
        getFile: async () => (files.has(name) ? new File([files.get(name)], name) : missing()),
        createSyncAccessHandle: async () => accessOf(name),
      }
    },
    async *values() {
      for (const name of [...files.keys()]) yield { name, kind: 'file' }
    },
    async removeEntry(name) {
      files.delete(name) || missing()
    },
  }
  globalThis.FileSystemFileHandle = { prototype: { createSyncAccessHandle() {} } }
  const navigator = (globalThis.navigator ??= {})
  navigator.locks ??= simpleLocks()
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      getDirectory: async () => ({ getDirectoryHandle: async () => directory }),
      estimate: async () => ({}),
      persisted: async () => false,
    },
  })
  runInThisContext(readFileSync(inRoot('dist/heed-store.js'), 'utf8'))
  const { heedStore: store } = globalThis
  return {
    store,
    files,
    fail(call, from, how) {
      failing = call && { call, from, how }
    },
  }
}
