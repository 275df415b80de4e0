// Records that a page had not written when it was left. The browser does not wait for its database then, so they are stored
// synchronously, and the next page writes them.
import { parsed } from '../conversation/file.js'

const prefix = 'heed-left '

/** Stores a value that JSON can express; anything else, and what does not fit, is left out. */
export function leave(name: string, value: unknown): void {
  try {
    const text = JSON.stringify(value, (_, part: unknown) => {
      if (ArrayBuffer.isView(part)) throw new TypeError('not JSON')
      return part
    })
    localStorage.setItem(prefix + name, text)
  } catch {} // what is under way may still be written
}

function namesOf(beginning: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter(key => key.startsWith(prefix + beginning))
      .map(key => key.slice(prefix.length))
  } catch {
    return []
  }
}

/** The names and values whose names begin with `kind`. */
export function leftovers(kind: string): [name: string, value: unknown][] {
  return namesOf(`${kind} `).map(name => {
    try {
      return [name, parsed(localStorage.getItem(prefix + name) ?? '')]
    } catch {
      return [name, undefined]
    }
  })
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(prefix + name)
  } catch {}
}

export function forgetAll(): void {
  for (const name of namesOf('')) forget(name)
}
