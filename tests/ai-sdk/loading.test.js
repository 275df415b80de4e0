// Where models of the AI SDK come from: loaded ones, promises, and sources that are loaded on first use.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createProviderRegistry, embed, generateText, NoSuchModelError, rerank, wrapProvider } from 'ai'
import { loadModel } from 'heed'
import { createHeed, heed } from 'heed/ai-sdk'
import { inRoot } from '../../tools/paths.mjs'
import { rejectsWith } from '../package/support.mjs'
import { goldenFile } from '../support/golden.mjs'
import { serveModel } from '../support/model_server.mjs'
import { reranker } from '../support/reranker.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { asks } from './support.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-ai-sdk-'))
const path = join(folder, 'chat.gguf')
const bytes = scriptedModel(['Yes.'])
let server

before(async () => {
  writeFileSync(path, bytes)
  server = await serveModel(bytes)
})
after(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

const ask = model => generateText({ model, prompt: 'Hi', temperature: 0 })

/** Wraps `loadModel` to record its calls and models. */
function counting(load = loadModel) {
  const counted = async (source, options) => {
    counted.loads.push([source, options])
    const model = await load(source, options)
    counted.models.push(model)
    return model
  }
  return Object.assign(counted, {
    loads: [],
    models: [],
    dispose: () => Promise.all(counted.models.map(model => model.dispose())),
  })
}

test('accepts a loaded model, and a promise of one', async () => {
  const loading = loadModel(path)
  const promised = heed(loading)
  assert.equal((await ask(promised)).text, 'Yes.')
  const model = await loading
  assert.equal(await promised.load(), model)
  assert.deepEqual([heed(model).modelId, heed(model).provider, heed(model).specificationVersion], ['scripted', 'heed.chat', 'v4'])
  assert.equal((await ask(heed.languageModel(model))).text, 'Yes.')
  await model.dispose()
  await rejectsWith('disposed', /disposed/, ask(heed(model)))
  await rejectsWith('io', /./, ask(heed(loadModel(join(folder, 'none.gguf')))))
})

test('a loaded model, or a promise of one, takes no options of loading', async () => {
  const loading = loadModel(path)
  const model = await loading
  for (const given of [model, loading]) {
    assert.throws(() => heed(given, { threads: 2 }), {
      code: 'invalid-argument',
      message: /threads: the model is loaded by its owner/,
    })
    assert.equal((await ask(heed(given, { threads: undefined }))).text, 'Yes.')
  }
  await model.dispose()
})

test('loads a source once, on first use', async () => {
  const load = counting()
  const provider = createHeed({ loadModel: load, threads: 1 })
  const options = { contextLength: 512 }
  const model = provider(path, options)
  assert.deepEqual([model.modelId, load.loads.length], ['chat.gguf', 0])
  const [{ text, response }] = await Promise.all([
    ask(model),
    ask(provider(path, { ...options })),
    ask(provider.languageModel(path, options)),
  ])
  assert.deepEqual([text, response.modelId, load.loads.length], ['Yes.', 'scripted', 1])
  const [source, { threads, contextLength }] = load.loads[0]
  assert.deepEqual([source, threads, contextLength], [path, 1, 512])
  await ask(provider(path))
  assert.equal(load.loads.length, 2)
  const file = new Blob([bytes])
  await Promise.all([ask(provider(file)), ask(provider(file)), ask(provider(new Blob([bytes])))])
  assert.equal(load.loads.length, 4)
  await load.dispose()
})

test('files in options are distinguished, and the last call’s signal and callback count', async () => {
  const load = counting(async (_, { signal, onProgress }) => {
    signal?.throwIfAborted()
    onProgress({ phase: 'download', loaded: 1, total: 1 })
    return loadModel(path, { threads: 1 })
  })
  const provider = createHeed({ loadModel: load })
  const [one, other] = [1, 2].map(() => new Blob([bytes]))
  for (const projector of [one, other, Buffer.from('a'), one]) await ask(provider(path, { projector }))
  for (const adapters of [{ a: one }, { a: other }, { a: one }]) await ask(provider(path, { adapters }))
  assert.deepEqual(load.loads.map(([, { projector, adapters }]) => projector ?? adapters.a).slice(0, 2), [one, other])
  assert.equal(load.loads.length, 5)
  await assert.rejects(ask(provider('aborted', { signal: AbortSignal.abort() })), { name: 'AbortError' })
  const seen = []
  const model = provider('aborted', { onProgress: ({ loaded }) => seen.push(loaded) })
  assert.equal((await ask(model)).text, 'Yes.')
  assert.deepEqual(seen, [1])
  assert.throws(() => provider(load.models[0], { threads: 2 }), { code: 'invalid-argument', message: /^threads: / })
  assert.throws(() => provider(Promise.resolve(load.models[0]), { bogus: 1 }), /^HeedError: bogus: /)
  await load.dispose()
})

test("loads with the package's own loadModel", async () => {
  const model = heed(path, { threads: 1 })
  assert.equal((await ask(model)).text, 'Yes.')
  await (await model.load()).dispose()
  const stories = heed()
  assert.equal(stories.modelId, 'heed-stories')
  const { text } = await generateText({
    model: stories,
    prompt: 'Write a story about a fox and a lantern.',
    maxOutputTokens: 20,
    providerOptions: { heed: { template: "{{ messages[0]['content'] + '\n' }}" } },
  })
  assert.ok(text.length > 20)
  await (await stories.load()).dispose()
})

test('reports the download to every caller', async () => {
  const seen = { options: [], load: [], late: [] }
  const model = createHeed()(`${server.url}/model`, { onProgress: progress => seen.options.push(progress) })
  assert.equal(model.modelId, 'model')
  const [loaded] = await Promise.all([model.load(progress => seen.load.push(progress)), ask(model)])
  assert.deepEqual(seen.load, seen.options)
  const { phase, loaded: count, total } = seen.load.at(-1)
  assert.deepEqual([phase, count, total], ['download', bytes.length, bytes.length])
  assert.equal(await model.load(progress => seen.late.push(progress)), loaded)
  assert.deepEqual(seen.late, [seen.load.at(-1)])
  await loaded.dispose()
})

test('retries a failed load, and reloads a disposed model', async () => {
  let isDown = true
  const load = counting(async (...args) => {
    if (isDown) throw new Error('no network')
    return loadModel(...args)
  })
  const model = createHeed({ loadModel: load })(path)
  await assert.rejects(ask(model), /no network/)
  isDown = false
  assert.equal((await ask(model)).text, 'Yes.')
  await (await model.load()).dispose()
  assert.equal((await ask(model)).text, 'Yes.')
  assert.equal(load.loads.length, 3)
  await load.dispose()
})

test('an abort ends the wait for a model, not its load', async () => {
  const load = counting()
  const model = createHeed({ loadModel: load })(path)
  const controller = new AbortController()
  const reason = new Error('enough')
  const waiting = model.doStream({ prompt: asks('Hi'), abortSignal: controller.signal })
  controller.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(model.doGenerate({ prompt: asks('Hi'), abortSignal: controller.signal }), reason)
  assert.equal((await ask(model)).text, 'Yes.')
  assert.equal(load.loads.length, 1)
  await load.dispose()
})

test("is a provider for the SDK's own functions", async () => {
  const registry = createProviderRegistry({ heed })
  assert.equal((await ask(registry.languageModel(`heed:${path}`))).text, 'Yes.')
  assert.equal((await ask(wrapProvider({ provider: heed, languageModelMiddleware: [] }).languageModel(path))).text, 'Yes.')
  const bert = goldenFile('bert')
  const [{ embedding }, { embedding: same }] = await Promise.all(
    [registry.embeddingModel(`heed:${bert}`), heed.textEmbeddingModel(bert)].map(model => embed({ model, value: 'the fox' })),
  )
  assert.deepEqual(embedding, same)
  const scores = join(folder, 'reranker.gguf')
  writeFileSync(scores, reranker().bytes)
  const { ranking } = await rerank({ model: registry.rerankingModel(`heed:${scores}`), query: 'fox', documents: ['owls', 'fox'] })
  assert.equal(ranking.length, 2)
  assert.throws(
    () => heed.imageModel('any'),
    error => NoSuchModelError.isInstance(error) && error.modelType === 'imageModel',
  )
  await Promise.all([heed(path), heed.embedding(bert), heed.reranking(scores)].map(async model => (await model.load()).dispose()))
})

test('contains no code of the SDK, and imports Heed on demand', () => {
  for (const [name, later] of [
    ['ai-sdk.js', './index.js'],
    ['ai-sdk.node.js', './index.node.js'],
  ]) {
    const code = readFileSync(inRoot('dist', name), 'utf8')
    assert.deepEqual(
      [...code.matchAll(/\bimport\b\s*\(?\s*([^)]*?)\)/g)].map(([, what]) => what),
      [`"${later}"`],
    )
    assert.doesNotMatch(code, /\bfrom\s*["'`]|\brequire\(/)
  }
  const code = readFileSync(inRoot('dist/ai-sdk.cjs'), 'utf8')
  assert.deepEqual(
    [...code.matchAll(/\brequire\(([^)]*)\)/g)].map(([, what]) => what),
    ['"./index.node.cjs"'],
  )
})

test('can be required from CommonJS', async () => {
  const required = createRequire(import.meta.url)('heed/ai-sdk')
  assert.deepEqual(Object.keys(required).sort(), ['createHeed', 'heed'])
  const model = required.heed(path)
  assert.equal((await ask(model)).text, 'Yes.')
  await (await model.load()).dispose()
})

test('after dispose, the next call or load() loads the model again, and the provider disposes of it', async () => {
  const load = counting()
  const provider = createHeed({ loadModel: load, threads: 1 })
  const model = provider(path)
  await model.dispose()
  assert.equal(load.loads.length, 0) // it loads nothing
  for (const use of [
    () => ask(model),
    async () => (await model.load()).chat([{ role: 'user', content: 'Hi' }], { temperature: 0 }),
  ]) {
    for (const end of [
      async () => (await model.load()).dispose(),
      () => model.dispose(),
      () => provider(path).dispose(),
      () => model[Symbol.asyncDispose](),
    ]) {
      assert.equal((await use()).text, 'Yes.')
      const { length } = load.loads
      await end()
      assert.ok(load.models.at(-1).isLost)
      assert.equal((await use()).text, 'Yes.')
      assert.equal(load.loads.length, length + 1)
    }
  }
  // As React's StrictMode does: mounted, unmounted while it loads, mounted again.
  for (const unmount of [() => model.dispose(), async () => (await model.load()).dispose()]) {
    await model.dispose()
    const { length } = load.loads
    const first = model.load()
    const gone = unmount()
    const second = model.load()
    await Promise.all([first, gone, second])
    assert.equal((await ask(model)).text, 'Yes.')
    assert.ok(!(await second).isLost || !(await model.load()).isLost)
    assert.equal(load.loads.length, length + 2)
  }
  await model.dispose()
  assert.ok(load.models.every(({ isLost }) => isLost))
  // A model that is passed in loaded belongs to its owner.
  const own = await loadModel(path)
  await heed(own).dispose()
  assert.equal((await ask(heed(own))).text, 'Yes.')
  const promised = heed(Promise.resolve(own))
  await promised.load()
  await promised.dispose()
  assert.equal(own.isLost, false)
  await own.dispose()
  await rejectsWith('disposed', /disposed/, ask(promised))
  assert.equal(await promised.load(), own) // there is no other
})

test('a load that fails while it is disposed of leaves the provider usable', async () => {
  let fails = true
  const provider = createHeed({
    loadModel: async () => {
      if (fails) throw new Error('no')
      return loadModel(path)
    },
  })
  const model = provider('x')
  const loading = model.load()
  await model.dispose()
  await assert.rejects(loading, /no/)
  fails = false
  assert.equal((await ask(model)).text, 'Yes.')
  await model.dispose()
})
