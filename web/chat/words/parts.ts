// The parts of turns that are shown as they were written, and their places among the model's tokens.
import type { PassageToken, Span } from 'heed/viewer'

/** An element of a bubble, and the text that it shows, as it was written. */
export interface Part {
  readonly element: HTMLElement
  readonly raw: string
}

/** A part in a passage: its first character is the character `start` of the passage's text. */
export interface Placed extends Part {
  readonly start: number
}

/** The text of tokens, and the characters that belong to each token. */
export class TokenText {
  readonly text: string
  /** The start of each token, and finally the end of the text. */
  readonly #starts: number[] = []

  constructor(tokens: readonly PassageToken[]) {
    let text = ''
    for (const token of tokens) {
      this.#starts.push(text.length)
      if (!token.part || token.part.index === 0) text += token.text // each token of a character has the whole character as its text
    }
    this.text = text
    this.#starts.push(text.length)
  }

  /** The start of a token. */
  startOf(token: number): number {
    return this.#starts[token] ?? this.text.length
  }

  /** The tokens that contain part of these characters. */
  spanOf(from: number, to: number): Span {
    let first = 0
    let last = this.#starts.length - 1
    while (last - first > 1) {
      const middle = (first + last) >> 1
      if (this.#starts[middle]! <= from) first = middle
      else last = middle
    }
    let end = first + 1
    while (end < this.#starts.length - 1 && this.#starts[end]! < to) end++
    return { from: first, to: end }
  }
}

/** Finds parts in a text, one after the other. Parts that a template has left out or changed are not found. */
export function place(parts: readonly Part[], { text }: TokenText): Placed[] {
  let at = 0
  return parts.flatMap(part => {
    const trimmed = part.raw.trim()
    const found = trimmed === '' ? -1 : text.indexOf(trimmed, at)
    if (found < 0) return []
    at = found + trimmed.length
    return [{ ...part, start: found - part.raw.indexOf(trimmed) }]
  })
}
