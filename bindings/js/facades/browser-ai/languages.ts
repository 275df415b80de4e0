// Language tags (BCP 47), as the specifications require them.
import { sequence } from './web-idl.js'

/** The canonical forms of a sequence of tags, without duplicates. Throws a RangeError for an invalid tag. */
export const tagsOf = (what: string, value: unknown): string[] =>
  value === undefined ? [] : Intl.getCanonicalLocales(sequence(what, value, tag => `${tag}`))

/** Whether a tag is one of the languages that a model supports, or a variety of one. Without a list, all are supported. */
export const isKnown = (tag: string, languages: readonly string[] | undefined): boolean =>
  !languages || languages.some(known => tag === known || tag.startsWith(`${known}-`))
