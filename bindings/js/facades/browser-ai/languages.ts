// Language tags, as the specifications have them (BCP 47).
import { sequence } from './web-idl.js'

/** The canonical forms of a sequence of tags, each once. Throws a RangeError for one that is invalid. */
export const tagsOf = (what: string, value: unknown): string[] =>
  value === undefined ? [] : Intl.getCanonicalLocales(sequence(what, value, tag => `${tag}`))

/** Whether a tag is one of the languages that a model supports, or a variety of one; without a list, it supports all. */
export const isKnown = (tag: string, languages: readonly string[] | undefined): boolean =>
  !languages || languages.some(known => tag === known || tag.startsWith(`${known}-`))
