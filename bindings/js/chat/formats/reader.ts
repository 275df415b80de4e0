// Reads a text that is still arriving. The result never depends on where the text was cut: each step yields until there is enough
// text to decide.

/** A step of a parser; it yields while it waits for more text. */
export type Step<Result = void> = Generator<void, Result>

/** The text ended inside a call. */
export class Unfinished extends Error {}

/** What began like a call is not one. */
export class Malformed extends Error {}

export class Reader {
  #text = ''
  #isEnded = false
  /** The position of the next character. */
  at = 0

  add(delta: string): void { this.#text += delta }
  end(): void { this.#isEnded = true }

  /** The text read since a position. */
  since(place: number): string { return this.#text.slice(place, this.at) }

  /** The next character; '' at the end. */
  *peek(): Step<string> {
    while (this.at >= this.#text.length && !this.#isEnded) yield
    return this.#text[this.at] ?? ''
  }

  /** Reads the next character of a call. Throws Unfinished at the end. */
  *next(): Step<string> {
    const character = yield* this.peek()
    if (character === '') throw new Unfinished()
    this.at++
    return character
  }

  /** Reads a text if it comes next. */
  *take(expected: string): Step<boolean> {
    for (;;) {
      const there = this.#text.slice(this.at, this.at + expected.length)
      if (!expected.startsWith(there) || (there.length < expected.length && this.#isEnded)) return false
      if (there.length === expected.length) {
        this.at += expected.length
        return true
      }
      yield
    }
  }

  *expect(expected: string): Step {
    if (yield* this.take(expected)) return
    if (this.at >= this.#text.length || expected.startsWith(this.#text.slice(this.at))) throw new Unfinished()
    throw new Malformed()
  }

  *space(): Step {
    while (/\s/.test(yield* this.peek())) this.at++
  }

  /** Passes on the text before the first of the markers, and reads that marker; returns '' at the end of the text. */
  *until(markers: readonly string[], hand: (text: string) => void = () => {}): Step<string> {
    for (;;) {
      let found = ''
      let place = this.#text.length
      for (const marker of markers) {
        const at = this.#text.indexOf(marker, this.at)
        // Of two markers at the same position, the longer one counts.
        if (at >= 0 && (at < place || (at === place && marker.length > found.length))) [place, found] = [at, marker]
      }
      // Waits if a marker may be arriving that begins earlier, or at the same position and is longer.
      const safe = this.#isEnded ? place : this.#beforePartial(markers, found === '' ? this.#text.length : place)
      if (safe > this.at) hand(this.#text.slice(this.at, safe))
      this.at = Math.max(this.at, safe)
      if (found !== '' && safe === place) {
        this.at = place + found.length
        return found
      }
      if (this.#isEnded) return ''
      yield
    }
  }

  /** The position before `limit` where the end of the text may be the start of a marker, or half a surrogate pair. */
  #beforePartial(markers: readonly string[], limit: number): number {
    let place = limit
    for (const marker of markers) {
      for (let length = Math.min(marker.length - 1, this.#text.length - this.at); length > 0; length--) {
        if (this.#text.length - length < place && this.#text.endsWith(marker.slice(0, length))) place = this.#text.length - length
      }
    }
    const isHalf = (this.#text.charCodeAt(this.#text.length - 1) & 0xfc00) === 0xd800
    return place === this.#text.length && isHalf ? Math.max(this.at, place - 1) : place
  }

  /** Reads a JSON value and passes on its text as it arrives. This does not check whether it is valid JSON. */
  *json(hand: (text: string) => void = () => {}): Step<string> {
    const start = this.at
    let handed = start
    let depth = 0
    let inString = false
    const flush = () => {
      if (this.at > handed) hand(this.#text.slice(handed, this.at))
      handed = this.at
    }
    for (;;) {
      if (this.at >= this.#text.length) flush()
      const character = yield* this.peek()
      if (character === '') {
        if (depth === 0 && !inString && this.at > start) break
        throw new Unfinished()
      }
      if (!inString && depth === 0 && /[\s,}\]<]/.test(character)) break
      this.at++
      if (inString) {
        if (character === '\\') {
          yield* this.peek()
          this.at++
        } else if (character === '"') inString = false
      } else if (character === '"') inString = true
      else if ('{['.includes(character)) depth++
      else if ('}]'.includes(character)) depth--
      else continue
      if (depth === 0 && !inString) break
    }
    flush()
    return this.since(start)
  }
}
