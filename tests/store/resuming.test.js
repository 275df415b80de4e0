// Interrupted downloads resume where they stopped, whatever the cause, and end with the right file.
// HEED_DOWNLOAD_MB: the size of the file (default: 20).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { modelStore } from 'heed'
import { defaultModelBytes, rejectsWith, withModel } from '../package/support.mjs'
import { blankModel, sha256 } from '../support/gguf_files.mjs'
import { randomFrom, storedFiles, useHub } from './support.mjs'

const megabytes = Number(process.env.HEED_DOWNLOAD_MB ?? 20)
const large = blankModel(megabytes * 1e6)
const small = blankModel(2e6, 2)
const stories = defaultModelBytes()
const use = useHub({ 'heed/large': { 'large.gguf': large }, 'heed/small': { 'small.gguf': small, 'stories.gguf': stories } })
const source = 'hf:heed/large/large.gguf'
const path = 'small.gguf'

/** Downloads the file, and starts again whenever the call is aborted. */
async function persist(options) {
  for (;;) {
    try {
      return await modelStore.download(source, options())
    } catch (error) {
      if (error.code !== 'aborted') throw error
    }
  }
}

/** Starts another process that downloads, to be killed. */
function downloadElsewhere(endpoint) {
  const script = `import { modelStore } from 'heed'
    await modelStore.download(${JSON.stringify(source)}, { hub: { endpoint: ${JSON.stringify(endpoint)} } })`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
}

test('forty breaks at random positions', { timeout: 600_000 }, async t => {
  const { hub, options } = use
  const random = randomFrom(40)
  hub.behavior.bytesPerMs = 1e5
  let controller
  const hows = ['reset', 'end', 'stall', () => controller.abort()]
  hub.breaks = Array.from({ length: 40 }, (_, index) => ({
    at: Math.floor(random() * large.length),
    how: hows[index % hows.length],
  }))
  const result = await persist(() => {
    controller = new AbortController()
    return { ...options, signal: controller.signal, stallTimeout: 500 }
  })
  assert.deepEqual(hub.breaks, [])
  assert.equal(result.sha256, sha256(large))
  assert.equal(result.complete, true)
  t.diagnostic(`${hub.served} bytes for a file of ${large.length}: ${(hub.served / large.length).toFixed(3)} times`)
  const allowance = megabytes >= 600 ? 2 ** 20 : 2 ** 19
  assert.ok(hub.served <= 1.02 * large.length + 40 * allowance, `${hub.served} bytes were sent for ${large.length}`)
})

test('resumes the download of a killed process', { timeout: 60_000 }, async () => {
  const { hub, options } = use
  hub.behavior.bytesPerMs = 5e3 // slow, so that little is in flight, and lost, when it is killed
  for (const share of [0.3, 0.6]) {
    const child = downloadElsewhere(hub.endpoint)
    hub.breaks.push({ at: Math.floor(large.length * share), how: () => child.kill('SIGKILL') })
    await once(child, 'exit')
  }
  const [partial] = await modelStore.list()
  assert.equal(partial.complete, false)
  assert.ok(partial.bytes > large.length / 4)
  const kept = []
  const { sha256: sum } = await modelStore.download(source, { ...options, onProgress: ({ cached }) => kept.push(cached) })
  assert.equal(sum, sha256(large))
  assert.ok(Math.max(...kept) > large.length / 2)
  assert.ok(hub.served < large.length * 1.02 + 2 * 2 ** 20, `${hub.served} bytes were sent`)
})

test("resumes with the file's own URL if the signed one has expired", async () => {
  const { hub, options } = use
  hub.breaks = [
    { at: 1e6, how: () => hub.expire() },
    { at: 1e6 + 1, how: 'reset', path },
  ]
  const result = await modelStore.download(`hf:heed/small/${path}`, options)
  assert.equal(result.sha256, sha256(small))
  const asked = hub.requests.filter(({ origin, url }) => origin === 'hub' && url.includes('/resolve/'))
  assert.equal(asked.length, 2)
})

test('waits as long as the server asks, and retries after 429 and 5xx', async () => {
  const { hub, options } = use
  hub.refusals = [{ status: 429, retryAfter: 1 }, { status: 503 }, { status: 500, from: 'storage' }, { status: 502, from: 'list' }]
  assert.equal((await modelStore.download(`hf:heed/small/${path}`, options)).sha256, sha256(small))
  assert.equal(hub.refusals.length, 0)
})

test('does not wait for hours', () => {
  use.hub.refusals = [{ status: 429, retryAfter: 3600 }]
  return rejectsWith('network', /429/, () => modelStore.download(`hf:heed/small/${path}`, use.options))
})

test('gives up after repeated failures, and keeps what has arrived', async () => {
  const { hub, options } = use
  hub.breaks = Array.from({ length: 20 }, () => ({ at: 1.5e6, how: 'reset' }))
  await rejectsWith('network', /small\.gguf/, () => modelStore.download(`hf:heed/small/${path}`, options))
  const [partial] = await modelStore.list()
  assert.equal(partial.complete, false)
  assert.ok(partial.bytes > 1e6, `${partial.bytes} bytes are kept`)
  hub.breaks = []
  hub.served = 0
  await modelStore.download(`hf:heed/small/${path}`, options)
  assert.ok(hub.served < 1.1e6)
})

for (const [name, behavior] of Object.entries({
  'a server without ranges': { ranges: false },
  'a server that lets pages read all headers': { expose: 'ETag,Content-Range,Accept-Ranges' },
  'weak ETags': { etag: 'weak' },
  'no ETag': { etag: null },
  'no length': { length: null },
  'compressed though nobody asked': { gzip: true },
})) {
  test(`completes a broken download: ${name}`, async () => {
    const { hub } = use
    Object.assign(hub.behavior, behavior)
    hub.breaks = [
      { at: 5e5, how: 'reset' },
      { at: 1.5e6, how: 'end' },
    ]
    const notices = []
    const result = await modelStore.download(hub.address('heed/small', path), { onProgress: ({ notice }) => notices.push(notice) })
    assert.equal(result.sha256, sha256(small))
    assert.equal(result.complete, true)
    if (behavior.ranges === false) assert.match(notices.join(' '), /from its start/)
  })
}

test('starts over if the file has changed, with a notice', async () => {
  const { hub } = use
  const other = blankModel(2e6, 3)
  for (const behavior of [{}, { etag: null }, { ranges: false }]) {
    hub.behavior = behavior
    hub.put('heed/small', path, small)
    const address = hub.address('heed/small', path)
    const controller = new AbortController()
    // Aborted once the journal has a point, which is written after 1 MiB, and before the end, which the hub keeps back.
    hub.breaks = [
      { at: 1.9e6, how: 'stall' },
      { at: 1.95e6, how: 'stall' },
    ]
    hub.behavior.bytesPerMs = 1e4
    const onProgress = ({ loaded }) => {
      if (loaded >= 2 ** 20) controller.abort()
    }
    await rejectsWith('aborted', /./, () => modelStore.download(address, { signal: controller.signal, onProgress }))
    hub.breaks = []
    hub.put('heed/small', path, other)
    const notices = []
    const result = await modelStore.download(address, { onProgress: ({ notice }) => notices.push(notice) })
    assert.equal(result.sha256, sha256(other))
    assert.match(notices.join(' '), /changed/)
    await modelStore.clear()
  }
  hub.put('heed/small', path, small)
})

test('a model loads despite breaks, whether it is stored or not', async () => {
  const { hub } = use
  for (const cache of [false, true]) {
    hub.breaks = [
      { at: 5e5, how: 'reset' },
      { at: 6e5, how: 'stall' },
      { at: 15e5, how: 'end' },
    ]
    await withModel(hub.address('heed/small', 'stories.gguf'), { cache, stallTimeout: 500 }, async model => {
      assert.equal((await model.generate('Once', { maxTokens: 3, stopAtEnd: false })).tokens.length, 3)
    })
    assert.deepEqual(hub.breaks, [])
  }
})

test('sends the token only to the hub, and stores it nowhere', async () => {
  const { hub, options } = use
  const token = (hub.token = 'hf_abcdefghijklmnopqrstuvwxyz')
  const told = []
  const hubOptions = { ...options.hub, token }
  const open = extra =>
    modelStore.download(`hf:heed/small/${path}`, { hub: { ...hubOptions, ...extra }, onProgress: event => told.push(event) })
  hub.breaks = [{ at: 1e6, how: 'reset' }]
  await open({})
  told.push(await modelStore.list())
  for (const wrong of [undefined, 'hf_wrongwrongwrong']) {
    const error = await modelStore
      .download('hf:heed/small/stories.gguf', { hub: { ...hubOptions, token: wrong } })
      .catch(error => error)
    assert.equal(error.code, 'network')
    assert.match(error.message, /401.*token/)
    told.push(error.message, error.stack)
  }
  const bad = await modelStore
    .download('hf:heed/small/stories.gguf', { hub: { ...hubOptions, token: `${token}\n` } })
    .catch(error => error)
  assert.equal(bad.code, 'invalid-argument')
  hub.breaks = Array.from({ length: 9 }, () => ({ at: 1e6, how: 'reset' }))
  told.push((await modelStore.download('hf:heed/small/stories.gguf', { hub: hubOptions }).catch(error => error)).message)
  for (const { origin, url, headers } of hub.requests) {
    assert.ok(!url.includes('hf_'), url)
    if (origin === 'storage') assert.equal(headers.authorization, undefined)
    else if (url.includes('small.gguf')) assert.equal(headers.authorization, `Bearer ${token}`)
  }
  const secrets = /hf_(abc|wrong)/
  assert.doesNotMatch(JSON.stringify([...told, bad.message, bad.stack]), secrets)
  for (const [name, bytes] of Object.entries(storedFiles())) {
    assert.doesNotMatch(name, secrets)
    assert.ok(!bytes.includes(token), name)
  }
})
