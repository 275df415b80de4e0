// Whether a model fits, from its header alone: the figures are those of the load, and little is fetched.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, forcing, modules, rejectsWith, withModel } from '../package/support.mjs'
import { splitModel, stretchModel } from '../support/gguf_files.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { whisperModel } from '../support/whisper_model.mjs'
import { useHub } from './support.mjs'

const stories = defaultModelBytes()
const use = useHub({
  'heed/stories': { 'stories-Q8_0.gguf': stories, ...splitModel(stories, 3, 'stories-Q5_K_M') },
})

/** Checks the figures for a file against those of a load with the same options. */
async function isAsLoaded(source, options = {}) {
  const fit = await modelStore.fits(source, options)
  await withModel(source, options, async model => {
    const { bytes, mostBytes } = await model.memory()
    const { info } = model
    assert.equal(fit.fits, true)
    assert.deepEqual([fit.memory.bytes, fit.memory.limit], [bytes, mostBytes])
    assert.equal(fit.memory.weights + fit.memory.workspace, bytes)
    for (const name of [
      'architecture',
      'name',
      'weights',
      'parameters',
      'fileBytes',
      'contextLength',
      'trainedContext',
      'kvCache',
      'parallel',
      'threads',
      'memory64',
    ]) {
      assert.equal(fit[name], info[name], name)
    }
  })
  return fit
}

for (const name of ['llama-gqa', 'gpt2', 'bert', 't5', 'qwen3-embedding', 'lfm2', 'clip', 'vit']) {
  test(`the figures are those of the load: ${name}`, async () => {
    const bytes = goldenBytes(name)
    const { contextLength, memory, tokensPerSecond } = await isAsLoaded(bytes)
    assert.ok(memory.cache >= 0 && memory.workspace > 0)
    const reads = !['clip', 'vit'].includes(name)
    assert.equal(tokensPerSecond.reading > 0, reads || name === 'clip')
    if (contextLength > 8) await isAsLoaded(bytes, { contextLength: 8, threads: 1, parallel: 2 })
  })
}

for (const [what, source] of [
  ['made up', whisperModel({ positions: 50, layers: 2 })],
  ['heed-words', inRoot('models/tiny/heed-words.bin')],
]) {
  test(`of a model that transcribes, too, which has a format of its own: ${what}`, async () => {
    const { architecture, longestContext, trainedContext, memory, tokensPerSecond } = await isAsLoaded(source)
    assert.equal(architecture, 'whisper')
    assert.ok(memory.weights > 0 && memory.cache > 0 && longestContext === trainedContext)
    assert.deepEqual(tokensPerSecond, { reading: 0, writing: 0 })
    const how = { threads: 1, parallel: 1, kvCache: 'f32' }
    const { memory: one } = await isAsLoaded(source, how)
    const memoryLimit = one.bytes + one.cache
    assert.equal((await isAsLoaded(source, { ...how, memoryLimit })).longestContext, trainedContext)
    const short = await modelStore.fits(source, { ...how, memoryLimit: memoryLimit - 1, contextLength: trainedContext })
    assert.ok(!short.fits && short.longestContext < trainedContext)
  })
}

for (const module of modules) {
  test(`and whatever the options: ${module}`, async () => {
    const bytes = []
    for (const kvCache of ['f32', 'f16', 'int16', 'q8', 'q4']) {
      const { memory } = await isAsLoaded(stories, { ...forcing(module), kvCache, threads: 2, contextLength: 100 })
      bytes.push(memory.cache)
    }
    assert.ok(bytes[0] > bytes[1] && bytes[2] > bytes[3] && bytes[3] > bytes[4])
    await isAsLoaded(stories, { ...forcing(module), memoryLimit: 2 ** 24, threads: 3 })
  })
}

test('the longest context that fits is exact, and the error of a load names it', async () => {
  const how = { parallel: 1, kvCache: 'int16' }
  const { memory: all, trainedContext } = await modelStore.fits(undefined, how)
  const memoryLimit = all.bytes + Math.floor(all.cache / 3)
  const { fits, longestContext, memory } = await modelStore.fits(undefined, {
    memoryLimit,
    contextLength: trainedContext,
    ...how,
  })
  assert.equal(fits, false)
  assert.ok(memory.bytes + memory.cache > memory.limit)
  assert.equal(memory.limit, memoryLimit)
  assert.ok(longestContext > 0 && longestContext < trainedContext)
  await withModel(undefined, { memoryLimit, contextLength: longestContext, ...how }, async model => {
    assert.equal(model.info.contextLength, longestContext)
  })
  const error = await loadModel(undefined, { memoryLimit, contextLength: longestContext + 1, ...how }).catch(error => error)
  assert.equal(error.code, 'out-of-memory')
  assert.equal(error.contextLength, longestContext)
  const none = await loadModel(undefined, { memoryLimit: 2 ** 20 }).catch(error => error)
  assert.deepEqual([none.code, none.contextLength], ['out-of-memory', undefined])
  assert.equal((await modelStore.fits(undefined, { memoryLimit: 2 ** 20 })).longestContext, 0)
})

test('a smaller cache that `auto` takes is forecast, too', async () => {
  const how = { parallel: 1, threads: 1, contextLength: 512 }
  const { memory } = await modelStore.fits(undefined, { ...how, kvCache: 'q8' })
  const { kvCache } = await isAsLoaded(stories, { ...how, memoryLimit: memory.bytes + memory.cache })
  assert.equal(kvCache, 'q8')
})

test('of a file on a server it fetches the header, and says what the store has of it', async () => {
  const { hub, options } = use
  for (const source of ['hf:heed/stories:Q8_0', 'hf:heed/stories:Q5_K_M']) {
    hub.served = 0
    const fit = await modelStore.fits(source, options)
    assert.ok(hub.served < stories.length / 5, `${hub.served} bytes`)
    assert.deepEqual([fit.storage.stored, fit.storage.needed, fit.storage.free > 0], [0, fit.fileBytes, true])
    await modelStore.download(source, options)
    hub.requests = []
    const stored = await modelStore.fits(source, options)
    assert.equal(stored.storage.needed, 0)
    assert.deepEqual(hub.requests, [])
    assert.deepEqual(stored.memory, fit.memory)
  }
  const { memory } = await modelStore.fits('hf:heed/stories:Q8_0', options)
  await withModel('hf:heed/stories:Q8_0', options, async model => assert.equal((await model.memory()).bytes, memory.bytes))
})

test('asks for no memory: of a file of many gigabytes, the header is enough', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-fits-'))
  try {
    const { before, at } = stretchModel(stories, 0)
    writeFileSync(join(folder, 'head.gguf'), before.subarray(0, Math.min(at, 2 ** 20)))
    const [cut, whole] = await Promise.all([modelStore.fits(join(folder, 'head.gguf')), modelStore.fits()])
    assert.deepEqual(cut.memory, whole.memory)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what is no model by itself is refused with what it is, and a header that is cut off', async () => {
  const projector = inRoot('models/tiny/mmproj-heed-questions.gguf')
  await rejectsWith('unsupported', /belongs to a text model, and is no model by itself/, modelStore.fits(projector))
  const cut = new Blob([whisperModel({ positions: 50 }).subarray(0, 3000)])
  await rejectsWith('invalid-file', /ends inside its header/, modelStore.fits(cut))
})

test('refuses what a load refuses, and streams, which it would use up', async () => {
  await rejectsWith('invalid-file', /not a GGUF file/, modelStore.fits(new Uint8Array(99)))
  await rejectsWith('invalid-argument', /contextLength/i, modelStore.fits(undefined, { contextLength: 1e6 }))
  await rejectsWith('invalid-argument', /no option "cache"/, modelStore.fits(undefined, { cache: true }))
  const stream = new Blob([stories]).stream()
  for (const source of [stream, new Response(stories)]) {
    await rejectsWith('invalid-argument', /stream/, modelStore.fits(source))
  }
  await withModel(stream, {}, async model => assert.equal(model.info.architecture, 'llama'))
  await rejectsWith('aborted', /aborted/, modelStore.fits(undefined, { signal: AbortSignal.abort() }))
})
