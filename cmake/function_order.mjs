// Orders the functions of a WebAssembly module so that a page downloads fewer bytes: `node function_order.mjs FILE ...`, before
// `wasm-opt --reorder-functions-by-name`. gzip finds only repetitions within the last 32 KB, so each function follows the ones with
// which it has the most in common. The order depends only on the bytes of the functions.
import { readFileSync, writeFileSync } from 'node:fs'
import { bodiesOf, importedFunctions, withNames } from './wasm_file.mjs'

/** The length of the byte sequences that are compared, and about the size of gzip's window. */
const sharedBytes = 5
const windowBytes = 31_000
/**
 * The weight of a sequence decreases with the number of functions that have it. The divisor keeps short functions from matching
 * merely because they are short.
 */
const rarity = 0.55
const shortest = 20

/** The distinct byte sequences of each body, as numbers, and the bodies that have each sequence. */
function sequencesOf(bodies) {
  const numbers = new Map()
  const owners = []
  const sequences = bodies.map((body, index) => {
    const found = new Set()
    for (let at = 0; at + sharedBytes <= body.length; at++) {
      const text = body.toString('latin1', at, at + sharedBytes)
      if (!numbers.has(text)) {
        numbers.set(text, owners.length)
        owners.push([])
      }
      const number = numbers.get(text)
      if (found.has(number)) continue
      found.add(number)
      owners[number].push(index)
    }
    return [...found]
  })
  return { sequences, owners }
}

/** The indices of the bodies: first the largest one, then always the one that shares the most with the window before it. */
function orderOf(bodies) {
  const { sequences, owners } = sequencesOf(bodies)
  const weights = owners.map(({ length }) => (length > 1 ? length ** -rarity : 0))
  const inWindow = new Uint32Array(owners.length) // the number of bodies in the window that have the sequence
  const shared = new Float64Array(bodies.length)
  const count = (body, step) => {
    for (const sequence of sequences[body]) {
      const had = inWindow[sequence] > 0
      inWindow[sequence] += step
      const sign = Number(inWindow[sequence] > 0) - Number(had)
      if (sign !== 0 && weights[sequence] > 0) for (const owner of owners[sequence]) shared[owner] += sign * weights[sequence]
    }
  }
  const left = new Set(bodies.keys())
  const order = []
  let oldest = 0
  let bytes = 0
  let next = bodies.reduce((most, body, index) => (body.length > bodies[most].length ? index : most), 0)
  while (left.size > 0) {
    order.push(next)
    left.delete(next)
    count(next, 1)
    bytes += bodies[next].length
    for (; bytes > windowBytes && oldest < order.length - 1; oldest++) {
      count(order[oldest], -1)
      bytes -= bodies[order[oldest]].length
    }
    let best = -1
    for (const index of left) {
      const share = shared[index] / (sequences[index].length + shortest)
      if (share > best) {
        best = share
        next = index
      }
    }
  }
  return order
}

/** Names that sort as the functions in this order. */
const namesFor = (order, first) =>
  order.map((index, place) => [first + index, String(place).padStart(6, '0')]).sort(([a], [b]) => a - b)

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path)
  writeFileSync(path, withNames(bytes, namesFor(orderOf(bodiesOf(bytes)), importedFunctions(bytes))))
}
