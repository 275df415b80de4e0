// Text that records for each character whether it comes from the template or from data. Only the template's own text may become
// control tokens, so every operation on strings preserves the marks. Each operation charges the budget of the render.
import { copy, make, read, search } from './budget.js'

/**
 * A string with marks: the UTF-16 offsets at which the origin of its characters changes, starting with the template. [] is all
 * template, [0] all data, [3, 5] has data at 3 and 4. Templates see lengths and positions in code points, as in Python.
 */
export class Text {
  #points: number[] | undefined

  constructor(
    readonly value: string,
    readonly marks: readonly number[] = [],
  ) {}

  static readonly empty = new Text('')
  static data(value: string): Text {
    return value === '' ? Text.empty : new Text(value, [0])
  }

  static join(texts: readonly Text[], between: Text = Text.empty): Text {
    const gaps = Math.max(0, texts.length - 1)
    let cost = gaps * between.#cost
    for (const text of texts) cost += text.#cost
    copy(cost)
    const values: string[] = []
    const marks: number[] = []
    let length = 0
    const add = ({ value, marks: added }: Text) => {
      if (value === '') return
      const inData = marks.length % 2 === 1
      let first = 0
      if (inData && added[0] === 0)
        first = 1 // data continues
      else if (inData) marks.push(length) // data ends here
      for (let at = first; at < added.length; at++) marks.push(length + added[at]!)
      values.push(value)
      length += value.length
    }
    for (let at = 0; at < texts.length; at++) {
      if (at > 0) add(between)
      add(texts[at]!)
    }
    return new Text(values.join(''), marks)
  }

  /** The cost of copying, in characters: a mark takes the time and memory of four characters, and each text one step. */
  get #cost(): number {
    return this.value.length + 4 * this.marks.length + 16
  }

  /** Runs of characters of the same origin, in order. */
  get runs(): { value: string; data: boolean }[] {
    make(this.marks.length)
    const runs = []
    for (let at = 0; at <= this.marks.length; at++) {
      const from = at === 0 ? 0 : this.marks[at - 1]!
      const to = this.marks[at] ?? this.value.length
      if (to > from) runs.push({ value: this.value.slice(from, to), data: at % 2 === 1 })
    }
    return runs
  }

  get hasData(): boolean {
    return this.marks.length > 0
  }

  /** Cuts at UTF-16 offsets. */
  cut(from: number, to = this.value.length): Text {
    make(1)
    if (from >= to) return Text.empty
    if (this.marks.length === 0) return new Text(this.value.slice(from, to))
    const [first, end] = [this.#marksUpTo(from), this.#marksUpTo(to - 1)]
    copy(4 * (end - first))
    const marks = first % 2 === 1 ? [0] : []
    for (let at = first; at < end; at++) marks.push(this.marks[at]! - from)
    return new Text(this.value.slice(from, to), marks)
  }

  /**
   * The number of marks up to this offset, inclusive. A binary search, because a text may have many marks and be cut many times.
   */
  #marksUpTo(offset: number): number {
    let [low, high] = [0, this.marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.marks[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Changes each run separately, for changes that look at single characters, such as case or escapes. `growth`: the most characters
   * that may replace one.
   */
  mapRuns(change: (value: string) => string, growth = 1): Text {
    copy(growth * this.value.length)
    if (this.marks.length === 0 || (this.marks.length === 1 && this.marks[0] === 0)) return new Text(change(this.value), this.marks)
    return Text.join(this.runs.map(({ value, data }) => new Text(change(value), data ? [0] : [])))
  }

  /** Changes the text as a whole, looking at neighbors: if its length changes and any character is data, all become data. */
  mapWhole(change: (value: string) => string): Text {
    copy(this.value.length)
    const value = change(this.value)
    return this.hasData && value.length !== this.value.length ? Text.data(value) : new Text(value, this.marks)
  }

  /** The UTF-16 offsets of the code points, if there are surrogate pairs. */
  get #offsets(): number[] | undefined {
    if (this.#points === undefined) {
      this.#points = []
      read(this.value.length)
      if (/[\ud800-\udbff]/.test(this.value)) {
        copy(4 * this.value.length)
        let offset = 0
        for (const character of this.value) {
          this.#points.push(offset)
          offset += character.length
        }
      }
    }
    return this.#points.length > 0 ? this.#points : undefined
  }

  /** The length in code points. */
  get length(): number {
    return this.#offsets?.length ?? this.value.length
  }

  /** The UTF-16 offset of a code point's position. */
  offset(point: number): number {
    return this.#offsets === undefined ? point : (this.#offsets[point] ?? this.value.length)
  }

  /** The position of the code point at a UTF-16 offset. */
  point(offset: number): number {
    if (this.#offsets === undefined) return offset
    read(this.#offsets.length)
    const found = this.#offsets.indexOf(offset)
    return found < 0 ? this.#offsets.length : found
  }

  /** Cuts at positions of code points. */
  slice(from: number, to = this.length): Text {
    return this.cut(this.offset(from), this.offset(to))
  }

  get characters(): Text[] {
    return Array.from({ length: this.length }, (_, at) => this.slice(at, at + 1))
  }

  /** Removes white space, like Python's `strip`, or any of the given characters. */
  trim(characters?: string, start = true, end = true): Text {
    const { value } = this
    read(value.length + (characters?.length ?? 0))
    const outside = characters === undefined ? undefined : new Set(characters)
    const isOutside = (character: string) => (outside ? outside.has(character) : isSpace(character))
    let from = 0
    let to = value.length
    while (start && from < to) {
      const character = String.fromCodePoint(value.codePointAt(from)!)
      if (!isOutside(character)) break
      from += character.length
    }
    while (end && to > from) {
      const last = value.slice(to - 2, to)
      const character = last.length === 2 && last.codePointAt(0)! > 0xffff && to - 2 >= from ? last : value[to - 1]!
      if (!isOutside(character)) break
      to -= character.length
    }
    return this.cut(from, to)
  }

  /** Splits at `separator`, at most `most` times. */
  split(separator: string, most = Infinity): Text[] {
    search(this.value.length, separator.length)
    const pieces = []
    let from = 0
    for (let found; pieces.length < most && (found = this.value.indexOf(separator, from)) >= 0; from = found + separator.length) {
      pieces.push(this.cut(from, found))
    }
    pieces.push(this.cut(from))
    return pieces
  }

  /** Text that replaces data is data, because the data determines its position. */
  replace(old: string, by: Text, most = Infinity): Text {
    if (old !== '') {
      let at = 0
      return Text.join(
        this.split(old, most).flatMap((piece, index) => {
          if (index === 0) return (at = piece.value.length), piece
          const found = this.cut(at, (at += old.length))
          at += piece.value.length
          return [found.hasData ? Text.data(by.value) : by, piece]
        }),
      )
    }
    const { characters } = this
    const pieces = characters.map((character, at) => (at < most ? Text.join([by, character]) : character))
    return Text.join(characters.length < most ? [...pieces, by] : pieces)
  }
}

/** Python's `str.isspace`: includes the ASCII separators, but not U+FEFF. */
export const isSpace = (character: string): boolean => /^[\s\x1c-\x1f\x85]$/.test(character) && character !== '\ufeff'

/** A text that repeats a character. */
export function fill(character: string, count: number): Text {
  const length = Math.max(0, count)
  copy(length)
  return new Text(character.repeat(length))
}
