// The metadata of a model's file, wherever the file came from.
import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { readGguf } from '../../tools/bench/models/gguf.mjs'
import { defaultModelBytes, defaultModelPath, rejectsWith, withModel } from '../package/support.mjs'
import { nestedLists, splitModel, withPair } from '../support/gguf_files.mjs'
import { projectorFile } from '../support/projector_model.mjs'
import { useHub } from './support.mjs'

const stories = defaultModelBytes()
const use = useHub({
  'heed/stories': { 'stories-Q8_0.gguf': stories, ...splitModel(stories, 3, 'stories-Q5_K_M') },
})

test('is the same from every source', async () => {
  const { options } = use
  await modelStore.import(new File([stories], 'fox.gguf'))
  const expected = await withModel(defaultModelPath, {}, model => model.metadata())
  assert.equal(Object.keys(expected).length, readGguf(stories).pairs.length)
  assert.deepEqual(expected['general.architecture'], { type: 'string', value: 'llama' })
  const sources = {
    bundled: [undefined],
    bytes: [stories],
    stream: [new Blob([stories]).stream()],
    Blob: [new Blob([stories])],
    'Blob of a file': [await openAsBlob(defaultModelPath)],
    stored: ['store:fox.gguf'],
    hub: ['hf:heed/stories:Q8_0', options],
    'hub, stored': ['hf:heed/stories:Q8_0', { ...options, cache: true }],
    URL: [use.hub.address('heed/stories', 'stories-Q8_0.gguf')],
  }
  for (const [name, [source, load]] of Object.entries(sources)) {
    const found = await withModel(source, load, async model => {
      await model.generate('Once', { maxTokens: 2 })
      return model.metadata()
    })
    assert.deepEqual(found, expected, name)
  }
  const { 'split.no': _, ...parts } = await withModel('hf:heed/stories:Q5_K_M', options, model => model.metadata())
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(parts[key], value)
})

test('has arrays as a whole, in arrays, too', async () => {
  const file = withPair(stories, nestedLists('heed.nested', 3))
  const { 'heed.nested': nested, 'tokenizer.ggml.tokens': tokens } = await withModel(file, {}, model => model.metadata())
  assert.match(nested.type, /\[\]\[\]\[\]$/)
  assert.equal(tokens.type, 'string[]')
  await withModel(file, {}, async model => assert.equal(tokens.value.length, model.info.vocabulary))
})

test("is also of the projector's file", async () => {
  const projector = new Blob([projectorFile(128)])
  await withModel(undefined, { projector }, async model => {
    const { 'general.type': type, 'general.architecture': architecture } = await model.metadata({ file: 'projector' })
    assert.ok(type?.value === 'mmproj' || architecture.value === 'clip')
    assert.equal((await model.metadata())['general.architecture'].value, 'llama')
  })
  await withModel(undefined, { projector: projectorFile(128) }, async model => {
    await rejectsWith('unsupported', /projector came as a stream/, model.metadata({ file: 'projector' }))
  })
  await withModel(undefined, {}, async model => {
    await rejectsWith('invalid-argument', /no projector/, model.metadata({ file: 'projector' }))
    await rejectsWith('invalid-argument', /file: expected 'model' or 'projector'/, model.metadata({ file: 'adapter' }))
  })
})

test('of a file that has gone is an error, and the model works on', async () => {
  const { hub, options } = use
  const model = await loadModel('hf:heed/stories:Q8_0', options)
  hub.refusals = [404, 404, 404]
  await assert.rejects(model.metadata(), { name: 'HeedError' })
  assert.ok((await model.generate('Once', { maxTokens: 2 })).text)
  await model.dispose()
  await rejectsWith('disposed', /disposed/, model.metadata())
})
