// Converts values as Web IDL does, with TypeErrors that name the wrong value.

/** Whether a value is an object in the sense of Web IDL, which includes arrays. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
export const isSequence = (value: unknown): value is Iterable<unknown> => isObject(value) && Symbol.iterator in value

/** Converts a sequence in the sense of Web IDL to an array. */
export function sequence<Item>(what: string, value: unknown, convert: (item: unknown) => Item): Item[] {
  if (!isSequence(value)) throw new TypeError(`${what}: expected a sequence`)
  return Array.from(value, item => convert(item))
}

/** Checks that a value is one of these words. */
export function word<Word extends string>(what: string, value: unknown, words: readonly Word[]): Word {
  const given = `${value}`
  if (!words.includes(given as Word)) throw new TypeError(`${what}: "${given}" is not one of ${words.join(', ')}`)
  return given as Word
}

/** The members of a dictionary; undefined and null have none. */
export function dictionary(value: unknown): Record<string, unknown> {
  if (value != null && typeof value !== 'function' && !isObject(value)) throw new TypeError('options: expected an object')
  return (value ?? {}) as Record<string, unknown>
}
