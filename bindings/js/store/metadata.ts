// All metadata of a GGUF file: its keys with their types and values. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
import type { Metadata, MetadataEntry, MetadataValue } from '../types/store.js'
import { begin, Cursor, deepestArray, readBeginning } from './gguf-header.js'
import type { ModelFile } from './model-file.js'

/** Closes the file. Fails with `invalid-file` or `unsupported`, or as the file does. */
export async function readMetadata(given: ModelFile | readonly Uint8Array[]): Promise<Metadata> {
  const file = 'read' in given ? given : fileOfBytes(new Blob(given as Uint8Array<ArrayBuffer>[]))
  try {
    return await readBeginning(file, parse)
  } finally {
    await file.close()
  }
}

const fileOfBytes = (bytes: Blob): ModelFile => ({
  name: 'The file',
  async read(at, place) {
    const part = new Uint8Array(await bytes.slice(at, at + place.length).arrayBuffer())
    place.set(part)
    return part.length
  },
  close() {},
})

function parse(name: string, bytes: Uint8Array): Metadata {
  const cursor = new Cursor(name, bytes)
  const [, count] = begin(name, cursor)
  const entries: [string, MetadataEntry][] = []
  while (entries.length < count) entries.push([cursor.text(), entry(cursor)])
  return Object.fromEntries(entries)
}

/** By a type's number in the file: its name, its size in bytes, and the method of a DataView that reads it. */
const scalars = {
  0: ['u8', 1, 'getUint8'],
  1: ['i8', 1, 'getInt8'],
  2: ['u16', 2, 'getUint16'],
  3: ['i16', 2, 'getInt16'],
  4: ['u32', 4, 'getUint32'],
  5: ['i32', 4, 'getInt32'],
  6: ['f32', 4, 'getFloat32'],
  7: ['bool', 1, 'getUint8'],
  10: ['u64', 8, 'getBigUint64'],
  11: ['i64', 8, 'getBigInt64'],
  12: ['f64', 8, 'getFloat64'],
} as const

const textType = 8
const arrayType = 9

function entry(cursor: Cursor): MetadataEntry {
  const type = cursor.u32()
  return type === arrayType ? list(cursor, 1) : { type: nameOf(cursor, type), value: valueOf(cursor, type) }
}

function nameOf(cursor: Cursor, type: number): string {
  if (type === textType) return 'string'
  const scalar = scalars[type as keyof typeof scalars]
  if (!scalar) throw cursor.wrong(`unknown metadata type ${type}`)
  return scalar[0]
}

function valueOf(cursor: Cursor, type: number): Exclude<MetadataValue, readonly MetadataValue[]> {
  if (type === textType) return cursor.text()
  const [name, bytes, get] = scalars[type as keyof typeof scalars]
  const number = cursor.view[get](cursor.take(bytes), true)
  if (name === 'bool') return number === 1
  return typeof number === 'bigint' && Number.isSafeInteger(Number(number)) ? Number(number) : number
}

function list(cursor: Cursor, depth: number): MetadataEntry {
  if (depth > deepestArray) throw cursor.wrong(`arrays are nested more than ${deepestArray} deep`)
  const type = cursor.u32()
  const length = cursor.u64()
  const value: MetadataValue[] = []
  let inner = type === arrayType ? 'array' : nameOf(cursor, type)
  while (value.length < length) {
    if (type === arrayType) {
      const one = list(cursor, depth + 1)
      inner = one.type
      value.push(one.value)
    } else value.push(valueOf(cursor, type))
  }
  return { type: `${inner}[]`, value }
}
