// Just enough of GGUF to join the parts of a split model and to determine a file's length; the engine reads the rest.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { decoded } from '../platform/decoded.js'
import { HeedError } from '../wire/errors.js'
import { magic, paddedTo, usualAlignment } from '../wire/gguf.js'
import { wrongFile } from './errors.js'
import { type ModelFile, readBytes } from './model-file.js'
import { tensorTypes } from './tensor-types.generated.js'

/** A metadata key and its value, as stored in the file. */
export interface Pair {
  key: string
  bytes: Uint8Array
  /** The value; set for integers, booleans (0 or 1) and strings. */
  value?: number | string
}

export interface StoredTensor {
  name: string
  /** Name, dimensions and type, as stored in the file, without the offset. */
  bytes: Uint8Array
  dimensions: number
  type: number
  offset: number
  /** The bytes of the tensor's data; undefined if its type is unknown here. */
  length?: number
}

export interface GgufHeader {
  pairs: Pair[]
  tensors: StoredTensor[]
  alignment: number
  /** The position in the file that the offsets of tensors are relative to. */
  dataStart: number
  /** The length of the data, or at least of the tensors whose type is known. */
  dataBytes: number
}

const mostHeaderBytes = 64 << 20
const firstReadBytes = 1 << 16
/** The most bytes that may follow a model in its file. */
export const mostPadding = 1 << 20

/** Bytes per metadata value, by type. */
const valueBytes: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const textType = 8
const arrayType = 9
/** The deepest nesting of arrays, as in the engine (src/formats/gguf.cpp). */
export const deepestArray = 8

/** Includes types that the engine does not support for weights. https://github.com/ggml-org/ggml/blob/master/src/ggml.c */
const blocks: typeof tensorTypes = {
  ...tensorTypes,
  9: [32, 36],
  15: [256, 292],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
}

/** Thrown if parsing needs more of the header. */
class Short extends Error {}

/** The header of a file. Fails with `invalid-file` or `unsupported`, or as the file does. */
export const readHeader = (file: ModelFile): Promise<GgufHeader> => readBeginning(file, parseHeader)

/** Reads a file from its beginning until there is enough for `parse`. */
export async function readBeginning<Result>(file: ModelFile, parse: (name: string, bytes: Uint8Array) => Result): Promise<Result> {
  let bytes: Uint8Array = new Uint8Array()
  for (let wanted = firstReadBytes; ; wanted *= 4) {
    const more = await readBytes(file, bytes.length, wanted - bytes.length)
    const joined = new Uint8Array(bytes.length + more.length)
    joined.set(bytes)
    joined.set(more, bytes.length)
    bytes = joined
    try {
      return parse(file.name, bytes)
    } catch (error) {
      if (!(error instanceof Short)) throw error
      if (bytes.length < wanted) throw wrongFile(`${file.name}: it ends inside its header`)
      if (wanted >= mostHeaderBytes) throw wrongFile(`${file.name}: the header is too long`)
    }
  }
}

/** Reads the fields before the pairs: the number of tensors, and the number of pairs. */
export function begin(name: string, cursor: Cursor): [tensors: number, pairs: number] {
  if (cursor.u32() !== magic) throw cursor.wrong('not a GGUF file')
  const version = cursor.u32()
  if (version !== 2 && version !== 3) throw new HeedError('unsupported', `${name}: GGUF version ${version} is not supported`)
  return [cursor.u64(), cursor.u64()]
}

/**
 * Parses the header in the first bytes of a file. Throws `invalid-file` or `unsupported`, and `Short` if the bytes end before the
 * header does: `readBeginning` then reads more.
 */
export function parseHeader(name: string, bytes: Uint8Array): GgufHeader {
  const cursor = new Cursor(name, bytes)
  const [tensorCount, pairCount] = begin(name, cursor)
  const pairs: Pair[] = []
  while (pairs.length < pairCount) {
    const start = cursor.at
    const key = cursor.text()
    const value = cursor.value()
    pairs.push({ key, value, bytes: cursor.since(start) })
  }
  const alignment = numberOf(pairs, 'general.alignment') ?? usualAlignment
  if (alignment < 1 || (alignment & (alignment - 1)) !== 0) throw cursor.wrong(`invalid alignment ${alignment}`)
  const tensors: StoredTensor[] = []
  while (tensors.length < tensorCount) tensors.push(cursor.tensor())
  const dataBytes = tensors.reduce((most, { offset, length = 0 }) => Math.max(most, offset + length), 0)
  return { pairs, tensors, alignment, dataStart: paddedTo(cursor.at, alignment), dataBytes }
}

const typesOfOthers = ['adapter', 'mmproj', 'imatrix', 'vocab']

/** False if the first bytes of a file identify an adapter, a projector or an importance matrix instead of a model. */
export function isModelHeader(name: string, bytes: Uint8Array): boolean {
  const pairs = new Map<string, number | string | undefined>()
  try {
    const cursor = new Cursor(name, bytes)
    cursor.at = 16
    for (let left = cursor.u64(); left > 0; left--) pairs.set(cursor.text(), cursor.value())
  } catch {} // the rest is beyond these bytes
  const isProjector =
    pairs.has('clip.projector_type') || pairs.has('clip.vision.projector_type') || pairs.get('clip.has_llava_projector') === 1
  return (
    !isProjector &&
    !typesOfOthers.includes(pairs.get('general.type') as string) &&
    !['imatrix', 'controlvector'].includes(pairs.get('general.architecture') as string)
  )
}

export function numberOf(pairs: readonly Pair[], key: string): number | undefined {
  const value = pairs.find(pair => pair.key === key)?.value
  return typeof value === 'number' ? value : undefined
}

export class Cursor {
  at = 0
  readonly #name: string
  readonly #bytes: Uint8Array
  readonly view: DataView

  constructor(name: string, bytes: Uint8Array) {
    this.#name = name
    this.#bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  wrong(what: string): HeedError {
    return wrongFile(`${this.#name}: ${what}`)
  }

  since(start: number): Uint8Array {
    return this.#bytes.slice(start, this.at)
  }

  /** Moves past the next `count` bytes, and returns where they begin. */
  take(count: number): number {
    const from = this.at
    if (from + count > mostHeaderBytes) throw this.wrong('the header is too long')
    if (from + count > this.#bytes.length) throw new Short()
    this.at += count
    return from
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true)
  }

  u64(): number {
    const value = Number(this.view.getBigUint64(this.take(8), true))
    if (!Number.isSafeInteger(value)) throw this.wrong(`invalid size ${value}`)
    return value
  }

  text(): string {
    const length = this.u64()
    const from = this.take(length)
    return decoded(this.#bytes.slice(from, from + length))
  }

  /** Returns an integer, a boolean as a number, or a string; skips other values. */
  value(): number | string | undefined {
    const type = this.u32()
    if (type === textType) return this.text()
    if (type === arrayType) {
      this.#skipArray()
      return undefined
    }
    const from = this.take(this.#sizeOf(type))
    switch (type) {
      case 0:
      case 7:
        return this.view.getUint8(from)
      case 1:
        return this.view.getInt8(from)
      case 2:
        return this.view.getUint16(from, true)
      case 3:
        return this.view.getInt16(from, true)
      case 4:
        return this.view.getUint32(from, true)
      case 5:
        return this.view.getInt32(from, true)
      case 10:
        return Number(this.view.getBigUint64(from, true))
      case 11:
        return Number(this.view.getBigInt64(from, true))
      default:
        return undefined
    }
  }

  #sizeOf(type: number): number {
    const size = valueBytes[type]
    if (size === undefined) throw this.wrong(`unknown metadata type ${type}`)
    return size
  }

  #skipArray(depth = 1): void {
    const type = this.u32()
    const count = this.u64()
    if (depth > deepestArray) throw this.wrong(`arrays are nested more than ${deepestArray} deep`)
    if (type === arrayType) for (let left = count; left > 0; left--) this.#skipArray(depth + 1)
    else if (type !== textType) this.take(count * this.#sizeOf(type))
    else for (let left = count; left > 0; left--) this.take(this.u64())
  }

  tensor(): StoredTensor {
    const start = this.at
    const name = this.text()
    const dimensions = this.u32()
    if (dimensions > 8) throw this.wrong(`the tensor ${name} has ${dimensions} dimensions`)
    let values = 1
    for (let i = 0; i < dimensions; i++) values *= this.u64()
    const type = this.u32()
    const [blockValues, blockBytes] = blocks[type] ?? []
    const bytes = this.since(start)
    const offset = this.u64()
    const length = blockValues ? (values / blockValues) * blockBytes! : undefined
    if (length !== undefined && !Number.isSafeInteger(offset + length)) throw this.wrong(`the tensor ${name} is too large`)
    return { name, bytes, dimensions, type, offset, length }
  }
}
