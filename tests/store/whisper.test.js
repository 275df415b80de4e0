// Models in whisper.cpp's format in the store: downloaded, imported, checked and chosen as GGUF files are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { rejectsWith, withModel } from '../package/support.mjs'
import { sha256 } from '../support/gguf_files.mjs'
import { chirp, whisperModel } from '../support/whisper_model.mjs'
import { useHub } from './support.mjs'

const small = whisperModel({ positions: 50 })
const other = whisperModel({ positions: 40, layers: 2 })
const use = useHub({
  'heed/ears': { 'ggml-tiny-q5_1.bin': small, 'ggml-tiny-q8_0.bin': other, 'pytorch_model.bin': Buffer.from('PK') },
  'heed/ear': { 'ggml-model.bin': small, 'README.md': Buffer.from('# Ear') },
})
const hear = async model => {
  const { text } = await model.transcribe({ sampleRate: 16_000, data: chirp(1) }, { temperature: 0, timestamps: false })
  return text
}

test('a model of a hub is stored and loaded from the store', async () => {
  const expected = await withModel(small, {}, hear)
  for (const source of ['hf:heed/ears/ggml-tiny-q5_1.bin', 'hf:heed/ears:Q5_1', 'hf:heed/ear']) {
    assert.equal(await withModel(source, { ...use.options, cache: true }, hear), expected, source)
    use.hub.requests = []
    assert.equal(await withModel(source, { ...use.options, cache: true }, hear), expected, source)
    assert.deepEqual(use.hub.requests, [], source)
    const [{ sha256: sum, complete }] = await modelStore.list()
    assert.deepEqual({ sum, complete }, { sum: sha256(small), complete: true })
    await modelStore.clear()
  }
  await rejectsWith('invalid-argument', /Available: q5_1, q8_0/, () => loadModel('hf:heed/ears', use.options))
})

test('a file that ends early, and one that lacks a checksum', async () => {
  const address = use.hub.address('heed/ears', 'ggml-tiny-q8_0.bin')
  use.hub.behavior = { cut: other.length - 9 }
  await rejectsWith('invalid-file', /ends after \d+ of \d+ bytes/, () => modelStore.download(address))
  use.hub.behavior = {}
  const stored = await modelStore.download(address)
  assert.equal(stored.sha256, sha256(other))
})

test("a user's file", async () => {
  const { source } = await modelStore.import(new File([small], 'ears.bin'))
  assert.equal(await withModel(source, {}, hear), await withModel(small, {}, hear))
  const cut = new File([small.subarray(0, small.length - 1)], 'cut.bin')
  await rejectsWith('invalid-file', /cut\.bin ends after \d+ of \d+ bytes/, () => modelStore.import(cut))
  const header = new File([small.subarray(0, 3000)], 'header.bin')
  await rejectsWith('invalid-file', /header\.bin: it ends inside its header/, () => modelStore.import(header))
})
