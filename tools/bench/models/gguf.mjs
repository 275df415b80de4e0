// Writes GGUF files, version 3: a header (metadata and a directory of tensors), then the tensors' data. Reads as much as is needed
// to copy their parts into another file. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import { types } from './types.mjs'

export const alignment = 32
export const paddedTo = (bytes, multiple = alignment) => Math.ceil(bytes / multiple) * multiple
export const padded = bytes => Buffer.concat([bytes, Buffer.alloc(paddedTo(bytes.length) - bytes.length)])

/** Codes of the metadata types. */
const codes = { u8: 0, i8: 1, u16: 2, i16: 3, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9, u64: 10, i64: 11, f64: 12 }
/** Bytes of a value, by the code of its type. */
const sizes = Object.fromEntries(
  Object.entries({ u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, bool: 1, u64: 8, i64: 8, f64: 8 }).map(([name, bytes]) => [
    codes[name],
    bytes,
  ]),
)

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
  u8: numbers(1, 'writeUInt8'),
  u16: numbers(2, 'writeUInt16LE'),
  u32: numbers(4, 'writeUInt32LE'),
  i32: numbers(4, 'writeInt32LE'),
  f32: numbers(4, 'writeFloatLE'),
  string: texts => Buffer.concat(texts.flatMap(text => [u64(Buffer.byteLength(text)), Buffer.from(text)])),
}
const u32 = value => writers.u32([value])
const string = text => writers.string([text])

/** Encodes one value of `kind`, or a list of them. */
const encoded = (kind, value) =>
  Array.isArray(value)
    ? [u32(codes.array), u32(codes[kind]), u64(value.length), writers[kind](value)]
    : [u32(codes[kind]), writers[kind]([value])]

/** A pair of a key and a value of `kind`, as bytes. */
export const pair = (key, kind, value) => Buffer.concat([string(key), ...encoded(kind, value)])

/** An entry of the directory. `described`: the tensor's name, shape and type, as bytes. */
export const entry = (described, offset) => Buffer.concat([described, u64(offset)])

/** A header with these pairs and directory entries. */
export const headerOf = (pairs, entries) =>
  padded(Buffer.concat([Buffer.from('GGUF'), u32(3), u64(entries.length), u64(pairs.length), ...pairs, ...entries]))

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
  return headerOf(
    Object.entries(metadata).map(([key, [kind, value]]) => pair(key, kind, value)),
    entries,
  )
}

/** A whole file. `tensors`: [{name, shape, type, values}], `f32` by default; `values`: any view, in the stored form. */
export function ggufFile(metadata, tensors) {
  const stored = tensors.map(({ values, ...tensor }) => ({ type: 'f32', ...tensor, bytes: values.byteLength }))
  const data = tensors.map(({ values: { buffer, byteOffset, byteLength } }) => padded(Buffer.from(buffer, byteOffset, byteLength)))
  return Buffer.concat([ggufHeader(metadata, stored), ...data])
}

/**
 * The parts of a file, as views of it: the pairs as bytes; for each tensor its name, its directory entry without the offset as
 * bytes, its offset, and its data.
 */
export function readGguf(file) {
  let at = 4
  const u32 = () => file.readUInt32LE((at += 4) - 4)
  const u64 = () => Number(file.readBigUInt64LE((at += 8) - 8))
  const text = () => {
    const length = u64()
    return file.toString('utf8', at, (at += length))
  }
  const skip = code => {
    if (code === codes.string) return text()
    if (code !== codes.array) return (at += sizes[code])
    const of = u32()
    for (let left = u64(); left > 0; left--) skip(of)
  }
  u32()
  const [tensorCount, pairCount] = [u64(), u64()]
  const pairs = Array.from({ length: pairCount }, () => {
    const start = at
    text()
    skip(u32())
    return file.subarray(start, at)
  })
  const tensors = Array.from({ length: tensorCount }, () => {
    const start = at
    const name = text()
    for (let left = u32(); left > 0; left--) u64()
    u32()
    return { name, bytes: file.subarray(start, at), offset: u64() }
  })
  const dataStart = paddedTo(at)
  const ends = [...tensors.map(({ offset }) => offset), file.length - dataStart].sort((a, b) => a - b)
  for (const tensor of tensors) {
    const end = ends.find(end => end > tensor.offset)
    tensor.data = file.subarray(dataStart + tensor.offset, dataStart + end)
  }
  return { pairs, tensors }
}
