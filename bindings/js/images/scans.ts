// The scans of JPEG files (ITU-T T.81, annexes F and G): Huffman codes to coefficients and, for sequential images, directly to
// samples.
import type { Component, Frame } from './frame.js'
import { unsound } from './limits.js'
import { zigzag, toSamples } from './transform.js'

/** A Huffman code: codes of up to 9 bits are looked up, longer ones found by their length. */
export interface HuffmanCode {
  /** For each value of the next 9 bits: the length of the code that they begin with, and its symbol; 0 for a longer code. */
  readonly short: Uint16Array
  /** For each length: the largest code (-1 for none), and the offset from a code to the index of its symbol. */
  readonly largest: Int32Array
  readonly offset: Int32Array
  readonly symbols: Uint8Array
}

const shortBits = 9

/**
 * Builds a code from the number of codes of each length and their symbols; undefined if there are more codes than their lengths
 * allow.
 */
export function codeOf(lengths: Uint8Array, symbols: Uint8Array): HuffmanCode | undefined {
  const code: HuffmanCode = {
    short: new Uint16Array(1 << shortBits),
    largest: new Int32Array(18).fill(-1),
    offset: new Int32Array(18),
    symbols,
  }
  for (let length = 1, next = 0, index = 0; length <= 16; length++, next <<= 1) {
    code.offset[length] = index - next
    for (let count = lengths[length - 1]!; count > 0; count--, next++, index++) {
      if (next >= 1 << length) return undefined
      code.largest[length] = next
      if (length > shortBits) continue
      const first = next << (shortBits - length)
      code.short.fill((length << 8) | symbols[index]!, first, first + (1 << (shortBits - length)))
    }
  }
  return code
}

/** The bits of a scan. After the end of the data, zeros follow, as in libjpeg; at the end of the file, an error is thrown. */
export class ScanBits {
  readonly #bytes: Uint8Array
  #at: number
  #held = 0
  #count = 0
  /** The number of buffered bits that do not come from the file. */
  #added = 0
  #restarts = 0
  /** Whether added bits have been taken: the following units stay empty. */
  isStarved = false

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  /** The position of the marker after the data, or of the end of the file. */
  get end(): number {
    return this.#at
  }

  #fill(): void {
    while (this.#count <= 24) {
      let byte = this.#bytes[this.#at]
      if (byte === 0xff) {
        let next = this.#at + 1
        while (this.#bytes[next] === 0xff) next++
        if (this.#bytes[next] === 0) this.#at = next + 1
        else byte = undefined
      } else if (byte !== undefined) this.#at++
      this.#held = (this.#held << 8) | (byte ?? 0)
      this.#count += 8
      if (byte === undefined) this.#added += 8
    }
  }

  #take(count: number): void {
    this.#count -= count
    if (this.#count >= this.#added) return
    if (this.#at >= this.#bytes.length - 1) throw unsound('JPEG', 'it is truncated')
    this.#added = this.#count
    this.isStarved = true
  }

  /** The next bits, up to 16, as a number. */
  take(count: number): number {
    if (this.#count < count) this.#fill()
    const bits = (this.#held >>> (this.#count - count)) & ((1 << count) - 1)
    this.#take(count)
    return bits
  }

  /** The next symbol; 0 if there is none. */
  symbol({ short, largest, offset, symbols }: HuffmanCode): number {
    if (this.#count < 16) this.#fill()
    const found = short[(this.#held >>> (this.#count - shortBits)) & ((1 << shortBits) - 1)]!
    if (found !== 0) {
      this.#take(found >> 8)
      return found & 255
    }
    for (let length = shortBits + 1; length <= 16; length++) {
      const code = (this.#held >>> (this.#count - length)) & ((1 << length) - 1)
      if (code > largest[length]!) continue
      this.#take(length)
      return symbols[code + offset[length]!]!
    }
    this.#take(16)
    this.take(1)
    return 0
  }

  /** A signed number of `count` bits (EXTEND in T.81): the lower half of the codes is negative. */
  value(count: number): number {
    if (count === 0) return 0
    const bits = this.take(count)
    return bits < 1 << (count - 1) ? bits - (1 << count) + 1 : bits
  }

  /** Continues after the next restart marker. Before any other marker, including a later restart, there are no more bits. */
  restart(): void {
    this.#held = this.#count = this.#added = 0
    const expected = this.#restarts++ & 7
    for (let at = this.#at; ; ) {
      at = this.#bytes.indexOf(0xff, at)
      if (at < 0) throw unsound('JPEG', 'it is truncated')
      const before = at
      while (this.#bytes[at] === 0xff) at++
      const marker = this.#bytes[at] ?? 0
      if (marker < 0xc0) continue
      const ahead = (marker - 0xd0 - expected) & 7
      const isRestart = marker >= 0xd0 && marker <= 0xd7
      if (isRestart && (ahead === 6 || ahead === 7)) continue // a past restart
      if (!isRestart || ahead === 1 || ahead === 2) {
        this.#at = before
        return
      }
      this.#at = at + 1
      this.isStarved = false
      return
    }
  }
}

export interface Scan {
  readonly parts: readonly { readonly component: Component; readonly direct?: HuffmanCode; readonly alternating?: HuffmanCode }[]
  /** The first and the last coefficient that the scan has. */
  readonly first: number
  readonly last: number
  /** Successive approximation: the bit position after earlier scans, and after this one. */
  readonly high: number
  readonly low: number
  /** Units between two restarts; 0 for none. */
  readonly restartInterval: number
}

/** The state that a scan keeps between blocks. */
interface Memory {
  /** The number of following blocks that have no further coefficients. */
  ended: number
  readonly before: Int32Array
}

type ReadBlock = (bits: ScanBits, block: Int16Array, at: number, part: Scan['parts'][number], memory: Memory, index: number) => void

/** Reads a scan into the coefficients or samples of its components. Throws `invalid-argument`. */
export function readScan(frame: Frame, scan: Scan, bits: ScanBits): void {
  const { parts, restartInterval } = scan
  const read = reader(frame, scan)
  const memory: Memory = { ended: 0, before: new Int32Array(4) }
  const single = new Int16Array(64)
  let isEmpty = false
  const block = (index: number, column: number, row: number) => {
    const part = parts[index]!
    const { component } = part
    const place = row * component.columns + column
    if (frame.isProgressive) {
      if (!isEmpty) read(bits, component.coefficients, place * 64, part, memory, index)
      return
    }
    single.fill(0)
    if (!isEmpty) read(bits, single, 0, part, memory, index)
    toSamples(single, 0, component.quantization!, component.samples, place - column, column, component.columns)
  }
  let units = 0
  const unit = () => {
    if (restartInterval > 0 && units > 0 && units % restartInterval === 0) {
      bits.restart()
      memory.ended = 0
      memory.before.fill(0)
    }
    units++
    isEmpty = bits.isStarved
  }
  if (parts.length === 1) {
    const { width, height } = parts[0]!.component
    const [columns, rows] = [Math.ceil(width / 8), Math.ceil(height / 8)]
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        unit()
        block(0, column, row)
      }
    }
    return
  }
  const { columns, rows, across, down } = parts[0]!.component
  for (let y = 0; y < rows / down; y++) {
    for (let x = 0; x < columns / across; x++) {
      unit()
      for (const [index, { component }] of parts.entries()) {
        for (let row = 0; row < component.down; row++) {
          for (let column = 0; column < component.across; column++)
            block(index, x * component.across + column, y * component.down + row)
        }
      }
    }
  }
}

/** The function that reads the blocks of a scan. Throws if the scan's header makes no sense. */
function reader({ isProgressive }: Frame, { parts, first, last, high, low }: Scan): ReadBlock {
  const needs = (kind: 'direct' | 'alternating') => {
    if (parts.some(part => !part[kind])) throw unsound('JPEG', 'a table is missing')
  }
  if (!isProgressive) {
    needs('direct')
    needs('alternating')
    return readWhole
  }
  if (first > last || last > 63 || (first === 0) !== (last === 0) || (first > 0 && parts.length > 1) || low > 13) {
    throw unsound('JPEG', 'a scan is damaged')
  }
  if (first === 0) {
    if (high > 0)
      return (bits, block, at) => {
        block[at]! |= bits.take(1) << low
      }
    needs('direct')
    return (bits, block, at, { direct }, memory, index) => {
      block[at] = (memory.before[index]! += bits.value(bits.symbol(direct!) & 15)) << low
    }
  }
  needs('alternating')
  return high === 0 ? readFirst(first, last, low) : readRefinement(first, last, low)
}

/** Reads a block of a sequential image. */
const readWhole: ReadBlock = (bits, block, at, { direct, alternating }, { before }, index) => {
  block[at] = before[index]! += bits.value(bits.symbol(direct!) & 15)
  for (let k = 1; k < 64; k++) {
    const symbol = bits.symbol(alternating!)
    const size = symbol & 15
    k += symbol >> 4
    if (size > 0) block[at + zigzag[Math.min(k, 63)]!] = bits.value(size)
    else if (symbol !== 0xf0) return
  }
}

/** Reads the first bits of some coefficients. */
const readFirst =
  (first: number, last: number, low: number): ReadBlock =>
  (bits, block, at, { alternating }, memory) => {
    if (memory.ended > 0) {
      memory.ended--
      return
    }
    for (let k = first; k <= last; k++) {
      const symbol = bits.symbol(alternating!)
      const [run, size] = [symbol >> 4, symbol & 15]
      if (size > 0) {
        k += run
        block[at + zigzag[Math.min(k, 63)]!] = bits.value(size) << low
      } else if (run === 15) k += 15
      else {
        memory.ended = (1 << run) + bits.take(run) - 1
        return
      }
    }
  }

/** Reads one more bit of some coefficients. */
const readRefinement =
  (first: number, last: number, low: number): ReadBlock =>
  (bits, block, at, { alternating }, memory) => {
    const [plus, minus] = [1 << low, -1 << low]
    const refine = (place: number) => {
      const value = block[place]!
      if (bits.take(1) === 1 && (value & plus) === 0) block[place] = value + (value >= 0 ? plus : minus)
    }
    let k = first
    if (memory.ended === 0) {
      for (; k <= last; k++) {
        const symbol = bits.symbol(alternating!)
        let run = symbol >> 4
        let value = 0
        if ((symbol & 15) > 0) value = bits.take(1) === 1 ? plus : minus
        else if (run !== 15) {
          memory.ended = (1 << run) + bits.take(run)
          break
        }
        for (; k <= last; k++) {
          const place = at + zigzag[k]!
          if (block[place] !== 0) refine(place)
          else if (--run < 0) break
        }
        if (value !== 0 && k <= last) block[at + zigzag[k]!] = value
      }
    }
    if (memory.ended === 0) return
    for (; k <= last; k++) {
      const place = at + zigzag[k]!
      if (block[place] !== 0) refine(place)
    }
    memory.ended--
  }
