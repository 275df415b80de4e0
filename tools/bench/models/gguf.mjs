// Writes the header of a GGUF file, version 3: metadata and a directory of tensors.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { types } from './types.mjs'

export const alignment = 32
export const paddedTo = (bytes, multiple = alignment) => Math.ceil(bytes / multiple) * multiple
export const padded = bytes => Buffer.concat([bytes, Buffer.alloc(paddedTo(bytes.length) - bytes.length)])

/** Codes of the metadata types that are used here. */
const codes = { u16: 2, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 }

const numbers = (bytes, write) => values => {
  const buffer = Buffer.alloc(bytes * values.length)
  values.forEach((value, i) => buffer[write](value, i * bytes))
  return buffer
}
const u64s = numbers(8, 'writeBigUInt64LE')
const u64 = value => u64s([BigInt(value)])

/** Encoders for a list of values of each type. */
const writers = {
  bool: numbers(1, 'writeUInt8'),
  u16: numbers(2, 'writeUInt16LE'), u32: numbers(4, 'writeUInt32LE'), i32: numbers(4, 'writeInt32LE'), f32: numbers(4, 'writeFloatLE'),
  string: texts => Buffer.concat(texts.flatMap(text => [u64(Buffer.byteLength(text)), Buffer.from(text)])),
}
const u32 = value => writers.u32([value])
const string = text => writers.string([text])

/** Encodes one value of `kind`, or a list of them. */
const encoded = (kind, value) => Array.isArray(value)
  ? [u32(codes.array), u32(codes[kind]), u64(value.length), writers[kind](value)]
  : [u32(codes[kind]), writers[kind]([value])]

/** A pair of a key and a value of `kind`, as bytes. */
export const pair = (key, kind, value) => Buffer.concat([string(key), ...encoded(kind, value)])

/** An entry of the directory. `described`: the tensor's name, shape and type, as bytes. */
export const entry = (described, offset) => Buffer.concat([described, u64(offset)])

/** The header of these pairs and entries of the directory. */
export const headerOf = (pairs, entries) => padded(Buffer.concat(
  [Buffer.from('GGUF'), u32(3), u64(entries.length), u64(pairs.length), ...pairs, ...entries]))

/**
 * `metadata`: {key: [kind, value]}; `tensors`: [{name, shape, type, bytes}]. The tensors' data must follow, each padded to
 * the alignment.
 */
export function ggufHeader(metadata, tensors) {
  let offset = 0
  const entries = tensors.map(({ name, shape, type, bytes }) => {
    const at = offset
    offset += paddedTo(bytes)
    const dimensions = u64s(shape.toReversed().map(BigInt))
    return entry(Buffer.concat([string(name), u32(shape.length), dimensions, u32(types[type].code)]), at)
  })
  return headerOf(Object.entries(metadata).map(([key, [kind, value]]) => pair(key, kind, value)), entries)
}
