// Converts values as Web IDL does, with TypeErrors that name what is wrong.

/** What Web IDL calls an object: an array is one. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
export const isSequence = (value: unknown): value is Iterable<unknown> => isObject(value) && Symbol.iterator in value

/** Converts what Web IDL calls a sequence to an array. */
export function sequence<Item>(what: string, value: unknown, convert: (item: unknown) => Item): Item[] {
  if (!isSequence(value)) throw new TypeError(`${what}: expected a sequence`)
  return Array.from(value, item => convert(item))
}

/** Checks that a value is one of some words. */
export function word<Word extends string>(what: string, value: unknown, words: readonly Word[]): Word {
  const given = `${value}`
  if (!words.includes(given as Word)) throw new TypeError(`${what}: "${given}" is not one of ${words.join(', ')}`)
  return given as Word
}

/** The members of a dictionary; none for undefined and null. */
export function dictionary(value: unknown): Record<string, unknown> {
  if (value != null && typeof value !== 'function' && !isObject(value)) throw new TypeError('options: expected an object')
  return (value ?? {}) as Record<string, unknown>
}
