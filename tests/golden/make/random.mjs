// Pseudorandom numbers from a name, the same on every machine.
import { createCipheriv, createHash } from 'node:crypto'

/** `count` floats, uniformly distributed from center - spread to center + spread. */
export function randomFloats(name, count, { center = 0, spread }) {
  const key = createHash('sha256').update(name).digest().subarray(0, 16)
  const bytes = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(4 * count))
  const fraction = i => bytes.readInt32LE(4 * i) / 2 ** 31
  return Float32Array.from({ length: count }, (_, i) => center + spread * fraction(i))
}

/** `count` integers in [0, end). */
export function randomIds(name, count, end) {
  const values = randomFloats(name, count, { center: end / 2, spread: end / 2 })
  return Array.from(values, value => Math.min(Math.floor(value), end - 1))
}
