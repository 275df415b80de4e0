// The reports of `onProgress` for every way to load and to store a model: the last report is complete, and the rate only counts
// bytes that arrived now.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, defaultModelPath } from '../package/support.mjs'
import { blankModel, splitModel } from '../support/gguf_files.mjs'
import { serveModel } from '../support/model_server.mjs'
import { useHub } from './support.mjs'

const stories = defaultModelBytes()
const padded = Buffer.concat([stories, Buffer.alloc(40 * stories.length)])
const parts = splitModel(stories, 3, 'stories-Q4_K_M')
const use = useHub({
  'heed/stories': { 'stories-Q8_0.gguf': stories, ...parts },
  'heed/padded': { 'padded.gguf': padded },
  'heed/blank': { 'blank.gguf': blankModel(6e6) },
})

/** The reports of a call. */
async function reportsOf(run) {
  const reports = []
  const result = await run(report => reports.push(report))
  await result.dispose?.()
  return reports
}
const source = 'hf:heed/stories:Q8_0'
const address = (repo, file) => use.hub.address(repo, file)
const load = (source, options) => onProgress => loadModel(source, { ...use.options, ...options, onProgress })
const download = source => onProgress => modelStore.download(source, { ...use.options, onProgress })
const file = (bytes, name = 'mine.gguf') => new File([bytes], name)

/** {call: [its phase at the end, its preparation]}. */
const calls = {
  'a path': [() => load(defaultModelPath), 'load'],
  'a Blob': [() => load(new Blob([stories])), 'load'],
  bytes: [() => load(stories), 'load'],
  'a file with bytes after its tensors': [() => load(new Blob([padded])), 'load'],
  'a path to such a file': [
    () => {
      const path = join(process.env.HEED_MODELS, 'padded.gguf')
      writeFileSync(path, padded)
      return load(path)
    },
    'load',
  ],
  'a URL': [() => load(address('heed/stories', 'stories-Q8_0.gguf')), 'download'],
  'a URL of a file with bytes after its tensors': [() => load(address('heed/padded', 'padded.gguf')), 'download'],
  'a URL of such a file, stored': [() => load(address('heed/padded', 'padded.gguf'), { cache: true }), 'download'],
  "a hub's file, stored": [() => load(source, { cache: true }), 'download'],
  'the same from the store': [() => load(source, { cache: true }), 'load', () => modelStore.download(source, use.options)],
  'a split model': [() => load('hf:heed/stories:Q4_K_M'), 'download'],
  'a download': [() => download(source), 'download'],
  'a download of what is stored': [() => download(source), 'download', () => modelStore.download(source, use.options)],
  'a download of a file with bytes after its tensors': [() => download(address('heed/padded', 'padded.gguf')), 'download'],
  'a download in parts': [() => download('hf:heed/stories:Q4_K_M'), 'download'],
  'an import': [() => onProgress => modelStore.import(file(stories), { onProgress }), 'import'],
  'an import of parts': [
    () => onProgress =>
      modelStore.import(
        Object.entries(parts).map(([name, bytes]) => file(bytes, name)),
        { onProgress },
      ),
    'import',
  ],
}

for (const [name, [call, phase, before]] of Object.entries(calls)) {
  test(`the last report is whole: ${name}`, async () => {
    await before?.()
    const reports = await reportsOf(call())
    const last = reports.at(-1)
    assert.equal(last.phase, phase)
    assert.ok(last.total > 0)
    assert.equal(last.loaded, last.total)
    for (const [index, { phase, loaded, total = Infinity, cached }] of reports.entries()) {
      assert.ok(loaded <= total && cached <= loaded, `${loaded} of ${total}, ${cached} of them stored`)
      if (phase === reports[index - 1]?.phase) assert.ok(loaded >= reports[index - 1].loaded, 'the bytes went back')
    }
  })
}

test('bytes that arrive after a model, in the same chunk as its end, do not count', async () => {
  const { hub } = use
  hub.breaks = [{ at: stories.length - 100_000, how: () => Object.assign(hub.behavior, { bytesPerMs: 500 }) }] // each chunk is reported
  const reports = await reportsOf(download(address('heed/padded', 'padded.gguf')))
  const counts = reports.filter(({ phase }) => phase === 'download').map(({ loaded }) => loaded)
  assert.ok(counts.filter(loaded => loaded > stories.length - 100_000).length > 1, `${counts}`)
  assert.equal(Math.max(...counts), counts.at(-1))
})

test('an adapter, too', async () => {
  const { adapterFile } = await import('../support/adapters.mjs')
  const model = await loadModel()
  try {
    const bytes = adapterFile(model.info)
    const reports = []
    await model.loadAdapter('own', new Blob([bytes]), { onProgress: report => reports.push(report) })
    assert.deepEqual([reports.at(-1).loaded, reports.at(-1).total], [bytes.length, bytes.length])
  } finally {
    await model.dispose()
  }
})

test('stored bytes do not count for the rate, and the first bytes are listed', async () => {
  const { hub, options } = use
  const source = 'hf:heed/blank'
  const pause = new AbortController()
  hub.behavior.bytesPerMs = 2000
  hub.breaks = [{ at: 4_000_000, how: () => pause.abort() }]
  await assert.rejects(modelStore.download(source, { ...options, signal: pause.signal }), { code: 'aborted' })
  const [{ bytes, complete }] = await modelStore.list()
  assert.ok(bytes > 0 && !complete)
  hub.behavior.bytesPerMs = 100
  const reports = await reportsOf(download(source))
  const rates = reports
    .filter(({ phase }) => phase === 'download')
    .map(({ bytesPerSecond }) => bytesPerSecond)
    .filter(Boolean)
  const [{ cached }] = reports.filter(({ phase }) => phase === 'download')
  assert.ok(cached > 0 && cached <= bytes)
  // Not faster than the server, except for bytes that it had already sent when the clock began.
  assert.ok(Math.max(...rates.slice(2)) < 1_000_000, `${Math.max(...rates)} bytes a second`)
})

test('a download that is paused within its first bytes is listed, and goes on from there', async () => {
  const { hub, options } = use
  const address = hub.address('heed/blank', 'blank.gguf')
  const pause = new AbortController()
  hub.breaks = [{ at: 300_000, how: 'stall' }]
  const onProgress = ({ phase, loaded }) => {
    if (phase === 'download' && loaded > 0) pause.abort()
  }
  await assert.rejects(modelStore.download(address, { ...options, signal: pause.signal, onProgress }), { code: 'aborted' })
  const [{ bytes, complete }] = await modelStore.list()
  assert.ok(bytes > 0 && bytes <= 300_000 && !complete, `${bytes} bytes`)
  const [check] = (await reportsOf(download(address))).filter(({ phase }) => phase === 'check')
  assert.ok(check.loaded > 0)
})

test('reload: a stored file is used while the server has it, and replaced when it has another', async () => {
  const { hub, options } = use
  const bytes = [1, 2, 3].map(seed => blankModel(1e5, seed))
  const server = await serveModel(stories)
  await server.close()
  const ways = [
    ['heed/stories', name => `hf:heed/stories/${name}`, {}],
    ['heed/stories', name => hub.address('heed/stories', name), {}],
    ['heed/stories', name => hub.address('heed/stories', name), { etag: null }],
    ['heed/stories', name => hub.address('heed/stories', name), { etag: null, modified: null }],
    ['heed/stories', name => hub.address('heed/stories', name), { etag: 'weak' }],
    ['heed/stories', name => hub.address('heed/stories', name), { ranges: false, length: null, etag: null, modified: null }],
  ]
  for (const [index, [repo, at, behavior]] of ways.entries()) {
    const name = `replaced-${index}.gguf`
    hub.behavior = behavior
    hub.put(repo, name, bytes[0])
    const get = cache => modelStore.download(at(name), { ...options, ...(cache && { cache }) })
    const first = await get()
    hub.served = 0
    assert.equal((await get('reload')).sha256, first.sha256)
    assert.ok(hub.served <= bytes[0].length, 'a probe, not a second download')
    hub.put(repo, name, bytes[1])
    assert.equal((await get()).sha256, first.sha256, 'without the option, what is stored stays')
    const notices = []
    const second = await modelStore.download(at(name), {
      ...options,
      cache: 'reload',
      onProgress: ({ notice }) => notice && notices.push(notice),
    })
    assert.equal(second.sha256, hub.sum(repo, name), `${at(name)} ${JSON.stringify(behavior)}`)
    assert.match(notices.join(), /has changed on the server; downloading it from the start/)
    assert.equal((await modelStore.list()).length, index + 1)
  }
})

test('reload: a load gets the new file, split models are compared part by part, and without a server the stored one is loaded', async () => {
  const { hub, options } = use
  const notices = []
  const load = async source => {
    const model = await loadModel(source, {
      ...options,
      cache: 'reload',
      onProgress: ({ notice }) => notice && notices.push(notice),
    })
    await model.dispose()
  }
  const address = hub.address('heed/stories', Object.keys(parts)[0])
  await load(address)
  await load(address)
  assert.deepEqual(notices, [])
  const changed = splitModel(stories, 3, 'stories-Q4_K_M', (keys, part) => (part === 2 ? { ...keys } : keys))
  hub.put('heed/stories', Object.keys(parts)[2], Buffer.concat([changed[Object.keys(parts)[2]], Buffer.alloc(32)]))
  await load(address)
  assert.match(notices.splice(0).join(), /has changed on the server/)
  hub.refusals = Array.from({ length: 20 }, () => ({ status: 404 }))
  await load(address)
  assert.match(notices.splice(0).join(), /is read from the store, without asking whether it has changed: .*404/)
  hub.refusals = []
})

test('cache takes true, false and reload, and a download only reload', async () => {
  await assert.rejects(loadModel('hf:a/b', { cache: 'check' }), {
    code: 'invalid-argument',
    message: /cache: .*true, false or 'reload'/,
  })
  await assert.rejects(modelStore.download('hf:a/b', { cache: true }), { code: 'invalid-argument', message: /cache: .*reload/ })
  await assert.rejects(loadModel(new Blob([stories]), { cache: 'reload' }), {
    code: 'invalid-argument',
    message: /only stores downloads/,
  })
})
