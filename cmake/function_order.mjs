// Orders the functions of a WebAssembly module so that a page downloads fewer bytes: `node function_order.mjs FILE`, before
// `wasm-opt --reorder-functions-by-name`. gzip finds only repetitions within the last 32 KB, so each function follows the ones with
// which it has the most in common. The order depends only on the bytes of the functions.
import { readFileSync, writeFileSync } from 'node:fs'

/** The length of the byte sequences that are compared, and about the size of gzip's window. */
const sharedBytes = 5
const windowBytes = 31_000
/**
 * The weight of a sequence decreases with the number of functions that have it. The divisor keeps short functions from matching
 * merely because they are short.
 */
const rarity = 0.55
const shortest = 20

/** Reads unsigned numbers in LEB128. */
function reader(bytes, at = 0) {
  return {
    get at() {
      return at
    },
    skip(count) {
      at += count
    },
    number() {
      let value = 0
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++]
        value += (byte & 127) * scale
        if (byte < 128) return value
      }
    },
  }
}

function leb(value) {
  const bytes = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128)
  return Buffer.from([...bytes, value])
}

const withLength = bytes => Buffer.concat([leb(bytes.length), bytes])

/** [{id, from, start, end}]: a section's id, and where in the file it, its content and its end are. */
function sectionsOf(bytes) {
  const sections = []
  for (let from = 8; from < bytes.length; from = sections.at(-1).end) {
    const content = reader(bytes, from + 1)
    const size = content.number()
    sections.push({ id: bytes[from], from, start: content.at, end: content.at + size })
  }
  return sections
}

const [custom, imports, code] = [0, 2, 10]

/** The number of imported functions. They come first in the numbering. */
function importedFunctions(bytes, section) {
  const read = reader(bytes, section.start)
  const limits = () => {
    if (read.number() & 1) read.number()
    read.number()
  }
  const skipped = [
    () => read.number(), // a function's type
    () => (read.skip(1), limits()), // a table
    limits, // a memory
    () => read.skip(2), // a global
    () => (read.skip(1), read.number()), // a tag
  ]
  let functions = 0
  for (let left = read.number(); left > 0; left--) {
    for (let name = 0; name < 2; name++) read.skip(read.number())
    const kind = read.number()
    if (kind === 0) functions++
    skipped[kind]()
  }
  return functions
}

function bodiesOf(bytes, section) {
  const read = reader(bytes, section.start)
  return Array.from({ length: read.number() }, () => {
    const size = read.number()
    read.skip(size)
    return bytes.subarray(read.at - size, read.at)
  })
}

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

/** A custom section with the names of functions. */
function namesOf(order, first) {
  const places = new Map(order.map((index, place) => [index, place]))
  const names = [...places.keys()]
    .sort((a, b) => a - b)
    .map(index => {
      const name = Buffer.from(String(places.get(index)).padStart(6, '0'))
      return Buffer.concat([leb(first + index), withLength(name)])
    })
  const ofFunctions = Buffer.concat([leb(names.length), ...names])
  const content = Buffer.concat([withLength(Buffer.from('name')), Buffer.from([1]), withLength(ofFunctions)])
  return Buffer.concat([Buffer.from([custom]), withLength(content)])
}

const isNames = (bytes, { id, start }) => id === custom && bytes.toString('latin1', start, start + 5) === '\x04name'

const [path] = process.argv.slice(2)
const bytes = readFileSync(path)
const sections = sectionsOf(bytes)
const imported = sections.find(({ id }) => id === imports)
const order = orderOf(
  bodiesOf(
    bytes,
    sections.find(({ id }) => id === code),
  ),
)
const kept = sections.filter(section => !isNames(bytes, section)).map(({ from, end }) => bytes.subarray(from, end))
writeFileSync(
  path,
  Buffer.concat([bytes.subarray(0, 8), ...kept, namesOf(order, imported ? importedFunctions(bytes, imported) : 0)]),
)
