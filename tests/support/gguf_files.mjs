// GGUF files for download tests: of any size, and models split into parts.
import { createHash } from 'node:crypto'
import { entry, ggufHeader, headerOf, padded, paddedTo, pair } from '../../tools/bench/models/gguf.mjs'

export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** Pseudorandom bytes, the same for the same seed. */
function noise(length, seed) {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = seed * 2654435761 >>> 0 || 1
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    words[i] = state ^= state << 5
  }
  return Buffer.from(words.buffer, 0, length)
}

/** A file of about `bytes` bytes with one tensor: valid for downloads, but not for the engine. */
export function blankModel(bytes, seed = 1) {
  const columns = Math.ceil(bytes / 4096)
  const header = ggufHeader({ 'general.architecture': ['string', 'llama'], 'general.name': ['string', `noise ${seed}`] },
    [{ name: 'noise', shape: [1024, columns], type: 'f32', bytes: columns * 4096 }])
  return Buffer.concat([header, noise(columns * 4096, seed)])
}

/** Reads the parts of a header that splitting needs: the ranges of keys and tensors. */
function readHeader(file) {
  let at = 4
  const u32 = () => file.readUInt32LE((at += 4) - 4)
  const u64 = () => Number(file.readBigUInt64LE((at += 8) - 8))
  const text = () => {
    const length = u64()
    return file.toString('utf8', at, at += length)
  }
  const sizes = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
  const skip = type => {
    if (type === 8) return text()
    if (type !== 9) return at += sizes[type]
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

/**
 * Makes the file of a model longer by `gap` bytes, a gap before its last tensor. Returns the bytes before the gap, those
 * after it, and the position of the latter.
 */
export function stretchModel(file, gap) {
  const { pairs, tensors } = readHeader(file)
  const last = tensors.reduce((a, b) => a.offset > b.offset ? a : b)
  const entries = tensors.map(({ bytes, offset, ...tensor }) => entry(bytes, tensor.name === last.name ? offset + gap : offset))
  const header = headerOf(pairs, entries)
  const dataStart = file.length - last.data.length - last.offset
  const before = Buffer.concat([header, file.subarray(dataStart, dataStart + last.offset)])
  return { before, after: last.data, at: before.length + gap }
}

/** Splits a model into parts, like gguf-split: {name: bytes}. `change(keys, part)` may change split.no, count and tensors. */
export function splitModel(file, count, title = 'model', change = keys => keys) {
  const { pairs, tensors } = readHeader(file)
  const each = Math.ceil(tensors.length / count)
  return Object.fromEntries(Array.from({ length: count }, (_, part) => {
    const own = tensors.slice(part * each, (part + 1) * each)
    const keys = change({ no: part, count, tensors: tensors.length }, part)
    const all = [
      ...(part === 0 ? pairs : []),
      pair('split.no', 'u16', keys.no), pair('split.count', 'u32', keys.count), pair('split.tensors.count', 'i32', keys.tensors),
    ]
    let offset = 0
    const entries = own.map(({ bytes, data }) => {
      const at = offset
      offset += paddedTo(data.length)
      return entry(bytes, at)
    })
    const header = headerOf(all, entries)
    const number = String(part + 1).padStart(5, '0')
    const name = `${title}-${number}-of-${String(count).padStart(5, '0')}.gguf`
    return [name, Buffer.concat([header, ...own.map(({ data }) => padded(data))])]
  }))
}
