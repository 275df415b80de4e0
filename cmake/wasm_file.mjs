// Reads WebAssembly modules, and writes names into them: what function_order.mjs and split.mjs share.

/** Reads unsigned numbers in LEB128. */
export function reader(bytes, at = 0) {
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
    text() {
      const length = this.number()
      at += length
      return bytes.toString('utf8', at - length, at)
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
export function sectionsOf(bytes) {
  const sections = []
  for (let from = 8; from < bytes.length; from = sections.at(-1).end) {
    const content = reader(bytes, from + 1)
    const size = content.number()
    sections.push({ id: bytes[from], from, start: content.at, end: content.at + size })
  }
  return sections
}

const [custom, imports, code] = [0, 2, 10]

const sectionOf = (bytes, id) => sectionsOf(bytes).find(section => section.id === id)

/** The number of imported functions. They come first in the numbering. */
export function importedFunctions(bytes) {
  const section = sectionOf(bytes, imports)
  if (!section) return 0
  const read = reader(bytes, section.start)
  const limits = () => {
    const flags = read.number()
    read.number()
    if (flags & 1) read.number()
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

/** The bodies of the functions that are not imported. */
export function bodiesOf(bytes) {
  const read = reader(bytes, sectionOf(bytes, code).start)
  return Array.from({ length: read.number() }, () => {
    const size = read.number()
    read.skip(size)
    return bytes.subarray(read.at - size, read.at)
  })
}

const isNames = (bytes, { id, start }) => id === custom && bytes.toString('latin1', start, start + 5) === '\x04name'

/** The names of functions, by number. */
export function namesIn(bytes) {
  const names = new Map()
  for (const section of sectionsOf(bytes).filter(section => isNames(bytes, section))) {
    const read = reader(bytes, section.start + 5)
    while (read.at < section.end) {
      const kind = read.number()
      const end = read.number() + read.at
      if (kind === 1) for (let left = read.number(); left > 0; left--) names.set(read.number(), read.text())
      read.skip(end - read.at)
    }
  }
  return names
}

/** The module with these names of functions, in pairs of number and name, in place of all names that it has. */
export function withNames(bytes, names) {
  const pairs = names.map(([number, name]) => Buffer.concat([leb(number), withLength(Buffer.from(name))]))
  const ofFunctions = Buffer.concat([leb(pairs.length), ...pairs])
  const content = Buffer.concat([withLength(Buffer.from('name')), Buffer.from([1]), withLength(ofFunctions)])
  const kept = sectionsOf(bytes).filter(section => !isNames(bytes, section))
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...kept.map(({ from, end }) => bytes.subarray(from, end)),
    Buffer.from([custom]),
    withLength(content),
  ])
}
