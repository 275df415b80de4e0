// The header of a GGUF file, version 3: metadata and a directory of tensors.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { types } from './types.mjs'

export const alignment = 32
export const paddedTo = (bytes, multiple = alignment) => Math.ceil(bytes / multiple) * multiple

/** Codes of the metadata types that are used here. */
const codes = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 }

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
  u32: numbers(4, 'writeUInt32LE'), i32: numbers(4, 'writeInt32LE'), f32: numbers(4, 'writeFloatLE'),
  string: texts => Buffer.concat(texts.flatMap(text => [u64(Buffer.byteLength(text)), Buffer.from(text)])),
}
const u32 = value => writers.u32([value])
const string = text => writers.string([text])

/** Encodes one value of `kind`, or a list of them. */
const encoded = (kind, value) => Array.isArray(value)
  ? [u32(codes.array), u32(codes[kind]), u64(value.length), writers[kind](value)]
  : [u32(codes[kind]), writers[kind]([value])]

/**
 * `metadata`: {key: [kind, value]}; `tensors`: [{name, shape, type, bytes}]. The tensors' data must follow, each padded to
 * the alignment.
 */
export function ggufHeader(metadata, tensors) {
  const pairs = Object.entries(metadata)
  let offset = 0
  const directory = tensors.flatMap(({ name, shape, type, bytes }) => {
    const at = offset
    offset += paddedTo(bytes)
    return [string(name), u32(shape.length), u64s(shape.toReversed().map(BigInt)), u32(types[type].code), u64(at)]
  })
  const header = Buffer.concat([
    Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(pairs.length),
    ...pairs.flatMap(([key, [kind, value]]) => [string(key), ...encoded(kind, value)]), ...directory])
  return Buffer.concat([header, Buffer.alloc(paddedTo(header.length) - header.length)])
}
