// Split models are read as one, wherever the parts are; errors name what is wrong with a set.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { readGguf } from '../../tools/bench/models/gguf.mjs'
import { types } from '../../tools/bench/models/types.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { defaultModelBytes, hash, rejectsWith, withModel } from '../package/support.mjs'
import { nestedLists, sha256, splitModel, withPair } from '../support/gguf_files.mjs'
import { useHub } from './support.mjs'

const stories = defaultModelBytes()
const parts = splitModel(stories, 5, 'stories-Q8_0')
const names = Object.keys(parts)
const folder = mkdtempSync(join(tmpdir(), 'heed-parts-'))
for (const [name, bytes] of Object.entries(parts)) writeFileSync(join(folder, name), bytes)
after(() => rmSync(folder, { recursive: true }))

const changed = (change, name = 'stories-Q8_0') => splitModel(stories, 5, name, change)
const use = useHub({
  'heed/split': { ...parts, 'README.md': Buffer.from('#') },
  'heed/holes': Object.fromEntries(Object.entries(parts).filter((_, index) => index !== 3)),
  'heed/foreign': { ...parts, [names[2]]: Object.values(changed(keys => ({ ...keys, tensors: 9 })))[2] },
})

const files = () => names.map(name => new File([parts[name]], name))
const logits = async model => hash(await model.logits([1, 5, 9], { positions: 'all' }))

test('a split model gives the same bits as the whole file, from any source', async () => {
  const { hub, options } = use
  const expected = await withModel(undefined, {}, logits)
  const address = hub.address('heed/split', names[0])
  const sources = {
    'a hub': ['hf:heed/split:Q8_0', options],
    'a hub, kept': ['hf:heed/split:Q8_0', { ...options, cache: true }],
    'the store': ['hf:heed/split:Q8_0', { ...options, cache: true }],
    'an address of its first part': [address],
    'an address of another part': [hub.address('heed/split', names[3])],
    addresses: [names.map(name => hub.address('heed/split', name))],
    'addresses, kept': [address, { cache: true }],
    'Files in any order': [files().toReversed()],
    'a path': [join(folder, names[0])],
    paths: [names.map(name => join(folder, name))],
  }
  for (const [name, [source, load]] of Object.entries(sources)) {
    assert.equal(await withModel(source, load, logits), expected, name)
  }
  assert.equal((await modelStore.list()).length, 2)
  const imported = await modelStore.import(files())
  assert.equal(imported.source, 'store:stories-Q8_0.gguf')
  assert.equal(await withModel(imported.source, {}, logits), expected)
})

for (const name of ['qbase-Q1_0', 'qbase-Q2_0', 'nv-NVFP4']) {
  const path = inRoot('../shared/oracle26/quant', `${name}.gguf`)
  test(`joins parts of every tensor type: ${name}`, { skip: !existsSync(path) && `${path} is missing` }, async () => {
    const whole = readFileSync(path)
    const set = Object.entries(splitModel(whole, 3, name)).map(([part, bytes]) => new File([bytes], part))
    assert.equal(await withModel(set, {}, logits), await withModel(whole, {}, logits))
  })
}

test('lists of lists in the metadata are read past, whole or in parts, as deep as the engine reads them', async () => {
  const expected = await withModel(undefined, {}, logits)
  for (const depth of [1, 2, 8]) {
    const model = withPair(stories, nestedLists('some.lists', depth))
    const inParts = Object.entries(splitModel(model, 3, 'lists')).map(([name, bytes]) => new File([bytes], name))
    for (const source of [model, inParts]) assert.equal(await withModel(source, {}, logits), expected, `${depth} deep`)
  }
  const deeper = withPair(stories, nestedLists('some.lists', 9))
  const inParts = Object.entries(splitModel(deeper, 3, 'lists')).map(([name, bytes]) => new File([bytes], name))
  for (const source of [deeper, inParts]) await rejectsWith('invalid-file', /nested more than 8 deep/, () => loadModel(source))
})

test('stores the parts separately, each with its hash', async () => {
  const { hub, options } = use
  hub.breaks = [
    { at: 1000, how: 'reset', path: names[2] },
    { at: 90_000, how: 'end', path: names[4] },
  ]
  const model = await modelStore.download('hf:heed/split:Q8_0', options)
  assert.deepEqual(
    model.parts.map(({ name, sha256: sum, complete }) => [name, sum, complete]),
    names.map(name => [name, sha256(parts[name]), true]),
  )
  assert.equal(
    model.bytes,
    names.reduce((sum, name) => sum + parts[name].length, 0),
  )
  assert.equal(model.name, 'stories-Q8_0.gguf')
  assert.ok(hub.served < model.bytes * 1.02 + 2 ** 20)
})

test('rejects a model that does not fit before it fetches the parts', async () => {
  const { hub, options } = use
  await rejectsWith('out-of-memory', /\d/, () => loadModel('hf:heed/split:Q8_0', { ...options, memoryLimit: 100_000 }))
  assert.ok(hub.served < stories.length, `${hub.served} bytes were sent`)
})

const mamba = Buffer.from(stories)
mamba.write('mamba', mamba.indexOf('llama'))

/** A part whose matrices claim to be Q4_0 instead of Q8_0: shorter, in the same places. */
function inQ4(part) {
  const file = Buffer.from(part)
  for (const { bytes } of readGguf(file).tensors) {
    const type = bytes.length - 4
    if (bytes.readUInt32LE(type) === types.q8_0.code) bytes.writeUInt32LE(types.q4_0.code, type)
  }
  return file
}

const renamed = (set, index, name) => new File([Object.values(set)[index]], name)
const wrongSets = {
  'a part is missing': [() => files().filter((_, index) => index !== 1), /missing: 2\b/],
  'two parts are missing': [() => files().filter((_, index) => index !== 1 && index !== 4), /missing: 2, 5/],
  'a part is there twice': [() => [...files(), renamed(parts, 2, 'copy.gguf')], /copy\.gguf and stories.*00003.*both part 3/],
  'one is of a set of another size': [
    () => [...files().slice(1), renamed(splitModel(stories, 3, 'other'), 0, 'other.gguf')],
    /other\.gguf.* of 3 parts/,
  ],
  'one is of a model with other tensors': [
    () =>
      files().with(
        2,
        renamed(
          changed(keys => ({ ...keys, tensors: 9 })),
          2,
          'alien.gguf',
        ),
      ),
    /alien\.gguf.*tensors\.count/,
  ],
  'one has tensors of another': [
    () =>
      files().with(
        2,
        renamed(
          changed((keys, part) => (part === 0 ? { ...keys, no: 2 } : keys)),
          0,
          'twin.gguf',
        ),
      ),
    /twin\.gguf/,
  ],
  'one is no part': [() => [...files().slice(1), new File([stories], 'whole.gguf')], /whole\.gguf.*not part/],
  'one is no model': [() => [...files().slice(1), new File(['hello, hello, hello, hello'], 'text.gguf')], /text\.gguf.*GGUF/],
  'parts of a number that no model has': [
    () => {
      const set = changed(keys => ({ ...keys, count: 3e8 }))
      return [renamed(set, 1, 'vast.gguf'), renamed(set, 2, 'huge.gguf')]
    },
    /vast\.gguf is one of 300000000 parts; missing: 1, 4, .* and 299999978 more/,
  ],
  'one is of a model of another name': [
    () => files().with(2, renamed(parts, 2, 'foxes-Q8_0-00003-of-00005.gguf')),
    /foxes-Q8_0-00003-of-00005\.gguf belongs to another model: the other parts are of stories-Q8_0\.gguf/,
  ],
  'one has other metadata': [
    () =>
      files().with(
        2,
        renamed(
          splitModel(mamba, 5, 'other', (keys, part) => (part === 0 ? { ...keys, no: 2 } : keys)),
          0,
          'meta.gguf',
        ),
      ),
    /meta\.gguf belongs to another model: its general\.architecture is mamba, that of .* llama/,
  ],
  'one is quantized otherwise': [
    () => files().with(2, new File([inQ4(parts[names[2]])], 'narrow.gguf')),
    /narrow\.gguf belongs to another model: its tensors are of other types/,
  ],
  'a part alone': [() => files()[1], /missing: 1, 3, 4, 5/],
  'a number that is too large': [
    () => [
      renamed(
        changed(keys => ({ ...keys, no: keys.no + 4 })),
        1,
        'far.gguf',
      ),
      ...files().slice(1),
    ],
    /far\.gguf.*part 6 of 5/,
  ],
}
for (const [name, [source, message]] of Object.entries(wrongSets)) {
  test(`explains what is wrong: ${name}`, () => rejectsWith('invalid-file', message, () => loadModel(source())))
}

test('explains what is wrong with a set on a hub or on the disk', async () => {
  const { hub, options } = use
  await rejectsWith('invalid-argument', /no file.*00004-of-00005/, () => loadModel('hf:heed/holes:Q8_0', options))
  await rejectsWith('network', /00004-of-00005.*404/, () => loadModel(hub.address('heed/holes', names[0])))
  await rejectsWith('invalid-file', /00003.*tensors\.count/, () => modelStore.download('hf:heed/foreign:Q8_0', options))
  await rejectsWith('invalid-file', /00003.*tensors\.count/, () => loadModel('hf:heed/foreign:Q8_0', { ...options, cache: true }))
  assert.deepEqual(
    (await modelStore.list()).filter(({ complete }) => complete),
    [],
  )
  rmSync(join(folder, names[1]))
  await rejectsWith('io', /00002-of-00005/, () => loadModel(join(folder, names[0])))
})

test('an import of a single part names the others, and leaves the whole model', async () => {
  const { source, bytes } = await modelStore.import(files())
  const missing = /is one of 5 parts; missing: 1, 3, 4, 5/
  const [whole, named] = [new File([stories], names[1]), new File([parts[names[1]]], 'fox.gguf')]
  for (const part of [files()[1], named]) await rejectsWith('invalid-file', missing, () => modelStore.import(part))
  await rejectsWith('invalid-file', missing, () => modelStore.import(new Blob([parts[names[1]]]), { name: 'fox.gguf' }))
  await rejectsWith('invalid-file', /is not part of a split model/, () => modelStore.import(whole))
  assert.deepEqual(
    (await modelStore.list()).map(model => [model.source, model.bytes]),
    [[source, bytes]],
  )
  await withModel(source, {}, () => {})
  const [[name, only]] = Object.entries(splitModel(stories, 1, 'only'))
  await modelStore.import(new File([only], name))
  await withModel(`store:${name}`, {}, () => {})
})

test('rejects what cannot be parts', async () => {
  await rejectsWith('invalid-argument', /parts/, () => loadModel([]))
  await rejectsWith('invalid-argument', /parts/, () => loadModel([stories, stories]))
  await rejectsWith('invalid-argument', /2 sums for 1 file/, () =>
    loadModel(new File([stories], 'model.gguf'), { integrity: [0, 1].map(() => `sha256-${sha256(stories)}`) }),
  )
})
