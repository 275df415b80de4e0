// The metadata of a GGUF file: all keys with their types and values, from as many of its first bytes as necessary.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

export type Value = string | number | boolean | bigint | List

/** An array, of which only the first values are kept. */
export interface List {
  readonly length: number
  readonly first: readonly Value[]
}

export interface Pair {
  readonly key: string
  /** Such as `u32`, or `string[]` of an array. */
  readonly type: string
  readonly value: Value
}

/** The bytes of a file from its beginning: fewer than `count` if the file is shorter. */
export type FirstBytes = (count: number) => Promise<Uint8Array>

const magic = 0x46554747
const mostBytes = 64 << 20
const firstBytes = 1 << 16
const mostKept = 16
/** As in the engine. */
const deepest = 8

/** Thrown if more bytes are needed. */
class Short extends Error {}

export async function readMetadata(first: FirstBytes): Promise<Pair[]> {
  for (let count = firstBytes; ; count *= 4) {
    const bytes = await first(count)
    try {
      return pairsOf(bytes)
    } catch (error) {
      if (!(error instanceof Short)) throw error
      if (bytes.length < count) throw new Error('the file ends inside its header')
      if (count >= mostBytes) throw new Error('its header is too long')
    }
  }
}

function pairsOf(bytes: Uint8Array): Pair[] {
  const cursor = new Cursor(bytes)
  if (cursor.number('u32') !== magic) throw new Error('it is not a GGUF file')
  cursor.number('u32') // the version
  cursor.length() // the number of tensors
  const count = cursor.length()
  const pairs: Pair[] = []
  while (pairs.length < count) {
    const key = cursor.text()
    pairs.push({ key, ...cursor.typed() })
  }
  return pairs
}

/** By the number of a type: its name, its size in bytes, and the DataView method that reads it. */
const scalars = {
  u8: [1, 'getUint8'],
  i8: [1, 'getInt8'],
  u16: [2, 'getUint16'],
  i16: [2, 'getInt16'],
  u32: [4, 'getUint32'],
  i32: [4, 'getInt32'],
  f32: [4, 'getFloat32'],
  bool: [1, 'getUint8'],
  u64: [8, 'getBigUint64'],
  i64: [8, 'getBigInt64'],
  f64: [8, 'getFloat64'],
} as const

type Scalar = keyof typeof scalars

const types = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32', 'bool', 'string', 'array', 'u64', 'i64', 'f64'] as const

class Cursor {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #decoder = new TextDecoder()
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  #take(count: number): number {
    const from = this.#at
    if (from + count > this.#bytes.length) throw new Short()
    this.#at += count
    return from
  }

  number(type: Scalar): number | bigint {
    const [bytes, get] = scalars[type]
    return this.#view[get](this.#take(bytes), true)
  }

  length(): number {
    const length = Number(this.number('u64'))
    if (!Number.isSafeInteger(length)) throw new Error(`it has a length of ${length}`)
    return length
  }

  text(): string {
    const length = this.length()
    if (length > mostBytes) throw new Error(`it has a text of ${length} bytes`)
    const from = this.#take(length)
    return this.#decoder.decode(this.#bytes.subarray(from, from + length))
  }

  typed(): { type: string; value: Value } {
    const type = this.#type()
    return type === 'array' ? this.#list(1) : { type, value: this.#value(type) }
  }

  #type(): (typeof types)[number] {
    const code = this.number('u32') as number
    const type = types[code]
    if (!type) throw new Error(`it has a value of the unknown type ${code}`)
    return type
  }

  #value(type: Exclude<(typeof types)[number], 'array'>): Value {
    if (type === 'string') return this.text()
    const number = this.number(type)
    if (type === 'bool') return number === 1
    return typeof number === 'bigint' && Number.isSafeInteger(Number(number)) ? Number(number) : number
  }

  #list(depth: number): { type: string; value: List } {
    if (depth > deepest) throw new Error('it has arrays in arrays')
    const type = this.#type()
    const length = this.length()
    const first: Value[] = []
    let inner = type as string
    for (let at = 0; at < length; at++) {
      const one = type === 'array' ? this.#list(depth + 1) : { type, value: this.#value(type) }
      inner = one.type
      if (at < mostKept) first.push(one.value)
    }
    return { type: `${inner}[]`, value: { length, first } }
  }
}
