// Reads a text that is still arriving. The result does not depend on how the text was split, because parsers yield until there is
// enough text to decide.

/** A part of a parser; it yields while it waits for more text. */
export type Parsing<Result = void> = Generator<void, Result>

/** The text ended inside a call. */
export class Unfinished extends Error {}

/** A text that began like a call is not one. */
export class Malformed extends Error {}

/** The next marker, as far as the text has been searched. */
interface Search {
  /** No marker begins in [from, to). */
  readonly from: number
  readonly to: number
  /** Whether a marker begins at `to`. */
  readonly isThere: boolean
}

/** Reads a text that arrives in parts, in time linear in its length, however many parts there are. */
export class Reader {
  #ahead = '' // the text that was unread when the last part arrived, and that part
  #start = 0 // the position of the first character of #ahead
  #at = 0
  readonly #behind: string[] = [] // the text before #ahead, in pieces, because it is rarely needed again
  readonly #searches = new Map<string, Search>()
  #isEnded = false
  /**
   * The markers that begin with a control token of the vocabulary, each with that token's text. The same text in ordinary tokens is
   * not a marker.
   */
  readonly #controls: ReadonlyMap<string, string>
  /** The positions at which a control token of #controls begins. */
  readonly #places = new Set<number>()
  /** Control tokens whose text has not arrived completely, and the end of the text so far. */
  #awaited: string[] = []
  #tail = ''

  constructor(controls: ReadonlyMap<string, string> = new Map()) {
    this.#controls = controls
  }

  /** `control`: the text of the control token that the part belongs to; its end may come with the next part. */
  add(delta: string, control?: string): void {
    if (this.#controls.size > 0) this.#mark(delta, control)
    const read = this.#ahead.slice(0, this.#at - this.#start)
    if (read !== '') this.#behind.push(read)
    this.#start += read.length
    this.#ahead = this.#ahead.slice(read.length) + delta
  }
  end(): void {
    this.#isEnded = true
  }

  #mark(delta: string, control?: string): void {
    const seen = this.#tail + delta
    this.#tail = seen.slice(-64)
    if (control !== undefined) this.#awaited.push(control)
    this.#awaited = this.#awaited.filter(text => {
      const at = seen.lastIndexOf(text)
      const isHere = at >= 0 && at + text.length > seen.length - delta.length
      if (isHere) this.#places.add(this.#end + delta.length - seen.length + at)
      return !isHere
    })
  }

  /** Whether a marker begins with a control token of the vocabulary, so that ordinary text cannot form it. */
  isControl(marker: string): boolean {
    return this.#controls.has(marker)
  }

  /** The position of the next character. */
  get at(): number {
    return this.#at
  }
  set at(place: number) {
    while (place < this.#start) {
      const piece = this.#behind.pop()!
      this.#ahead = piece + this.#ahead
      this.#start -= piece.length
    }
    this.#at = place
  }

  /** The text read since a position. */
  since(place: number): string {
    let text = this.#ahead.slice(Math.max(0, place - this.#start), this.#at - this.#start)
    let start = this.#start
    for (let i = this.#behind.length - 1; start > place; i--) {
      const piece = this.#behind[i]!
      start -= piece.length
      text = piece.slice(Math.max(0, place - start)) + text
    }
    return text
  }

  /** The end of the text so far. */
  get #end(): number {
    return this.#start + this.#ahead.length
  }

  /** The text between two positions, which was unread when the last part arrived. */
  #slice(from: number, to?: number): string {
    return this.#ahead.slice(from - this.#start, to === undefined ? undefined : to - this.#start)
  }

  /** The position of a marker in the unread text; -1 if it has not arrived. */
  #find(marker: string): number {
    const last = this.#searches.get(marker)
    const isUseful = last !== undefined && last.from <= this.#at
    if (isUseful && last.isThere && last.to >= this.#at) return last.to
    const from = isUseful ? Math.max(this.#at, last.to) : this.#at
    let index = this.#ahead.indexOf(marker, from - this.#start)
    while (index >= 0 && this.#isSpelled(marker, this.#start + index)) index = this.#ahead.indexOf(marker, index + 1)
    const to = index < 0 ? Math.max(from, this.#end - marker.length + 1) : this.#start + index
    this.#searches.set(marker, { from: this.#at, to, isThere: index >= 0 })
    return index < 0 ? -1 : to
  }

  #isSpelled(marker: string, place: number): boolean {
    return this.#controls.has(marker) && !this.#places.has(place)
  }

  /** The next character; '' at the end. */
  *peek(): Parsing<string> {
    while (this.at >= this.#end && !this.#isEnded) yield
    return this.#ahead[this.at - this.#start] ?? ''
  }

  /** Reads the next character of a call. Throws Unfinished at the end. */
  *next(): Parsing<string> {
    const character = yield* this.peek()
    if (character === '') throw new Unfinished()
    this.at++
    return character
  }

  /** Reads a text if it comes next. */
  *take(expected: string): Parsing<boolean> {
    for (;;) {
      const there = this.#slice(this.at, this.at + expected.length)
      if (!expected.startsWith(there) || (there.length < expected.length && this.#isEnded)) return false
      if (there.length === expected.length) {
        if (this.#isSpelled(expected, this.at)) return false
        this.at += expected.length
        return true
      }
      yield
    }
  }

  *expect(expected: string): Parsing {
    if (yield* this.take(expected)) return
    if (expected.startsWith(this.#slice(this.at, this.at + expected.length))) throw new Unfinished()
    throw new Malformed()
  }

  *space(): Parsing {
    while (/\s/.test(yield* this.peek())) this.at++
  }

  /** Passes on the text before the first of the markers, and reads that marker; returns '' at the end of the text. */
  *until(markers: readonly string[], hand: (text: string) => void = () => {}): Parsing<string> {
    for (;;) {
      let found = ''
      let place = this.#end
      for (const marker of markers) {
        const at = this.#find(marker)
        // Of two markers at the same position, the longer one counts.
        if (at >= 0 && (at < place || (at === place && marker.length > found.length))) [place, found] = [at, marker]
      }
      // Waits if a marker may be arriving that begins earlier, or at the same position and is longer.
      const safe = this.#isEnded ? place : this.#beforePartial(markers, place)
      if (safe > this.at) hand(this.#slice(this.at, safe))
      this.at = Math.max(this.at, safe)
      const mayGrow = (marker: string) =>
        marker.length > found.length && marker.startsWith(this.#slice(place, place + marker.length))
      if (found !== '' && safe === place && (this.#isEnded || !markers.some(mayGrow))) {
        this.at = place + found.length
        return found
      }
      if (this.#isEnded) return ''
      yield
    }
  }

  /** The position before `limit` where the end of the text may be the start of a marker, or half a surrogate pair. */
  #beforePartial(markers: readonly string[], limit: number): number {
    const end = this.#end
    let place = limit
    for (const marker of markers) {
      for (let length = Math.min(marker.length - 1, end - this.at); length > 0; length--) {
        if (end - length < place && this.#ahead.endsWith(marker.slice(0, length))) place = end - length
      }
    }
    const isHalf = (this.#ahead.charCodeAt(this.#ahead.length - 1) & 0xfc00) === 0xd800
    return place === end && isHalf ? Math.max(this.at, place - 1) : place
  }

  /** Reads a JSON value and passes on its text as it arrives. This does not check whether it is valid JSON. */
  *json(hand: (text: string) => void = () => {}): Parsing<string> {
    const start = this.at
    let handed = start
    let depth = 0
    let inString = false
    const flush = () => {
      if (this.at > handed) hand(this.since(handed))
      handed = this.at
    }
    for (;;) {
      if (this.at >= this.#end) flush()
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
