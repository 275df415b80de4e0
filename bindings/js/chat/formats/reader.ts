// Reads a text that is still arriving. What it does never depends on where the pieces were cut: each step waits until there is
// enough to decide, by yielding.

/** A step of a parser; it yields while it waits for more. */
export type Step<Result = void> = Generator<void, Result>

/** The text ended inside a call. */
export class Unfinished extends Error {}

/** What began like a call is none. */
export class Malformed extends Error {}

export class Reader {
  private text = ''
  private isEnded = false
  /** Of the next character. */
  at = 0

  add(delta: string): void { this.text += delta }
  end(): void { this.isEnded = true }

  /** What was read since a place. */
  since(place: number): string { return this.text.slice(place, this.at) }

  /** The next character; nothing at the end. */
  *peek(): Step<string> {
    while (this.at >= this.text.length && !this.isEnded) yield
    return this.text[this.at] ?? ''
  }

  /** The next character, of a call. */
  *next(): Step<string> {
    const character = yield* this.peek()
    if (character === '') throw new Unfinished()
    this.at++
    return character
  }

  /** Reads a text if it is what comes next. */
  *take(expected: string): Step<boolean> {
    for (;;) {
      const there = this.text.slice(this.at, this.at + expected.length)
      if (!expected.startsWith(there) || (there.length < expected.length && this.isEnded)) return false
      if (there.length === expected.length) {
        this.at += expected.length
        return true
      }
      yield
    }
  }

  *expect(expected: string): Step {
    if (yield* this.take(expected)) return
    if (this.at >= this.text.length || expected.startsWith(this.text.slice(this.at))) throw new Unfinished()
    throw new Malformed()
  }

  *space(): Step {
    while (/\s/.test(yield* this.peek())) this.at++
  }

  /** Hands on the text before the first of some markers, and reads that marker; '' at the end of the text. */
  *until(markers: readonly string[], hand: (text: string) => void = () => {}): Step<string> {
    for (;;) {
      let found = ''
      let place = this.text.length
      for (const marker of markers) {
        const at = this.text.indexOf(marker, this.at)
        // Of two that begin at one place the longer is meant.
        if (at >= 0 && (at < place || (at === place && marker.length > found.length))) [place, found] = [at, marker]
      }
      // A marker that may be arriving, before it or where a longer one begins, is waited for.
      const safe = this.isEnded ? place : this.beforePartial(markers, found === '' ? this.text.length : place)
      if (safe > this.at) hand(this.text.slice(this.at, safe))
      this.at = Math.max(this.at, safe)
      if (found !== '' && safe === place) {
        this.at = place + found.length
        return found
      }
      if (this.isEnded) return ''
      yield
    }
  }

  /** The place before `limit` where the text's end may be the beginning of a marker, or half a character. */
  private beforePartial(markers: readonly string[], limit: number): number {
    let place = limit
    for (const marker of markers) {
      for (let length = Math.min(marker.length - 1, this.text.length - this.at); length > 0; length--) {
        if (this.text.length - length < place && this.text.endsWith(marker.slice(0, length))) place = this.text.length - length
      }
    }
    return place === this.text.length && /[\ud800-\udbff]$/.test(this.text) ? Math.max(this.at, place - 1) : place
  }

  /** Reads a JSON value and hands on its text as it comes; whether it is valid JSON, its reader will see. */
  *json(hand: (text: string) => void = () => {}): Step<string> {
    const start = this.at
    let handed = start
    let depth = 0
    let inString = false
    const flush = () => {
      if (this.at > handed) hand(this.text.slice(handed, this.at))
      handed = this.at
    }
    for (;;) {
      if (this.at >= this.text.length) flush()
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
