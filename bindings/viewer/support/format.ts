// Formats numbers and tokens for display.
import type { CharacterPart } from 'heed'

export const percent = (share: number): string => {
  const shown = share * 100
  if (shown > 0 && shown < 0.1) return '< 0.1 %'
  return `${shown.toFixed(shown < 99.95 ? 1 : 0)} %`
}

/** A number with three significant digits; an integer in full. */
export function decimal(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  const text =
    size >= 1e5 || size < 1e-3
      ? size.toExponential(2)
      : size >= 100 || Number.isInteger(size)
        ? size.toFixed(0)
        : size.toPrecision(3)
  return value < 0 ? `\u2212${text}` : text
}

/** Characters that change the direction of the following text (UAX #9, 2.1 to 2.3). */
export const turning = /[\u202a-\u202e\u2066-\u2069]/
const shownByNumber = new RegExp(`[\u2028\u2029]|${turning.source}`, 'g')

/** A text in which whitespace and direction controls are made visible. */
export function visible(text: string): string {
  if (/^ +$/.test(text)) return '␣'.repeat(text.length)
  if (/^\uFFFD+$/.test(text)) return '(part of a character)'
  return (
    text
      .replace(shownByNumber, one => `U+${one.charCodeAt(0).toString(16).toUpperCase()}`)
      .replace(/\n/g, '↵')
      .replace(/\t/g, '⇥')
      .trim() || '(no text)'
  )
}

/** A name for empty or whitespace-only text, for screen readers; null for any other text. */
export function spoken(text: string): string | null {
  if (text.trim() !== '') return null
  if (text === '') return 'no text'
  return text.includes('\n') ? 'line break' : 'space'
}

/** The part of a character that a token is, such as 1/4. */
export const fraction = ({ index, count }: CharacterPart) => `${index + 1}/${count}`

/** A token's name: its text and, if it is part of a character, which part. */
export const nameOf = ({ id, text, part, place = partOfPicture }: Named) =>
  id < 0 ? place : part ? `${visible(text)} ${fraction(part)}` : visible(text)

export const quoted = ({ id, text, part, place = partOfPicture }: Named) =>
  id < 0 ? `the ${place}` : part ? `“${visible(text)}” ${fraction(part)}` : `“${visible(text)}”`

/** The name of an image token whose place in the image is unknown. */
export const partOfPicture = 'part of a picture'

/** The properties that determine a token's name; ids below 0 belong to images and sounds. */
interface Named {
  readonly id: number
  readonly text: string
  readonly part?: CharacterPart
  readonly place?: string
}
