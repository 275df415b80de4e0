// Damaged copies of files, for readers that must refuse them.
import { random } from '../package/support.mjs'

const extremes = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]

/**
 * A function that returns another damaged copy of one of `seeds` at each call, the same ones for the same `seed`. `words` are texts that
 * take the place of others of their length now and then.
 */
export function damager(seeds, seed, words = []) {
  const below = random(seed)
  const texts = words.map(word => Buffer.from(word))
  const ways = [
    bytes => void (bytes[below(bytes.length)] ^= 1 << below(8)),
    bytes => void (bytes[below(bytes.length)] = below(256)),
    bytes => {
      const at = below(bytes.length)
      const value = extremes[below(extremes.length)]
      for (let i = 0, size = 1 << below(4); i < size && at + i < bytes.length; i++)
        bytes[at + i] = i < 4 ? (value >>> (8 * i)) & 0xff : 0
    },
    bytes => bytes.subarray(0, below(bytes.length)),
    bytes => {
      const at = below(bytes.length)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(16))])
    },
    bytes => {
      const at = below(bytes.length)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + 1 + below(16)), bytes.subarray(at)])
    },
    bytes => {
      const at = below(bytes.length)
      const other = seeds[below(seeds.length)]
      return Buffer.concat([bytes.subarray(0, at), other.subarray(Math.min(at, other.length))])
    },
    bytes => {
      if (texts.length === 0) return bytes
      const [from, to] = [texts[below(texts.length)], texts[below(texts.length)]]
      const at = bytes.indexOf(from)
      return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)])
    },
  ]
  return () => {
    let bytes = Buffer.from(seeds[below(seeds.length)])
    for (let count = 1 + below(4); count > 0 && bytes.length > 0; count--) bytes = ways[below(ways.length)](bytes) ?? bytes
    return bytes
  }
}
