// GGUF files for download tests: of any size, and models split into parts.
import { createHash } from 'node:crypto'
import { entry, ggufFile, headerOf, padded, paddedTo, pair, readGguf } from '../../tools/bench/models/gguf.mjs'

export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** Pseudorandom bytes, the same for the same seed. */
function noise(length, seed) {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = (seed * 2654435761) >>> 0 || 1
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
  return ggufFile({ 'general.architecture': ['string', 'llama'], 'general.name': ['string', `noise ${seed}`] }, [
    { name: 'noise', shape: [1024, columns], values: noise(columns * 4096, seed) },
  ])
}

/**
 * Makes the file of a model longer by `gap` bytes, a gap before its last tensor. Returns the bytes before the gap, those
 * after it, and the position of the latter.
 */
export function stretchModel(file, gap) {
  const { pairs, tensors } = readGguf(file)
  const last = tensors.reduce((a, b) => (a.offset > b.offset ? a : b))
  const entries = tensors.map(({ bytes, offset, ...tensor }) => entry(bytes, tensor.name === last.name ? offset + gap : offset))
  const header = headerOf(pairs, entries)
  const dataStart = file.length - last.data.length - last.offset
  const before = Buffer.concat([header, file.subarray(dataStart, dataStart + last.offset)])
  return { before, after: last.data, at: before.length + gap }
}

/** The file of a model with another pair, as bytes. */
export function withPair(file, added) {
  const { pairs, tensors } = readGguf(file)
  const header = headerOf(
    [...pairs, added],
    tensors.map(({ bytes, offset }) => entry(bytes, offset)),
  )
  const [{ data, offset }] = tensors
  return Buffer.concat([header, file.subarray(data.byteOffset - file.byteOffset - offset)])
}

/** A pair of a key and lists within lists, `depth` of them, of which the last has a number. */
export function nestedLists(key, depth) {
  const u32 = value => Buffer.from(new Uint32Array([value]).buffer),
    u64 = value => Buffer.from(new BigUint64Array([BigInt(value)]).buffer)
  const list = type => [u32(type), u64(1)]
  return Buffer.concat([
    u64(key.length),
    Buffer.from(key),
    u32(9),
    ...Array.from({ length: depth - 1 }, () => list(9)).flat(),
    ...list(4),
    u32(7),
  ])
}

/** Splits a model into parts, like gguf-split: {name: bytes}. `change(keys, part)` may change split.no, count and tensors. */
export function splitModel(file, count, title = 'model', change = keys => keys) {
  const { pairs, tensors } = readGguf(file)
  const each = Math.ceil(tensors.length / count)
  return Object.fromEntries(
    Array.from({ length: count }, (_, part) => {
      const own = tensors.slice(part * each, (part + 1) * each)
      const keys = change({ no: part, count, tensors: tensors.length }, part)
      const all = [
        ...(part === 0 ? pairs : []),
        pair('split.no', 'u16', keys.no),
        pair('split.count', 'u32', keys.count),
        pair('split.tensors.count', 'i32', keys.tensors),
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
    }),
  )
}

/** The file of a model in Q8_0 with coarser weights in the same form: as if each had about four bits. */
export function coarsened(file) {
  const copy = Buffer.from(file)
  for (const { name, data } of readGguf(copy).tensors) {
    if (name.includes('norm')) continue
    for (let block = 0; block < data.length; block += 34)
      for (let at = block + 2; at < block + 34; at++)
        data.writeInt8(Math.max(-112, Math.min(112, 16 * Math.round(data.readInt8(at) / 16))), at)
  }
  return copy
}
