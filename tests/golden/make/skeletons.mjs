// Writes tests/golden/data/skeletons.json from the models of ../shared/oracle27 and oracle27r: what a file of each newer architecture
// contains, without its numbers and its vocabulary. tests/support/newer_families.mjs makes models of that.
//   node tests/golden/make/skeletons.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'

const kinds = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32', 'bool', 'string', 'array', 'u64', 'i64', 'f64']
const readers = {
  u32: (file, at) => [file.readUInt32LE(at), 4],
  i32: (file, at) => [file.readInt32LE(at), 4],
  f32: (file, at) => [file.readFloatLE(at), 4],
  bool: (file, at) => [file.readUInt8(at) !== 0, 1],
  string(file, at) {
    const length = Number(file.readBigUInt64LE(at))
    return [file.toString('utf8', at + 8, at + 8 + length), 8 + length]
  },
}

/** The keys, {key: [kind, value]}, and the tensors, {name: shape}, in a file's header. */
function headerOf(file) {
  let at = 24
  const read = kind => {
    const [value, size] = readers[kind](file, at)
    at += size
    return value
  }
  const valueOf = kind => {
    if (kind !== 'array') return [kind, read(kind)]
    const of = kinds[read('u32')]
    const count = read('u32') + 2 ** 32 * read('u32')
    return [of, Array.from({ length: count }, () => read(of))]
  }
  const [tensors, pairs] = [Number(file.readBigUInt64LE(8)), Number(file.readBigUInt64LE(16))]
  const keys = Object.fromEntries(Array.from({ length: pairs }, () => [read('string'), valueOf(kinds[read('u32')])]))
  const shapes = Object.fromEntries(
    Array.from({ length: tensors }, () => {
      const name = read('string')
      const shape = Array.from({ length: read('u32') }, () => read('u32') + 2 ** 32 * read('u32'))
      at += 12 // the type and the offset
      return [name, shape.toReversed()]
    }),
  )
  return { keys, shapes }
}

/** Without what belongs to a vocabulary; its size in shapes becomes 0. */
function skeletonOf({ keys, shapes }) {
  const vocabulary = keys['tokenizer.ggml.tokens'][1].length
  const architecture = keys['general.architecture'][1]
  const own = Object.entries(keys).filter(([key]) => key.startsWith(`${architecture}.`) && !key.endsWith('.vocab_size'))
  const alike = new Map() // the layers that have a tensor of the same name and shape
  for (const [name, shape] of Object.entries(shapes)) {
    const [, layer, rest] = /^blk\.(\d+)\.(.*)$/.exec(name) ?? [undefined, '', name]
    const sizes = /^(token_embd|output)\./.test(name) ? shape.map(size => (size === vocabulary ? 0 : size)) : shape
    const form = `${layer ? 'blk.' : ''}${rest} ${sizes}`
    alike.set(form, [...(alike.get(form) ?? []), ...(layer ? [Number(layer)] : [])])
  }
  return {
    architecture,
    keys: Object.fromEntries(own.map(([key, value]) => [key.slice(architecture.length + 1), value])),
    tensors: Object.fromEntries(alike),
  }
}

const skeletons = {}
for (const set of ['oracle27', 'oracle27r']) {
  for (const name of readdirSync(inRoot('../shared', set, 'models')).sort()) {
    const skeleton = skeletonOf(headerOf(readFileSync(inRoot('../shared', set, 'models', name))))
    skeletons[skeleton.architecture] ??= skeleton // the first of an architecture
  }
}
const lines = Object.values(skeletons)
  .sort((a, b) => (a.architecture < b.architecture ? -1 : 1))
  .map(skeleton => JSON.stringify(skeleton))
writeFileSync(inRoot('tests/golden/data/skeletons.json'), `[\n${lines.join(',\n')}\n]\n`)
