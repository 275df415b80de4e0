// Checks the options of a task as its specification requires.
import { tagsOf } from '../browser-ai/languages.js'
import type { CreateOptions } from '../browser-ai/types.js'
import { dictionary, isObject, word } from '../browser-ai/web-idl.js'
import type { Told } from './sentences.js'

export type Given = Readonly<Record<string, unknown>>

/** The values of an option; the first is its default. */
export type Choices = Readonly<Record<string, readonly [string, ...string[]]>>

export const chosen = <Of extends Choices>(choices: Of, given: Given) =>
  Object.fromEntries(
    Object.entries(choices).map(([name, words]) => [name, given[name] === undefined ? words[0] : word(name, given[name], words)]),
  ) as { readonly [Name in keyof Of]: Of[Name][number] }

const tagOf = (value: unknown): string => Intl.getCanonicalLocales(`${value}`)[0]!
const textOf = (value: unknown): string => (value === undefined ? '' : `${value}`)

/** A frozen array, as attributes of the platform are. */
export function expected(name: string, given: Given): readonly string[] | null {
  const tags = tagsOf(name, given[name])
  return tags.length > 0 ? Object.freeze(tags) : null
}

export const toldOf = (given: Given): Told => ({
  sharedContext: textOf(given.sharedContext),
  expectedInputLanguages: expected('expectedInputLanguages', given),
  expectedContextLanguages: expected('expectedContextLanguages', given),
  outputLanguage: given.outputLanguage === undefined ? null : tagOf(given.outputLanguage),
})

export function required(name: string, given: Given): string {
  if (given[name] === undefined) throw new TypeError(`${name}: expected a language`)
  return tagOf(given[name])
}

export const contextOf = ({ context }: Given): string => textOf(context)

function signalOf({ signal }: Given): AbortSignal | undefined {
  if (signal !== undefined && !(isObject(signal) && typeof signal.aborted === 'boolean'))
    throw new TypeError('signal: expected an AbortSignal')
  return signal as AbortSignal | undefined
}

/** Reads the options that every `create()` takes: `signal` and `monitor`. */
export function creationOf(given: Given): CreateOptions {
  const { monitor } = given
  if (monitor !== undefined && typeof monitor !== 'function') throw new TypeError('monitor: expected a function')
  return { signal: signalOf(given), monitor: monitor as CreateOptions['monitor'] }
}

/** The arguments of a method. */
export function callOf(input: unknown, options: unknown) {
  const given = dictionary(options)
  return { text: `${input}`, given, signal: signalOf(given) }
}
