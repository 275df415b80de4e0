// Storing models: the first load writes, the second reads; models are listed, deleted, pruned and imported.
import assert from 'node:assert/strict'
import { mkdtempSync, openAsBlob, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, rejectsWith, withModel } from '../package/support.mjs'
import { blankModel, sha256, splitModel } from '../support/gguf_files.mjs'
import { serveModel } from '../support/model_server.mjs'
import { projectorFile } from '../support/projector_model.mjs'
import { storedFiles, useHub } from './support.mjs'

const stories = defaultModelBytes()
const blank = blankModel(3e6)
const large = blankModel(64e6)
const use = useHub({
  'heed/stories': {
    'stories-Q8_0.gguf': stories,
    'stories-Q4_0.gguf': blank,
    'README.md': Buffer.from('# Stories'),
    ...splitModel(stories, 5, 'stories-Q5_K_M'),
  },
  'heed/one': { 'folder/model.gguf': blankModel(1e6, 2), 'mmproj.gguf': blank },
})
const write = model => model.generate('Once', { maxTokens: 5, seed: 1 }).then(({ text }) => text)

test('stores what it loads, and loads what is stored without a request', async () => {
  const { hub, options } = use
  const phases = []
  const load = () =>
    withModel('hf:heed/stories:Q8_0', { ...options, cache: true, onProgress: ({ phase }) => phases.push(phase) }, write)
  const first = await load()
  assert.ok(phases.includes('download'))
  assert.equal(hub.served, stories.length)
  hub.requests = []
  phases.length = 0
  assert.equal(await load(), first)
  assert.deepEqual(hub.requests, [])
  assert.deepEqual([...new Set(phases)], ['load'])
})

test('reads a stored model from the store, even if it is not asked to store', async () => {
  const { hub, options } = use
  const address = hub.address('heed/stories', 'stories-Q8_0.gguf')
  for (const [source, load] of [
    ['hf:heed/stories:Q8_0', options],
    ['hf:heed/stories:Q5_K_M', options],
    [address, {}],
  ]) {
    await modelStore.download(source, load)
    hub.requests = []
    const written = await withModel(source, load, write)
    assert.deepEqual(hub.requests, [])
    await modelStore.clear()
    assert.equal(await withModel(source, load, write), written)
    assert.ok(hub.requests.length > 0)
    assert.deepEqual(await modelStore.list(), [])
  }
})

test('imports Blobs that Node cannot send to a worker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-blobs-'))
  try {
    const opened = (name, bytes) => {
      writeFileSync(join(folder, name), bytes)
      return openAsBlob(join(folder, name))
    }
    const blob = await opened('whole.gguf', stories)
    assert.throws(() => structuredClone(blob))
    assert.equal((await modelStore.import(blob, { name: 'fox.gguf' })).sha256, sha256(stories))
    const expected = await withModel('store:fox.gguf', {}, write)
    assert.equal(await withModel(blob, { integrity: `sha256-${sha256(stories)}` }, write), expected)
    const parts = await Promise.all(Object.entries(splitModel(stories, 3)).map(([name, bytes]) => opened(name, bytes)))
    assert.equal(await withModel(parts, {}, write), expected)
    await modelStore.import(parts, { name: 'wolf.gguf' })
    assert.equal(await withModel('store:wolf.gguf', {}, write), expected)
    writeFileSync(join(folder, 'whole.gguf'), 'short') // a Blob of a file that has changed cannot be read
    await rejectsWith('io', /The file cannot be read/, modelStore.import(blob, { name: 'bear.gguf' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('lists what is stored', async () => {
  const { options } = use
  await modelStore.download('hf:heed/stories:Q8_0', options)
  const [model, ...others] = await modelStore.list()
  assert.deepEqual(others, [])
  assert.equal(model.source, 'hf:heed/stories:Q8_0')
  assert.equal(model.endpoint, options.hub.endpoint)
  assert.equal(model.name, 'stories-Q8_0.gguf')
  assert.equal(model.bytes, stories.length)
  assert.equal(model.total, stories.length)
  assert.equal(model.complete, true)
  assert.equal(model.sha256, sha256(stories))
  assert.ok(model.etag.length > 0)
  assert.ok(Math.abs(model.lastUsed - Date.now()) < 60_000)
  assert.equal(await modelStore.has('hf:heed/stories:Q8_0', options), true)
  assert.equal(await modelStore.has('hf:heed/stories:Q8_0'), false)
  assert.equal((await modelStore.estimate()).models, stories.length)
})

test('deletes one, by its source or its list entry, and all', async () => {
  const { hub, options } = use
  const address = hub.address('heed/one', 'folder/model.gguf')
  const listed = await modelStore.download('hf:heed/stories:Q8_0', options)
  await modelStore.download(address)
  assert.equal((await modelStore.list()).length, 2)
  assert.equal(await modelStore.delete(address), true)
  assert.equal(await modelStore.delete(address), false)
  assert.equal(await modelStore.delete(listed), true)
  await modelStore.download(address)
  await modelStore.clear()
  assert.deepEqual(await modelStore.list(), [])
  assert.deepEqual(Object.keys(storedFiles()), [])
})

test('prunes the least recently used', async () => {
  const { hub } = use
  const addresses = ['stories-Q8_0.gguf', 'stories-Q4_0.gguf'].map(path => hub.address('heed/stories', path))
  await modelStore.download(addresses[0])
  await modelStore.download(addresses[1])
  await new Promise(resolve => setTimeout(resolve, 5))
  await withModel(addresses[0], { cache: true }, () => {})
  const deleted = await modelStore.prune({ keepBytes: stories.length })
  assert.deepEqual(
    deleted.map(({ source }) => source),
    [addresses[1]],
  )
  assert.deepEqual(
    (await modelStore.list()).map(({ source }) => source),
    [addresses[0]],
  )
  await rejectsWith('invalid-argument', /keepBytes/, () => modelStore.prune({}))
})

test("imports a user's file, and loads it by name", async () => {
  const expected = await withModel(undefined, {}, write)
  const model = await modelStore.import(new File([stories], 'fox.gguf'))
  assert.equal(model.source, 'store:fox.gguf')
  assert.equal(model.sha256, sha256(stories))
  assert.equal(await withModel('store:fox.gguf', {}, write), expected)
  await rejectsWith('io', /store:wolf\.gguf is not in the store/, () => loadModel('store:wolf.gguf'))
  await rejectsWith('invalid-file', /not a GGUF/, () => modelStore.import(new File(['hello, this is no model'], 'text.gguf')))
  await rejectsWith('invalid-argument', /name/, () => modelStore.import(new Blob([stories])))
  assert.equal((await modelStore.list()).length, 1)
})

/** The store's files, once a worker that was stopped has written its last. */
async function settledFiles() {
  for (let before; ; ) {
    const files = readdirSync(process.env.HEED_MODELS).map(name => [name, statSync(join(process.env.HEED_MODELS, name)).size])
    if (JSON.stringify(files) === before) return files
    before = JSON.stringify(files)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Imports a large model as `name` and stops once some of it was copied, like a tab that is closed. */
async function stopImport(name) {
  const stop = new AbortController()
  const stopped = modelStore.import(new File([large], name), { signal: stop.signal, onProgress: () => stop.abort() })
  await assert.rejects(stopped, { name: 'AbortError' })
  return settledFiles()
}

test('an import replaces a model of the same name once the copy is complete', async () => {
  await modelStore.import(new File([stories], 'fox.gguf'))
  const expected = await withModel('store:fox.gguf', {}, write)
  const isUnchanged = async () => {
    assert.equal((await modelStore.list())[0].sha256, sha256(stories))
    assert.equal(await withModel('store:fox.gguf', {}, write), expected)
    assert.equal(Object.keys(storedFiles()).length, 2)
  }
  assert.equal((await stopImport('fox.gguf')).length, 3)
  assert.ok((await modelStore.estimate()).models > stories.length, 'counts what the import left')
  await isUnchanged()
  for (const bytes of [stories, stories, blank, stories]) {
    const model = await modelStore.import(new File([bytes], 'fox.gguf'))
    assert.equal(model.sha256, sha256(bytes))
    assert.equal(model.complete, true)
    assert.equal(Object.keys(storedFiles()).length, 2)
    if (bytes === stories) assert.equal(await withModel(model.source, {}, write), expected)
  }
  await stopImport('fox.gguf')
  assert.equal(await modelStore.delete('store:fox.gguf'), true)
  assert.deepEqual(storedFiles(), {})
})

test('an import that was stopped is listed, and cannot be loaded', async () => {
  await stopImport('wolf.gguf')
  assert.deepEqual(
    (await modelStore.list()).map(({ name, complete }) => [name, complete]),
    [['wolf.gguf', false]],
  )
  await rejectsWith('io', /store:wolf\.gguf is not in the store completely: import it again/, () => loadModel('store:wolf.gguf'))
  await modelStore.import(new File([stories], 'wolf.gguf'))
  const integrity = `sha256-${sha256(blank)}`
  await rejectsWith('io', /store:wolf\.gguf is not in the store with this SHA-256/, () =>
    loadModel('store:wolf.gguf', { integrity }),
  )
})

test('finds a quantization, a path, or the only model', async () => {
  const { hub, options } = use
  const found = async source => (await modelStore.download(source, options)).name
  assert.equal(await found('hf:heed/stories:q4_0'), 'stories-Q4_0.gguf')
  assert.equal(await found('hf:heed/stories/stories-Q4_0.gguf'), 'stories-Q4_0.gguf')
  assert.equal(await found('hf:heed/one'), 'model.gguf')
  assert.equal(await found('hf:heed/one/folder/model.gguf'), 'model.gguf')
  assert.equal(await found('hf:heed/stories:Q5_K_M'), 'stories-Q5_K_M.gguf')
  const requests = hub.requests.filter(({ url }) => url.startsWith('/api/'))
  assert.equal(requests.length, 5)
})

test('lists what is available instead of what is missing', async () => {
  const { options } = use
  const download = source => () => modelStore.download(source, options)
  await rejectsWith('invalid-argument', /no Q2_K.*Available: Q4_0, Q5_K_M, Q8_0/, download('hf:heed/stories:Q2_K'))
  await rejectsWith('invalid-argument', /Which model.*Q4_0, Q5_K_M, Q8_0/, download('hf:heed/stories'))
  await rejectsWith('invalid-argument', /no file missing\.gguf/, download('hf:heed/stories/missing.gguf'))
  await rejectsWith('network', /404/, download('hf:heed/nowhere:Q4_0'))
  await rejectsWith('invalid-argument', /OWNER/, download('hf:heed'))
})

test('requests another revision, and treats it as another model', async () => {
  const { hub, options } = use
  await modelStore.download('hf:heed/one', { hub: { ...options.hub, revision: 'v1/next' } })
  assert.ok(hub.requests.some(({ url }) => url === '/api/models/heed/one/tree/v1%2Fnext?recursive=true'))
  assert.equal(await modelStore.has('hf:heed/one', options), false)
})

test('rejects sources and options that make no sense', async () => {
  await rejectsWith('invalid-argument', /import/, () => loadModel(new Blob([stories]), { cache: true }))
  await rejectsWith('invalid-argument', /import/, () =>
    loadModel(new Blob([stories]), { cache: true, projector: new Blob([stories]) }),
  )
  await rejectsWith('invalid-argument', /"cached"/, () => loadModel('hf:a/b', { cached: true }))
  await rejectsWith('invalid-argument', /sha256-/, () => loadModel('hf:a/b', { integrity: 'abc' }))
  await rejectsWith('invalid-argument', /"tokens"/, () => loadModel('hf:a/b', { hub: { tokens: 'x' } }))
  await rejectsWith('invalid-argument', /endpoint.*URL/, () => loadModel('hf:a/b', { hub: { endpoint: 'ftp://x' } }))
  await rejectsWith('invalid-argument', /download: source/, () => modelStore.download(new Blob([])))
  await rejectsWith('invalid-argument', /"hubs"/, () => modelStore.has('hf:a/b', { hubs: {} }))
})

test('of a model and its projector, either may be the download that is stored', async () => {
  const projector = await withModel(stories, {}, async ({ info: { width } }) => projectorFile(width))
  const server = await serveModel(projector)
  const other = await serveModel(stories)
  try {
    const pairs = [
      [stories, `${server.url}/model`],
      [`${other.url}/model`, projector],
    ]
    for (const [source, file] of pairs) {
      await withModel(source, { cache: true, projector: file }, model => assert.ok(model.info.acceptsImages))
      assert.equal((await modelStore.list()).length, 1)
      await modelStore.clear()
    }
  } finally {
    await server.close()
    await other.close()
  }
})
