// Hostile servers, processes and files: each ends in an error that names it, or is ignored.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, rejectsWith, withModel } from '../package/support.mjs'
import { blankModel, sha256, splitModel } from '../support/gguf_files.mjs'
import { useHub } from './support.mjs'

const stories = defaultModelBytes()
const small = blankModel(2e6, 2)
const use = useHub({ 'heed/small': { 'small.gguf': small, 'stories.gguf': stories } })
const posix = { skip: process.platform === 'win32' && 'Windows has no modes of files' }
const inStore = name => join(process.env.HEED_MODELS, name)
const named = end => readdirSync(process.env.HEED_MODELS).find(name => name.endsWith(end))

/** Runs `body` with the address of a server that answers as `answer` does. */
async function withServer(answer, body) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await body(`http://127.0.0.1:${server.address().port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Answers with a file, and then with zeros for as long as the client listens; counts what it sends. */
function endless(file, sent, headers = {}) {
  return async (request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', ...headers })
    response.write(file)
    const zeros = Buffer.alloc(1 << 16)
    response.on('error', () => {})
    while (!response.destroyed) {
      if (!response.write(zeros)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      sent.bytes += zeros.length
    }
    sent.closed = true
  }
}

for (const [name, headers] of Object.entries({ 'no length': {}, 'a length of 1 PB': { 'Content-Length': 1e15 } })) {
  test(`a server that never ends, with ${name}: the file ends where its header says`, async () => {
    const sent = { bytes: 0 }
    await withServer(endless(stories, sent, headers), async url => {
      const address = `${url}/model.gguf`
      await withModel(address, { cache: true }, async model => assert.ok((await model.tokenize('Once')).length > 0))
      const isStored = headers['Content-Length'] === undefined // there is no room for the other
      if (isStored) {
        assert.equal((await modelStore.list())[0].sha256, sha256(stories))
        await modelStore.clear()
        assert.equal((await modelStore.download(address)).sha256, sha256(stories))
        await modelStore.clear()
        assert.equal((await modelStore.download(address, { integrity: `sha256-${sha256(stories)}` })).complete, true)
        await modelStore.clear()
        await rejectsWith('invalid-file', /SHA-256/, modelStore.download(address, { integrity: `sha256-${sha256(small)}` }))
      } else {
        await rejectsWith('out-of-space', /1000000000 MB/, modelStore.download(address))
      }
      await rejectsWith('invalid-file', /does not end/, loadModel(address, { integrity: `sha256-${sha256(stories)}` }))
      assert.deepEqual(await modelStore.list(), [])
    })
    assert.ok(sent.bytes < 100e6, `${sent.bytes} bytes were sent`)
  })
}

/** Answers with listings, one for each requested page. */
const listing =
  (...pages) =>
  (request, response) => {
    const at = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 0)
    const { items, next } = pages[Math.min(at, pages.length - 1)]
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ...(next !== undefined && { Link: `<?page=${next}>; rel="next"` }),
    })
    response.end(typeof items === 'string' ? items : JSON.stringify(items))
  }
const file = { path: 'model-Q8_0.gguf', size: 100, lfs: { oid: 'a'.repeat(64), size: 100 } }
const listings = {
  'items that are none': [
    listing({ items: [null, 5, 'x', [], { path: 3 }, { path: 'no.gguf', size: 'x' }, { path: 'y.gguf', size: 1, lfs: 4 }] }),
    'invalid-argument',
    /Available: no GGUF models/,
  ],
  'a next page that is the same': [listing({ items: [file], next: 1 }, { items: [], next: 1 }), 'network', /does not end/],
  'pages without end': [
    (request, response) => {
      const at = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 0)
      listing({ items: [], next: at + 1 })(request, response)
    },
    'network',
    /does not end/,
  ],
  'an object': [listing({ items: { path: 'x' } }), 'network', /not a list/],
  'no JSON': [listing({ items: '[{' }), 'network', /not a list/],
}
for (const [name, [answer, code, message]] of Object.entries(listings)) {
  test(`a hub's list with ${name}`, () =>
    withServer(answer, endpoint => rejectsWith(code, message, modelStore.download('hf:heed/stories:Q4_0', { hub: { endpoint } }))))
}

test("a hub's list without end", () =>
  withServer(endless(Buffer.from('['), { bytes: 0 }), endpoint =>
    rejectsWith('network', /too long/, modelStore.download('hf:heed/stories:Q4_0', { hub: { endpoint } })),
  ))

const silences = {
  nothing: () => {},
  'a beginning': (_, response) => {
    response.writeHead(200).write('[')
  },
}
for (const [name, answer] of Object.entries(silences)) {
  test(`a hub that accepts, sends ${name} and stays silent`, { timeout: 20_000 }, () =>
    withServer(answer, async endpoint => {
      for (const call of [modelStore.download, loadModel]) {
        const error = await call('hf:heed/stories:Q4_0', { hub: { endpoint }, stallTimeout: 300 }).catch(error => error)
        assert.equal(error.code, 'network')
        assert.match(error.message, /api\/models\/heed\/stories.* no data for 0\.3 s/)
      }
    }),
  )
}

/** The lines of a journal, with their checksums. */
const written = lines =>
  lines
    .map(line => {
      const text = JSON.stringify(line)
      let sum = 0x811c9dc5
      for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
      return `${(sum >>> 0).toString(16).padStart(8, '0')} ${text}\n`
    })
    .join('')
const modelLine = name => ({ type: 'model', version: 1, record: { source: `store:${name}` }, name, parts: [{ name }] })

test('a journal whose lines have other shapes leaves the others listed', async () => {
  await modelStore.import(new File([stories], 'fox.gguf'))
  const at = { bytes: 1, sha256: 'x' }
  const wrong = [
    null,
    5,
    [],
    { type: 'model', version: 1 },
    { ...modelLine('a'), parts: [null] },
    { ...modelLine('a'), parts: 5 },
    { ...modelLine('a'), record: {} },
    { ...modelLine('a'), name: {} },
    { ...modelLine('a'), parts: [{ name: 'a', complete: at }] },
    { ...modelLine('a'), copy: '/../../x' },
    { type: 'constructor' },
    { type: 'toString', version: 1 },
  ]
  for (const [index, line] of wrong.entries())
    writeFileSync(inStore(`${index.toString().padStart(32, '0')}.journal`), written([line]))
  writeFileSync(
    inStore(`${'b'.repeat(32)}.journal`),
    written([
      modelLine('bear.gguf'),
      { type: 'begin', part: 0 },
      { type: 'point', part: 0, at },
      { type: 'complete', part: 'x', at: null },
      { type: 'used', time: 'now' },
      { type: 'used', time: 1e300 },
    ]),
  )
  writeFileSync(inStore(`${'b'.repeat(32)}.0.gguf`), 'GGUF')
  mkdirSync(inStore(`${'c'.repeat(32)}.journal`))
  try {
    assert.deepEqual(
      (await modelStore.list()).map(({ name }) => name),
      ['fox.gguf', 'bear.gguf'],
    )
  } finally {
    rmSync(inStore(`${'c'.repeat(32)}.journal`), { recursive: true })
  }
})

test('a journal names no file outside the folder', async () => {
  const { sha256: sum } = await modelStore.import(new File([stories], 'fox.gguf'))
  const journal = named('.journal')
  const key = journal.split('.', 1)[0]
  const outside = join(process.env.HEED_MODELS, '..', `heed-outside-${process.pid}.gguf`)
  renameSync(inStore(`${key}.0.gguf`), outside)
  try {
    const complete = { bytes: stories.length, sha256: sum }
    writeFileSync(
      inStore(journal),
      written([{ ...modelLine('fox.gguf'), parts: [{ name: 'fox.gguf', complete }], copy: `/../../heed-outside-${process.pid}` }]),
    )
    await rejectsWith('io', /not in the store/, loadModel('store:fox.gguf'))
    await modelStore.delete('store:fox.gguf')
    assert.ok(existsSync(outside))
  } finally {
    unlinkSync(outside)
  }
})

test('a link in the folder is neither read nor written through', posix, async () => {
  const { options } = use
  await modelStore.download('hf:heed/small/stories.gguf', options)
  const outside = join(process.env.HEED_MODELS, '..', `heed-linked-${process.pid}.gguf`)
  const path = inStore(named('.gguf'))
  renameSync(path, outside)
  symlinkSync(outside, path)
  try {
    assert.equal(await modelStore.has('hf:heed/small/stories.gguf', options), false)
    await rejectsWith('io', /ELOOP/, modelStore.download('hf:heed/small/stories.gguf', options))
    await withModel('hf:heed/small/stories.gguf', { ...options, cache: true }, async model =>
      assert.ok((await model.tokenize('Once')).length > 0),
    )
    await modelStore.clear()
    assert.deepEqual(readFileSync(outside), stories)
  } finally {
    unlinkSync(outside)
  }
})

test('lists and deletes hundreds of models', async () => {
  const names = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(32, '0'))
  for (const name of names) {
    writeFileSync(inStore(`${name}.journal`), written([modelLine(name)]))
    writeFileSync(inStore(`${name}.0.gguf`), 'GGUF')
  }
  assert.equal((await modelStore.list()).length, names.length)
  await modelStore.clear()
  assert.deepEqual(readdirSync(process.env.HEED_MODELS), [])
})

test("only the store's own files are listed and deleted", async () => {
  const key = 'a'.repeat(32)
  const foreign = [
    'my-own-model.gguf',
    'notes.txt',
    'two words.gguf',
    `${key}.txt`,
    `${key}.0.gguf.bak`,
    `${key}0.0.gguf`,
    `${'A'.repeat(32)}.journal`,
  ]
  for (const name of foreign) writeFileSync(inStore(name), 'mine')
  const folders = ['folder', `${'d'.repeat(32)}.0.gguf`]
  for (const name of folders) mkdirSync(inStore(name))
  try {
    for (const name of [`${key}.journal`, `${key}.0.gguf`, `${key}.1.1.gguf`, `${'b'.repeat(32)}.0.gguf`])
      writeFileSync(inStore(name), 'ours')
    const { source } = await modelStore.import(new File([stories], 'fox.gguf'))
    assert.deepEqual(
      (await modelStore.list()).map(({ name }) => name),
      ['fox.gguf'],
    )
    assert.equal(await modelStore.delete(source), true)
    await modelStore.clear()
    assert.deepEqual(readdirSync(process.env.HEED_MODELS).sort(), [...foreign, ...folders].sort())
    for (const name of foreign) assert.equal(readFileSync(inStore(name), 'utf8'), 'mine')
  } finally {
    for (const name of [...foreign, ...folders]) rmSync(inStore(name), { recursive: true, force: true })
  }
})

test('only the user can read the files', posix, async () => {
  const address = use.hub.address('heed/small', 'small.gguf')
  await modelStore.download(address)
  for (const name of readdirSync(process.env.HEED_MODELS)) {
    assert.equal(statSync(inStore(name)).mode & 0o777, 0o600, name)
    chmodSync(inStore(name), 0o644) // as an earlier version left it
  }
  const folder = process.env.HEED_MODELS
  process.env.HEED_MODELS = join(folder, 'own')
  try {
    await modelStore.download(address)
    assert.equal(statSync(process.env.HEED_MODELS).mode & 0o777, 0o700)
    rmSync(process.env.HEED_MODELS, { recursive: true })
  } finally {
    process.env.HEED_MODELS = folder
  }
  await withModel(undefined, {}, () => {})
  await modelStore.download(address, { integrity: `sha256-${sha256(small)}` })
})

test('signatures in addresses are not stored, and the model is found with another', async () => {
  const { hub } = use
  const address = hub.address('heed/small', 'stories.gguf')
  const signed = `${address}?X-Amz-Signature=secret1&X-Amz-Credential=secret2&Expires=5&part=a`
  const { source } = await modelStore.download(signed)
  assert.equal(source, `${address}?part=a`)
  assert.doesNotMatch(readFileSync(inStore(named('.journal')), 'utf8'), /secret/)
  hub.requests = []
  await withModel(signed.replaceAll('secret', 'other'), { cache: true }, () => {})
  assert.deepEqual(hub.requests, [])
  assert.equal(await modelStore.has(`${address}?sig=secret&se=2030&sp=r&part=a`), true)
  assert.equal(await modelStore.has(`${address}?part=b`), false)
})

test('a file that changes during a reconnect is noticed by its bytes', async () => {
  const { hub } = use
  const other = Buffer.from(stories)
  other.fill(1, 5e5)
  const path = 'stories.gguf'
  const address = hub.address('heed/small', path)
  try {
    for (const ranges of [true, false]) {
      hub.behavior = { etag: null, modified: null, ranges }
      for (const call of [() => loadModel(address), () => loadModel(address, { cache: true })]) {
        hub.put('heed/small', path, stories)
        hub.breaks = [
          { at: 15e5, how: () => hub.put('heed/small', path, other) },
          { at: 15e5 + 1, how: 'end' },
        ]
        await rejectsWith('network', /changed on the server/, call)
        assert.deepEqual(hub.breaks, [])
      }
      hub.put('heed/small', path, stories)
      hub.breaks = [
        { at: 15e5, how: () => hub.put('heed/small', path, other) },
        { at: 15e5 + 1, how: 'end' },
      ]
      assert.equal((await modelStore.download(address)).sha256, sha256(other))
      await modelStore.clear()
    }
  } finally {
    hub.put('heed/small', path, stories)
  }
})

test('a process that holds the lock and says nothing: a time limit that names it', posix, async () => {
  const { options } = use
  const folder = join(tmpdir(), `heed-${process.getuid()}`)
  const source = 'hf:heed/small/stories.gguf'
  await modelStore.download(source, options)
  const [model] = await modelStore.list()
  await modelStore.delete(model)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  // the lock's name, as another process of this user can find it: the only socket during a download
  const before = new Set(readdirSync(folder))
  let lock
  use.hub.breaks = [
    {
      at: 1e6,
      how: () => {
        lock = readdirSync(folder).find(name => !before.has(name))
      },
    },
  ]
  await modelStore.download(source, options)
  await modelStore.clear()
  const silent = createSocket(socket => socket.on('error', () => {}))
  silent.listen(join(folder, lock))
  await once(silent, 'listening')
  try {
    const quick = { ...options, stallTimeout: 20 }
    await rejectsWith(
      'io',
      new RegExp(`holds the model's lock, .*${lock}, and has reported nothing for 0\\.4 s`),
      modelStore.download(source, quick),
    )
    const notices = []
    await withModel(
      source,
      { ...quick, stallTimeout: 50, cache: true, onProgress: ({ notice }) => notice && notices.push(notice) },
      async model => assert.ok((await model.tokenize('Once')).length > 0),
    )
    assert.match(notices.join(), /^Not stored: Another process/)
  } finally {
    silent.close()
  }
})

test('an unreachable server is reported as such, not as lacking headers', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  const error = await loadModel(`http://127.0.0.1:${port}/model.gguf`).catch(error => error)
  assert.equal(error.code, 'network')
  assert.match(error.message, /cannot be fetched: connect ECONNREFUSED 127\.0\.0\.1/)
  assert.doesNotMatch(error.message, /Access-Control|Content-Security/)
})

test('files that are too short are not stored', async () => {
  const cut = stories.subarray(0, 15e5)
  const short = new RegExp(`fox\\.gguf ends after 1500000 of ${stories.length} bytes`)
  await rejectsWith('invalid-file', short, modelStore.import(new File([cut], 'fox.gguf')))
  await rejectsWith('invalid-file', short, loadModel(new File([cut], 'fox.gguf')))
  const parts = Object.entries(splitModel(stories, 3, 'fox')).map(
    ([name, bytes], part) => new File([part === 1 ? bytes.subarray(0, -1000) : bytes], name),
  )
  const part = /fox-00002-of-00003\.gguf ends after \d+ of \d+ bytes/
  await rejectsWith('invalid-file', part, modelStore.import(parts))
  await rejectsWith('invalid-file', part, loadModel(parts))
  assert.deepEqual(readdirSync(process.env.HEED_MODELS), [])
})
